-- The keyed hash of a key covers its account and its number within the account, so a row that is
-- copied to another account, or to another row, opens nothing. Whether a hash that was made before
-- belongs to the account it stands with cannot be told, so every key from before is revoked here:
-- `manilla key rotate` makes another. The number was the row's own and is drawn with the key now.
-- A primary key cannot be changed in place: the table is copied.

DROP TRIGGER api_keys_no_delete;
DROP INDEX api_keys_live;
ALTER TABLE api_keys RENAME TO api_keys_before;

CREATE TABLE api_keys (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    hint TEXT NOT NULL,
    hash BLOB NOT NULL CONSTRAINT api_keys_hash CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    CONSTRAINT api_keys_id PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

INSERT INTO api_keys (account, id, hint, hash, created_at, revoked_at)
SELECT account, id, hint, hash, created_at, coalesce(revoked_at, unixepoch() * 1000)
FROM api_keys_before;

DROP TABLE api_keys_before;

CREATE INDEX api_keys_live ON api_keys (account, created_at) WHERE revoked_at IS NULL;

CREATE TRIGGER api_keys_no_delete BEFORE DELETE ON api_keys BEGIN
    SELECT RAISE(ABORT, 'keys are revoked, never deleted');
END;

CREATE TRIGGER api_keys_no_replace BEFORE INSERT ON api_keys
WHEN EXISTS (SELECT 1 FROM api_keys WHERE account = NEW.account AND id = NEW.id) BEGIN
    SELECT RAISE(ABORT, 'a key is stored once');
END;

CREATE TRIGGER api_keys_frozen BEFORE UPDATE OF account, id, hint, hash, created_at
ON api_keys BEGIN
    SELECT RAISE(ABORT, 'a key is frozen');
END;

CREATE TRIGGER api_keys_revoked_once BEFORE UPDATE ON api_keys
WHEN OLD.revoked_at IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'a key is revoked once, for good');
END;
