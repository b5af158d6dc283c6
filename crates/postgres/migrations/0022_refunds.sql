-- Refunds that merchants ask for, and what operators decide of them. A row says nothing of whether
-- the money came back: that is a transfer of the payment. Rows are added and never changed.
--
-- The locks are taken at once, in the order in which a server that is writing takes its own.

LOCK TABLE accounts, transactions, transfers IN ACCESS EXCLUSIVE MODE;

ALTER TABLE transfers DROP CONSTRAINT transfers_step;

-- The rows that are there hold to the stricter rule before: they are not read again.
ALTER TABLE transfers
    ADD CONSTRAINT transfers_step CHECK (
        step = CASE kind
            WHEN 'fund' THEN 0
            WHEN 'hold' THEN 1
            WHEN 'capture' THEN 2
            WHEN 'release' THEN 2
            WHEN 'transfer_out' THEN 2
            WHEN 'margin' THEN 3
            WHEN 'charge' THEN 4
            WHEN 'vat' THEN 5
            WHEN 'levy' THEN 6
            WHEN 'reversal' THEN 7
            WHEN 'margin_reversal' THEN 8
            WHEN 'charge_reversal' THEN 9
            WHEN 'vat_reversal' THEN 10
            WHEN 'levy_reversal' THEN 11
            WHEN 'loss' THEN 12
            WHEN 'loss_reversal' THEN 13
            WHEN 'settlement' THEN 14
            WHEN 'settlement_loss' THEN 15
            WHEN 'cost_difference' THEN 16
            WHEN 'transfer_in' THEN 17
            WHEN 'user_credit' THEN 18
            WHEN 'refund' THEN 19
            WHEN 'refund_reversal' THEN 24
            ELSE -1
        END
    ) NOT VALID;

-- What settles money of an account has two kinds more.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers ((account || ''), at, id)
WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal'
);

-- `payment` is the number of the transaction that is refunded. `forced` is what the reference of a
-- test account decides.
CREATE TABLE refunds (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    original text COLLATE "C" NOT NULL,
    payment bigint NOT NULL,
    amount bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    is_whole boolean NOT NULL,
    reason text NOT NULL,
    forced text COLLATE "C",
    created_at bigint NOT NULL,
    CONSTRAINT refunds_number PRIMARY KEY (account, number),
    CONSTRAINT refunds_reference UNIQUE (account, reference),
    CONSTRAINT refunds_positive CHECK (amount > 0),
    CONSTRAINT refunds_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT refunds_reason CHECK (char_length(reason) BETWEEN 1 AND 200),
    CONSTRAINT refunds_forced CHECK (forced IN ('approved', 'refused'))
);

CREATE INDEX refunds_created ON refunds (account, created_at, number);
CREATE INDEX refunds_payment ON refunds (account, payment);

CREATE TRIGGER refunds_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON refunds
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE refund_decisions (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    verdict text COLLATE "C" NOT NULL,
    decided_by text COLLATE "C" NOT NULL,
    confirmed_by text COLLATE "C",
    at bigint NOT NULL,
    CONSTRAINT refund_decisions_once PRIMARY KEY (account, number),
    CONSTRAINT refund_decisions_refund FOREIGN KEY (account, number)
        REFERENCES refunds (account, number),
    CONSTRAINT refund_decisions_verdict CHECK (verdict IN ('approved', 'refused')),
    CONSTRAINT refund_decisions_second CHECK (confirmed_by <> decided_by)
);

CREATE TRIGGER refund_decisions_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON refund_decisions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
