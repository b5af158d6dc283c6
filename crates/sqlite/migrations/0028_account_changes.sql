-- What was changed of accounts, numbered from 1 for each. Each row carries a seal, a hash over what it
-- says under the pepper, and the hash of the row before it, which its own hash covers.

CREATE TABLE account_changes (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL CONSTRAINT account_changes_from_one CHECK (number > 0),
    actor TEXT NOT NULL,
    key INTEGER,
    user_id INTEGER,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    before TEXT,
    after TEXT,
    address TEXT,
    request_id TEXT,
    at INTEGER NOT NULL,
    seal BLOB NOT NULL CONSTRAINT account_changes_seal CHECK (length(seal) = 32),
    previous BLOB NOT NULL CONSTRAINT account_changes_previous CHECK (length(previous) = 32),
    hash BLOB NOT NULL CONSTRAINT account_changes_hash CHECK (length(hash) = 32),
    CONSTRAINT account_changes_number PRIMARY KEY (account, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER account_changes_no_update BEFORE UPDATE ON account_changes BEGIN
    SELECT RAISE(ABORT, 'account_changes are append-only');
END;

CREATE TRIGGER account_changes_no_delete BEFORE DELETE ON account_changes BEGIN
    SELECT RAISE(ABORT, 'account_changes are append-only');
END;

CREATE TRIGGER account_changes_no_replace BEFORE INSERT ON account_changes
WHEN EXISTS (
    SELECT 1 FROM account_changes WHERE account = NEW.account AND number = NEW.number
) BEGIN
    SELECT RAISE(ABORT, 'account_changes are append-only');
END;
