-- Transactions that are paid for and wait for their first attempt, with when they may be sent or
-- claimed again: `leased` says whether that is the end of a lease, `instance` which instance holds
-- it.

CREATE TABLE queue (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    due_at bigint NOT NULL,
    leased boolean NOT NULL DEFAULT false,
    instance bigint,
    CONSTRAINT queue_once PRIMARY KEY (account, transaction)
) WITH (fillfactor = 70);

CREATE INDEX queue_due ON queue (due_at);

CREATE TRIGGER queue_immutable BEFORE UPDATE OF account, transaction ON queue
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER queue_no_truncate BEFORE TRUNCATE ON queue
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE VIEW audit.queue AS
SELECT account || '/' || transaction AS transaction_id, due_at FROM queue;

-- Two more states. Every row that is there keeps to the wider rule, so none is read again.

ALTER TABLE transactions
    DROP CONSTRAINT transactions_state,
    ADD CONSTRAINT transactions_state CHECK (
        state IN (
            'queued', 'sending', 'in_doubt', 'review', 'successful', 'failed', 'reversed',
            'cancelled'
        )
    ) NOT VALID;
