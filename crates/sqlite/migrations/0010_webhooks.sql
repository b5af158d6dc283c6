-- Where accounts want to be told of events, what is to be delivered there, and every attempt at it.

-- `topics` are words with a space between two of them; none at all stands for everything. What is
-- removed is disabled as well, and stays until all that was for it is gone.
CREATE TABLE endpoints (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    target TEXT NOT NULL,
    topics TEXT,
    description TEXT NOT NULL,
    with_tokens INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    rotated_at INTEGER,
    rotated_before INTEGER,
    disabled_at INTEGER,
    disabled_because TEXT,
    created_at INTEGER NOT NULL,
    failing_since INTEGER,
    removed_at INTEGER,
    PRIMARY KEY (account, id),
    CONSTRAINT endpoints_disabled CHECK (
        (disabled_at IS NULL) = (disabled_because IS NULL)
        AND disabled_because IN ('asked', 'gone', 'failing')
    ),
    CONSTRAINT endpoints_removed_is_disabled CHECK (
        removed_at IS NULL OR disabled_at IS NOT NULL
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX endpoints_removed ON endpoints (removed_at) WHERE removed_at IS NOT NULL;

-- `number` and `sequence` are the numbers in the name of what is told: of a transaction and its
-- event, or, with a sequence of 0, of what no transaction caused. `state`, `version`, `updated_at`
-- and `progress` are the transaction as the event left it. One of three moments says where the
-- delivery stands.
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    endpoint INTEGER NOT NULL,
    number INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    topic TEXT NOT NULL,
    at INTEGER NOT NULL,
    about INTEGER,
    state TEXT,
    version INTEGER,
    updated_at INTEGER,
    progress TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    delivered_at INTEGER,
    parked_at INTEGER,
    FOREIGN KEY (account, endpoint) REFERENCES endpoints (account, id),
    CONSTRAINT deliveries_shown CHECK (
        (sequence = 0) = (progress IS NULL) AND (progress IS NULL) = (state IS NULL)
        AND (progress IS NULL) = (version IS NULL) AND (progress IS NULL) = (updated_at IS NULL)
    ),
    CONSTRAINT deliveries_stands CHECK (
        (due_at IS NOT NULL) + (delivered_at IS NOT NULL) + (parked_at IS NOT NULL) = 1
    )
) STRICT;

CREATE UNIQUE INDEX deliveries_once ON deliveries (account, endpoint, number, sequence);
CREATE INDEX deliveries_listed ON deliveries (account, at);
CREATE INDEX deliveries_listed_to ON deliveries (account, endpoint, at);
CREATE INDEX deliveries_due ON deliveries (account, endpoint, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_next ON deliveries (due_at, account, endpoint) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_parked ON deliveries (account, at) WHERE parked_at IS NOT NULL;
CREATE INDEX deliveries_parked_to ON deliveries (account, endpoint, at)
WHERE parked_at IS NOT NULL;
CREATE INDEX deliveries_delivered ON deliveries (delivered_at) WHERE delivered_at IS NOT NULL;

CREATE TABLE delivery_attempts (
    id INTEGER PRIMARY KEY,
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id),
    at INTEGER NOT NULL,
    took INTEGER NOT NULL,
    status INTEGER,
    retry_after INTEGER,
    excerpt TEXT,
    failure TEXT,
    CONSTRAINT delivery_attempts_result CHECK ((status IS NULL) = (failure IS NOT NULL))
) STRICT;

CREATE INDEX delivery_attempts_of ON delivery_attempts (delivery_id);

CREATE TRIGGER endpoints_frozen BEFORE UPDATE OF
    account, id, target, topics, description, with_tokens, created_at
ON endpoints BEGIN
    SELECT RAISE(ABORT, 'what was registered is frozen');
END;

CREATE TRIGGER deliveries_frozen BEFORE UPDATE OF
    id, account, endpoint, number, sequence, topic, at, about, state, version, updated_at, progress
ON deliveries BEGIN
    SELECT RAISE(ABORT, 'what is told is frozen');
END;

-- What was not delivered goes with its endpoint alone.
CREATE TRIGGER delivery_attempts_no_update BEFORE UPDATE ON delivery_attempts BEGIN
    SELECT RAISE(ABORT, 'attempts to deliver stay as they were');
END;
