-- References that only a provider knew are settled: charged, absorbed, not delivered, or found to
-- be stored again. What was delivered is booked without a transaction, so the ledger takes entries
-- of two more kinds that have none. A constraint cannot be changed in place: the ledger is copied.

DROP TRIGGER transfers_no_update;
DROP TRIGGER transfers_no_delete;
DROP TRIGGER fundings_no_update;
DROP TRIGGER fundings_no_delete;
DROP INDEX transfers_once;
DROP INDEX transfers_settled_once;
DROP INDEX transfers_position;
DROP INDEX transfers_nth;
DROP INDEX fundings_reference;
DROP INDEX fundings_transfer;
ALTER TABLE fundings RENAME TO fundings_before;
ALTER TABLE transfers RENAME TO transfers_before;

CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    transaction_id INTEGER REFERENCES transactions (id),
    kind TEXT NOT NULL,
    debit_kind TEXT NOT NULL,
    debit_holder TEXT,
    credit_kind TEXT NOT NULL,
    credit_holder TEXT,
    amount INTEGER NOT NULL CONSTRAINT transfers_amount CHECK (amount > 0),
    currency TEXT NOT NULL,
    narration TEXT,
    at INTEGER NOT NULL,
    -- The line on a merchant's statement, where the transfer changes what can be spent: whose,
    -- which way, which line of all and of its direction, and what can be spent after it.
    account TEXT REFERENCES accounts (id),
    direction TEXT CONSTRAINT transfers_direction CHECK (direction IN ('debit', 'credit')),
    position INTEGER,
    nth INTEGER,
    available_after INTEGER,
    CONSTRAINT transfers_kind CHECK (
        (kind IN ('fund', 'settlement', 'settlement_loss')) = (transaction_id IS NULL)
    ),
    CONSTRAINT transfers_legs CHECK (
        debit_kind <> credit_kind OR debit_holder IS NOT credit_holder
    ),
    CONSTRAINT transfers_line CHECK (
        (account IS NULL) = (direction IS NULL)
        AND (account IS NULL) = (position IS NULL)
        AND (account IS NULL) = (nth IS NULL)
        AND (account IS NULL) = (available_after IS NULL)
    )
) STRICT;

INSERT INTO transfers (
    id, transaction_id, kind, debit_kind, debit_holder, credit_kind, credit_holder, amount,
    currency, narration, at, account, direction, position, nth, available_after
)
SELECT
    id, transaction_id, kind, debit_kind, debit_holder, credit_kind, credit_holder, amount,
    currency, narration, at, account, direction, position, nth, available_after
FROM transfers_before ORDER BY id;

CREATE TABLE fundings (
    account TEXT NOT NULL REFERENCES accounts (id),
    reference TEXT NOT NULL,
    transfer_id INTEGER NOT NULL REFERENCES transfers (id),
    at INTEGER NOT NULL
) STRICT;

INSERT INTO fundings (account, reference, transfer_id, at)
SELECT account, reference, transfer_id, at FROM fundings_before ORDER BY rowid;

DROP TABLE fundings_before;
DROP TABLE transfers_before;

-- Each kind of movement happens once per transaction; only losses, and what is taken back of them,
-- may be booked for both attempts.
CREATE UNIQUE INDEX transfers_once ON transfers (
    transaction_id, kind, CASE WHEN kind IN ('loss', 'loss_reversal') THEN id ELSE 0 END
) WHERE transaction_id IS NOT NULL;
-- A price set aside is earned or given back, never both.
CREATE UNIQUE INDEX transfers_settled_once ON transfers (transaction_id)
WHERE kind IN ('capture', 'release');
CREATE UNIQUE INDEX transfers_position ON transfers (account, currency, position)
WHERE account IS NOT NULL;
CREATE UNIQUE INDEX transfers_nth ON transfers (account, currency, direction, nth)
WHERE account IS NOT NULL;
CREATE UNIQUE INDEX fundings_reference ON fundings (account, reference);
CREATE UNIQUE INDEX fundings_transfer ON fundings (transfer_id);

CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;

CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;

CREATE TRIGGER fundings_no_update BEFORE UPDATE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;

CREATE TRIGGER fundings_no_delete BEFORE DELETE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;

DROP TRIGGER unsettled_references_no_delete;
DROP TRIGGER unsettled_references_frozen;
DROP INDEX unsettled_references_open;
ALTER TABLE unsettled_references RENAME TO unsettled_references_before;

-- References that a provider knows and this file does not: nothing is opened under them until each
-- is settled, and never again where a delivery was booked. A reference that is none of ours has an
-- empty account and itself in the place of the merchant's.
CREATE TABLE unsettled_references (
    provider_reference TEXT NOT NULL PRIMARY KEY,
    provider TEXT NOT NULL,
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    settled_at INTEGER,
    settled_by TEXT,
    settlement TEXT CONSTRAINT unsettled_settlement CHECK (
        settlement IN ('charged', 'absorbed', 'not_delivered', 'reopened')
    ),
    amount INTEGER CONSTRAINT unsettled_amount CHECK (amount >= 0),
    currency TEXT,
    CONSTRAINT unsettled_settled CHECK (
        (settled_at IS NULL) = (settled_by IS NULL) AND (settled_at IS NULL) = (settlement IS NULL)
    ),
    CONSTRAINT unsettled_booked CHECK (
        (amount IS NOT NULL) = (settlement IS NOT NULL AND settlement IN ('charged', 'absorbed'))
        AND (amount IS NULL) = (currency IS NULL)
    )
) STRICT, WITHOUT ROWID;

INSERT INTO unsettled_references (
    provider_reference, provider, account, reference, noted_at, settled_at, settled_by, settlement
)
SELECT
    provider_reference, provider, account, reference, noted_at, settled_at, settled_by, settlement
FROM unsettled_references_before;

DROP TABLE unsettled_references_before;

CREATE INDEX unsettled_references_name ON unsettled_references (account, reference);

CREATE TRIGGER unsettled_references_no_delete BEFORE DELETE ON unsettled_references BEGIN
    SELECT RAISE(ABORT, 'references to settle are never deleted');
END;

CREATE TRIGGER unsettled_references_frozen BEFORE UPDATE OF
    provider_reference, provider, account, reference, noted_at
ON unsettled_references BEGIN
    SELECT RAISE(ABORT, 'what a provider knows is frozen');
END;

CREATE TRIGGER unsettled_references_settled_once BEFORE UPDATE ON unsettled_references
WHEN OLD.settled_at IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'a reference is settled once');
END;
