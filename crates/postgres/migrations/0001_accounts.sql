-- Merchant accounts, their keys and what they can spend. Moments are milliseconds since
-- 1970-01-01T00:00:00Z, money is whole minor units (kobo). Names are compared byte by byte. Every
-- key of what grows begins with the account, so that all of it can be spread by account. Where a
-- table has several such keys, each holds the account under another name of the same byte order
-- ("C", "POSIX", ucs_basic), and whoever looks for a row says which: a plan can then use one index
-- only, and never reads a whole account because the statistics of an empty table left it the
-- choice.

CREATE TABLE accounts (
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    message_currency text NOT NULL,
    time_zone text NOT NULL,
    opened_at bigint NOT NULL,
    CONSTRAINT accounts_identity PRIMARY KEY (id),
    CONSTRAINT accounts_status CHECK (status IN ('active', 'suspended'))
);

-- A key is kept as a keyed hash only. Revoked keys stay, to explain who could do what and when.
CREATE TABLE api_keys (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    hint text NOT NULL,
    hash bytea NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    CONSTRAINT api_keys_id PRIMARY KEY (account, id),
    CONSTRAINT api_keys_hash CHECK (octet_length(hash) = 32)
);

-- The only stored balances. `debits` and `credits` count the lines of the statement, so that a page
-- far inside it is found without counting. A row changes with every batch, so its page has room
-- for the next versions of it.
CREATE TABLE wallets (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    currency text COLLATE "C" NOT NULL,
    available bigint NOT NULL,
    held bigint NOT NULL,
    debits bigint NOT NULL DEFAULT 0,
    credits bigint NOT NULL DEFAULT 0,
    CONSTRAINT wallets_account PRIMARY KEY (account, currency),
    CONSTRAINT wallets_available CHECK (available >= 0),
    CONSTRAINT wallets_held CHECK (held >= 0)
) WITH (fillfactor = 40);

-- Names that messages may be sent under, registered by an account and approved by an operator.
-- There are few of them, so their serial numbers may be unique whoever has them.
CREATE TABLE senders (
    serial text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    name text COLLATE "C" NOT NULL,
    status text NOT NULL,
    requested_at bigint NOT NULL,
    decided_at bigint,
    CONSTRAINT senders_serial PRIMARY KEY (serial),
    CONSTRAINT senders_status CHECK (status IN ('pending', 'approved', 'rejected'))
);

-- Handsets show names as written, people read them without regard to case.
CREATE UNIQUE INDEX senders_name ON senders (account, lower(name));
