-- Operators freeze keys as well, each under a word of its own, so that a merchant does not lift what an
-- operator froze.

ALTER TABLE freezes DROP CONSTRAINT freezes_of_key;

ALTER TABLE freezes ADD CONSTRAINT freezes_of_key
CHECK (target IN ('key', 'operator:key') OR key = 0);
