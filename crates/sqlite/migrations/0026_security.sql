-- Freezes of accounts, keys and services, with all their versions: the latest of each counts. Each row
-- carries a seal, a hash over everything that it says under the pepper. Where one is not sealed as it
-- is, nothing is paid.

CREATE TABLE freezes (
    account TEXT NOT NULL REFERENCES accounts (id),
    target TEXT NOT NULL,
    key INTEGER NOT NULL CONSTRAINT freezes_of_key CHECK (target = 'key' OR key = 0),
    version INTEGER NOT NULL CONSTRAINT freezes_from_one CHECK (version > 0),
    frozen INTEGER NOT NULL CONSTRAINT freezes_frozen CHECK (frozen IN (0, 1)),
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    seal BLOB NOT NULL CONSTRAINT freezes_seal CHECK (length(seal) = 32),
    CONSTRAINT freezes_version PRIMARY KEY (account, target, key, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX freezes_lifted ON freezes (account, created_at) WHERE frozen = 0;

CREATE TRIGGER freezes_no_update BEFORE UPDATE ON freezes BEGIN
    SELECT RAISE(ABORT, 'freezes are append-only');
END;

CREATE TRIGGER freezes_no_delete BEFORE DELETE ON freezes BEGIN
    SELECT RAISE(ABORT, 'freezes are append-only');
END;

CREATE TRIGGER freezes_no_replace BEFORE INSERT ON freezes
WHEN EXISTS (
    SELECT 1 FROM freezes
    WHERE account = NEW.account AND target = NEW.target AND key = NEW.key
        AND version = NEW.version
) BEGIN
    SELECT RAISE(ABORT, 'freezes are append-only');
END;

-- What of the account is frozen, in words, with each of its wallets: what moves money reads it.
ALTER TABLE wallets ADD COLUMN frozen TEXT;

-- When keys end whose place another one takes. A key without a row lasts as long as it says.
CREATE TABLE access_key_ends (
    account TEXT NOT NULL,
    id INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    replaced_by INTEGER NOT NULL,
    CONSTRAINT access_key_ends_id PRIMARY KEY (account, id),
    FOREIGN KEY (account, id) REFERENCES access_keys (account, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER access_key_ends_no_update BEFORE UPDATE ON access_key_ends BEGIN
    SELECT RAISE(ABORT, 'access_key_ends are append-only');
END;

CREATE TRIGGER access_key_ends_no_delete BEFORE DELETE ON access_key_ends BEGIN
    SELECT RAISE(ABORT, 'access_key_ends are append-only');
END;

CREATE TRIGGER access_key_ends_no_replace BEFORE INSERT ON access_key_ends
WHEN EXISTS (
    SELECT 1 FROM access_key_ends WHERE account = NEW.account AND id = NEW.id
) BEGIN
    SELECT RAISE(ABORT, 'access_key_ends are append-only');
END;
