-- The tables of a payment in plain SQL, with the indexes it needs and no others. Pages have room
-- for the next version of a row.
CREATE TABLE wallets (
    account text PRIMARY KEY,
    available bigint NOT NULL CHECK (available >= 0),
    held bigint NOT NULL CHECK (held >= 0)
) WITH (fillfactor = 40);
CREATE TABLE transactions (
    number bigint PRIMARY KEY,
    account text NOT NULL,
    reference text NOT NULL,
    state text NOT NULL,
    price bigint NOT NULL,
    record text NOT NULL,
    version integer NOT NULL,
    due_at bigint,
    UNIQUE (account, reference)
) WITH (fillfactor = 55);
CREATE INDEX due ON transactions (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE transfers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number bigint NOT NULL,
    kind text NOT NULL,
    debit text NOT NULL,
    credit text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    available_after bigint
);
CREATE UNIQUE INDEX one_hold ON transfers (number) WHERE kind = 'hold';
CREATE UNIQUE INDEX one_end ON transfers (number) WHERE kind IN ('capture', 'release');
CREATE TABLE events (
    number bigint NOT NULL,
    sequence integer NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (number, sequence)
);
CREATE SEQUENCE numbers;
INSERT INTO wallets SELECT 'shop_' || i, 1000000000000, 0 FROM generate_series(1, 1000) AS i;
VACUUM ANALYZE;
