-- Transactions that are paid for and wait for their first attempt, with when they may be sent or
-- claimed again. Whether `due_at` is the end of a lease says `leased`.

CREATE TABLE queue (
    transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id),
    due_at INTEGER NOT NULL,
    leased INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX queue_due ON queue (due_at);

CREATE TRIGGER queue_immutable BEFORE UPDATE OF transaction_id ON queue BEGIN
    SELECT RAISE(ABORT, 'a place in the queue is of one transaction');
END;

-- Two more states. A constraint of a table can only be changed in the text of the schema; no row is
-- touched, and every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(
    sql,
    'state IN (''sending'', ''in_doubt'', ''review'', ''successful'', ''failed'', ''reversed'')',
    'state IN (''queued'', ''sending'', ''in_doubt'', ''review'', ''successful'', ''failed'', ''reversed'',
            ''cancelled'')'
)
WHERE type = 'table' AND name = 'transactions';

PRAGMA writable_schema = RESET;
