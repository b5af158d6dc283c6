-- Merchant accounts, their keys and what they can spend. Moments are milliseconds since
-- 1970-01-01T00:00:00Z, money is whole minor units (kobo).

CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL CONSTRAINT accounts_status CHECK (status IN ('active', 'suspended')),
    currency TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A key is kept as a keyed hash only. Revoked keys stay, to explain who could do what and when.
CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    hint TEXT NOT NULL,
    hash BLOB NOT NULL CONSTRAINT api_keys_hash CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE INDEX api_keys_live ON api_keys (account, created_at) WHERE revoked_at IS NULL;

-- The only stored balances. `debits` and `credits` count the lines of the statement, so that a page
-- far inside it is found without counting.
CREATE TABLE wallets (
    account TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
    available INTEGER NOT NULL CONSTRAINT wallets_available CHECK (available >= 0),
    held INTEGER NOT NULL CONSTRAINT wallets_held CHECK (held >= 0),
    debits INTEGER NOT NULL DEFAULT 0,
    credits INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
