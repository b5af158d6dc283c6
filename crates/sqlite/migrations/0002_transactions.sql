-- Transactions, the attempts made for them, and the events they caused.

-- `number` is random and public; `id` rises with every transaction, so that what is written
-- together lies together however many transactions there are.
CREATE TABLE transactions (
    id INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id),
    reference TEXT NOT NULL,
    idempotency_key TEXT,
    meaning BLOB,
    service TEXT NOT NULL,
    provider TEXT NOT NULL,
    state TEXT NOT NULL CONSTRAINT transactions_state CHECK (
        state IN ('sending', 'in_doubt', 'review', 'successful', 'failed', 'reversed')
    ),
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    price INTEGER NOT NULL CONSTRAINT transactions_price CHECK (price > 0),
    cost INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    -- The version and sequence of the transaction, not of this row's shape.
    version INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    due_at INTEGER,
    -- Whether `due_at` is the end of somebody's claim.
    leased INTEGER NOT NULL DEFAULT 0,
    -- Versioned JSON: what was bought and at what price, and where the transaction stands.
    purchase TEXT NOT NULL,
    progress TEXT NOT NULL,
    CONSTRAINT transactions_meaning CHECK ((idempotency_key IS NULL) = (meaning IS NULL))
) STRICT;

CREATE UNIQUE INDEX transactions_number ON transactions (number);
CREATE UNIQUE INDEX transactions_reference ON transactions (account, reference);
CREATE UNIQUE INDEX transactions_key ON transactions (account, idempotency_key)
WHERE idempotency_key IS NOT NULL;
CREATE INDEX transactions_due ON transactions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX transactions_review ON transactions (updated_at) WHERE state = 'review';

CREATE TABLE attempts (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL CONSTRAINT attempts_state CHECK (
        state IN ('sending', 'in_doubt', 'review', 'delivered', 'reversed', 'disproven')
    ),
    evidence TEXT,
    provider_reference TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    contradicted_at INTEGER,
    PRIMARY KEY (transaction_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX attempts_provider_reference ON attempts (provider_reference);
-- At most one attempt of a transaction is undecided.
CREATE UNIQUE INDEX attempts_open ON attempts (transaction_id)
WHERE state IN ('sending', 'in_doubt', 'review');

CREATE TABLE events (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id),
    sequence INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, sequence)
) STRICT, WITHOUT ROWID;
