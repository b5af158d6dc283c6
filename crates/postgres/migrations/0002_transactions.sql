-- Transactions, the attempts made for them, and the events they caused. The tables that grow have
-- no foreign keys: every row of them is written by the step that has just read what it belongs to,
-- and nothing is ever deleted, so a check of each row would find nothing and cost most of the time.
-- The audit looks for rows without an owner all the same.

-- One order and where it stands. No index holds a column that changes, and pages are left with
-- room, so that moving on rewrites the row in its page and touches no index.
CREATE TABLE transactions (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C",
    meaning bytea,
    service text NOT NULL,
    provider text NOT NULL,
    state text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    price bigint NOT NULL,
    cost bigint NOT NULL,
    fee bigint NOT NULL,
    vat bigint NOT NULL,
    levy bigint NOT NULL,
    -- The version and sequence of the transaction, not of this row's shape.
    version integer NOT NULL,
    sequence integer NOT NULL,
    opened_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    -- Versioned JSON: what was bought and at what price, and where the transaction stands.
    purchase text NOT NULL,
    progress text NOT NULL,
    CONSTRAINT transactions_number PRIMARY KEY (account, number),
    CONSTRAINT transactions_state CHECK (
        state IN ('sending', 'in_doubt', 'review', 'successful', 'failed', 'reversed')
    ),
    CONSTRAINT transactions_price CHECK (price > 0),
    CONSTRAINT transactions_meaning CHECK ((idempotency_key IS NULL) = (meaning IS NULL))
) WITH (fillfactor = 55);

CREATE UNIQUE INDEX transactions_reference ON transactions (account COLLATE "POSIX", reference);
CREATE UNIQUE INDEX transactions_key ON transactions (account COLLATE ucs_basic, idempotency_key)
WHERE idempotency_key IS NOT NULL;

-- The undecided attempt of a transaction: there is at most one, says the key. It is written before
-- the provider hears of it and leaves when its end is known, so this table is as small as what is
-- under way. It is what recovery claims: `due_at` says when somebody must look, `leased` whether
-- that is the end of somebody's claim, `instance` who that was.
CREATE TABLE attempts_open (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    number smallint NOT NULL,
    state text NOT NULL,
    provider_reference text NOT NULL,
    started_at bigint NOT NULL,
    due_at bigint,
    leased boolean NOT NULL DEFAULT false,
    instance bigint,
    CONSTRAINT attempts_open_once PRIMARY KEY (account, transaction),
    CONSTRAINT attempts_open_state CHECK (state IN ('sending', 'in_doubt', 'review'))
) WITH (fillfactor = 70);

CREATE INDEX attempts_open_due ON attempts_open (due_at) WHERE due_at IS NOT NULL;

-- How attempts ended. A delivery that was taken back and a proof that was contradicted are noted on
-- the attempt they concern.
CREATE TABLE attempts_ended (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    number smallint NOT NULL,
    state text NOT NULL,
    evidence text NOT NULL,
    provider_reference text NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    contradicted_at bigint,
    CONSTRAINT attempts_ended_number PRIMARY KEY (account, transaction, number),
    CONSTRAINT attempts_ended_state CHECK (state IN ('delivered', 'reversed', 'disproven'))
);

CREATE TABLE events (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    sequence integer NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT events_sequence PRIMARY KEY (account, transaction, sequence)
);
