-- Allowlists of keys, with all their versions: the latest of each key counts, and has the whole list.
-- Each row carries a seal, a hash over everything that it says under the pepper. Where one is not
-- sealed as it is, its key is used from nowhere.

CREATE TABLE allowlists (
    account TEXT NOT NULL REFERENCES accounts (id),
    key INTEGER NOT NULL,
    version INTEGER NOT NULL CONSTRAINT allowlists_from_one CHECK (version > 0),
    entries TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    seal BLOB NOT NULL CONSTRAINT allowlists_seal CHECK (length(seal) = 32),
    CONSTRAINT allowlists_version PRIMARY KEY (account, key, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX allowlists_changed ON allowlists (account, created_at);

CREATE TRIGGER allowlists_no_update BEFORE UPDATE ON allowlists BEGIN
    SELECT RAISE(ABORT, 'allowlists are append-only');
END;

CREATE TRIGGER allowlists_no_delete BEFORE DELETE ON allowlists BEGIN
    SELECT RAISE(ABORT, 'allowlists are append-only');
END;

CREATE TRIGGER allowlists_no_replace BEFORE INSERT ON allowlists
WHEN EXISTS (
    SELECT 1 FROM allowlists
    WHERE account = NEW.account AND key = NEW.key AND version = NEW.version
) BEGIN
    SELECT RAISE(ABORT, 'allowlists are append-only');
END;
