-- Balances at providers as they were read: the last of each quarter of an hour, for a week.

CREATE TABLE balance_readings (
    provider TEXT NOT NULL,
    span INTEGER NOT NULL,
    available INTEGER NOT NULL,
    held INTEGER,
    currency TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    read_at INTEGER NOT NULL,
    is_low INTEGER NOT NULL CONSTRAINT balance_readings_is_low CHECK (is_low IN (0, 1)),
    CONSTRAINT balance_readings_span PRIMARY KEY (provider, span)
) STRICT, WITHOUT ROWID;
