-- Balances at providers as they were read: the last of each quarter of an hour, for a week.

CREATE TABLE balance_readings (
    provider text COLLATE "C" NOT NULL,
    span bigint NOT NULL,
    available bigint NOT NULL,
    held bigint,
    currency text COLLATE "C" NOT NULL,
    said_at bigint NOT NULL,
    read_at bigint NOT NULL,
    is_low boolean NOT NULL,
    CONSTRAINT balance_readings_span PRIMARY KEY (provider, span)
);
