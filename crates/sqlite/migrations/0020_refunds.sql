-- Refunds that merchants ask for, and what operators decide of them. A row says nothing of whether
-- the money came back: that is a transfer of the payment. Rows are added and never changed.

-- What settles money of an account has two kinds more.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers (
    CASE
        WHEN kind IN ('capture', 'transfer_out', 'settlement', 'refund_reversal') THEN debit_holder
        ELSE credit_holder
    END, at
) WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal'
);

-- `payment` is the number of the transaction that is refunded. `forced` is what the reference of a
-- test account decides.
CREATE TABLE refunds (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    original TEXT NOT NULL,
    payment INTEGER NOT NULL,
    amount INTEGER NOT NULL CONSTRAINT refunds_positive CHECK (amount > 0),
    currency TEXT NOT NULL,
    is_whole INTEGER NOT NULL CONSTRAINT refunds_whole CHECK (is_whole IN (0, 1)),
    reason TEXT NOT NULL CONSTRAINT refunds_reason CHECK (length(reason) BETWEEN 1 AND 200),
    forced TEXT CONSTRAINT refunds_forced CHECK (forced IN ('approved', 'refused')),
    created_at INTEGER NOT NULL,
    CONSTRAINT refunds_number PRIMARY KEY (account, number),
    CONSTRAINT refunds_reference UNIQUE (account, reference),
    CONSTRAINT refunds_drawn CHECK (number BETWEEN 1 AND 9007199254740991)
) STRICT, WITHOUT ROWID;

CREATE INDEX refunds_created ON refunds (account, created_at, number);
CREATE INDEX refunds_payment ON refunds (account, payment);

CREATE TRIGGER refunds_no_update BEFORE UPDATE ON refunds BEGIN
    SELECT RAISE(ABORT, 'refunds are append-only');
END;

CREATE TRIGGER refunds_no_delete BEFORE DELETE ON refunds BEGIN
    SELECT RAISE(ABORT, 'refunds are append-only');
END;

CREATE TRIGGER refunds_no_replace BEFORE INSERT ON refunds
WHEN EXISTS (
    SELECT 1 FROM refunds
    WHERE account = NEW.account AND (number = NEW.number OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'refunds are append-only');
END;

CREATE TABLE refund_decisions (
    account TEXT NOT NULL,
    number INTEGER NOT NULL,
    verdict TEXT NOT NULL
        CONSTRAINT refund_decisions_verdict CHECK (verdict IN ('approved', 'refused')),
    decided_by TEXT NOT NULL,
    confirmed_by TEXT,
    at INTEGER NOT NULL,
    CONSTRAINT refund_decisions_once PRIMARY KEY (account, number),
    CONSTRAINT refund_decisions_refund FOREIGN KEY (account, number)
        REFERENCES refunds (account, number),
    CONSTRAINT refund_decisions_second CHECK (confirmed_by <> decided_by)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER refund_decisions_no_update BEFORE UPDATE ON refund_decisions BEGIN
    SELECT RAISE(ABORT, 'refund_decisions are append-only');
END;

CREATE TRIGGER refund_decisions_no_delete BEFORE DELETE ON refund_decisions BEGIN
    SELECT RAISE(ABORT, 'refund_decisions are append-only');
END;

CREATE TRIGGER refund_decisions_no_replace BEFORE INSERT ON refund_decisions
WHEN EXISTS (
    SELECT 1 FROM refund_decisions WHERE account = NEW.account AND number = NEW.number
) BEGIN
    SELECT RAISE(ABORT, 'refund_decisions are append-only');
END;
