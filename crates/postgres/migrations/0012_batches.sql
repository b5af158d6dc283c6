-- Many payments of one request. How far a batch has come is where its transactions stand; a batch
-- itself never changes. As with transactions, each index but the first has its account in another
-- collation, so that only what asks for its columns uses it.

CREATE TABLE batches (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C",
    request_fingerprint bytea,
    kind text NOT NULL,
    on_failure text NOT NULL,
    payments integer NOT NULL,
    currency text NOT NULL,
    total bigint NOT NULL,
    price bigint NOT NULL,
    opened_at bigint NOT NULL,
    CONSTRAINT batches_number PRIMARY KEY (account, number),
    CONSTRAINT batches_on_failure CHECK (on_failure IN ('continue', 'stop')),
    CONSTRAINT batches_payments CHECK (payments BETWEEN 1 AND 1000),
    CONSTRAINT batches_amounts CHECK (total > 0 AND price > 0),
    CONSTRAINT batches_request_fingerprint CHECK (
        (idempotency_key IS NULL) = (request_fingerprint IS NULL)
    )
);

CREATE UNIQUE INDEX batches_reference ON batches (account COLLATE "POSIX", reference);

CREATE UNIQUE INDEX batches_key ON batches (account COLLATE ucs_basic, idempotency_key)
WHERE idempotency_key IS NOT NULL;

CREATE TRIGGER batches_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON batches
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE batch_items (
    account text COLLATE "C" NOT NULL,
    batch bigint NOT NULL,
    position smallint NOT NULL,
    transaction bigint NOT NULL,
    CONSTRAINT batch_items_place PRIMARY KEY (account, batch, position),
    CONSTRAINT batch_items_position CHECK (position BETWEEN 1 AND 1000)
);

CREATE UNIQUE INDEX batch_items_once ON batch_items (transaction, account COLLATE "POSIX");

CREATE TRIGGER batch_items_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON batch_items
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE VIEW audit.batches AS
SELECT account || '/' || number AS id, account, number, reference, payments, currency, total, price
FROM batches;

CREATE VIEW audit.batch_items AS
SELECT account || '/' || batch AS batch_id, position, account || '/' || transaction AS transaction_id
FROM batch_items;

-- What was queued when a person resumed payments is not sent any more: the database was set back, and
-- may have forgotten that it was cancelled.

ALTER TABLE queue ADD COLUMN confirmed boolean NOT NULL DEFAULT true;
