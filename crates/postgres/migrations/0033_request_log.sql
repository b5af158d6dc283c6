-- Requests of accounts as they were answered: for looking something up, and no evidence. Rows are forgotten
-- with time, so nothing refers to them, and they refer to nothing: no payment waits for the lock of a row
-- that a reference would take.

CREATE TABLE request_log (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    status integer NOT NULL,
    latency bigint NOT NULL,
    key_prefix text NOT NULL,
    address text NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    CONSTRAINT request_log_moment PRIMARY KEY (account, at, number)
);

CREATE INDEX request_log_at ON request_log (at);
