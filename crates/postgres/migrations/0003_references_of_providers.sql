-- An attempt is found by the reference its provider knows it by. Those that are derived from the
-- merchant's hold a dot and are found by that; only those of a provider's own form are indexed.

CREATE INDEX attempts_open_own_reference ON attempts_open (provider_reference)
WHERE strpos(provider_reference, '.') = 0;

CREATE INDEX attempts_ended_own_reference ON attempts_ended (provider_reference)
WHERE strpos(provider_reference, '.') = 0;
