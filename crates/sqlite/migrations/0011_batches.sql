-- Many payments of one request. How far a batch has come is where its transactions stand; a batch
-- itself never changes.

CREATE TABLE batches (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    idempotency_key TEXT,
    request_fingerprint BLOB,
    kind TEXT NOT NULL,
    on_failure TEXT NOT NULL CHECK (on_failure IN ('continue', 'stop')),
    payments INTEGER NOT NULL CHECK (payments BETWEEN 1 AND 1000),
    currency TEXT NOT NULL,
    total INTEGER NOT NULL CHECK (total > 0),
    price INTEGER NOT NULL CHECK (price > 0),
    opened_at INTEGER NOT NULL,
    CHECK ((idempotency_key IS NULL) = (request_fingerprint IS NULL)),
    UNIQUE (account, number),
    UNIQUE (account, reference)
) STRICT;

CREATE UNIQUE INDEX batches_key ON batches (account, idempotency_key)
WHERE idempotency_key IS NOT NULL;

CREATE INDEX batches_listed ON batches (account, kind);

CREATE TABLE batch_items (
    batch_id INTEGER NOT NULL REFERENCES batches (id),
    position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 1000),
    transaction_id INTEGER NOT NULL UNIQUE REFERENCES transactions (id),
    PRIMARY KEY (batch_id, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER batches_no_update BEFORE UPDATE ON batches BEGIN
    SELECT RAISE(ABORT, 'batches are append-only');
END;

CREATE TRIGGER batches_no_delete BEFORE DELETE ON batches BEGIN
    SELECT RAISE(ABORT, 'batches are append-only');
END;

CREATE TRIGGER batch_items_no_update BEFORE UPDATE ON batch_items BEGIN
    SELECT RAISE(ABORT, 'batch_items are append-only');
END;

CREATE TRIGGER batch_items_no_delete BEFORE DELETE ON batch_items BEGIN
    SELECT RAISE(ABORT, 'batch_items are append-only');
END;

-- What was queued when a person resumed payments is not sent any more: the file was set back, and
-- may have forgotten that it was cancelled.

ALTER TABLE queue ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 1 CHECK (confirmed IN (0, 1));
