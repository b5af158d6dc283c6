-- The keyed hash of a key covers its account and its number within the account, so a row that is
-- copied to another account, or to another row, opens nothing. Whether a hash that was made before
-- belongs to the account it stands with cannot be told, so every key from before is revoked here:
-- `manilla key rotate` makes another. The number was the row's own and is drawn with the key now.

ALTER TABLE api_keys ALTER COLUMN id DROP IDENTITY;

UPDATE api_keys SET revoked_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
WHERE revoked_at IS NULL;

CREATE TRIGGER api_keys_revoked_once BEFORE UPDATE ON api_keys
FOR EACH ROW WHEN (old.revoked_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
