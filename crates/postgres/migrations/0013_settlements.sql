-- References that only a provider knew are settled: charged, absorbed, not delivered, or found to
-- be stored again. What was delivered is booked without a transaction, as fundings are.

ALTER TABLE transfers
DROP CONSTRAINT transfers_step,
DROP CONSTRAINT transfers_part,
DROP CONSTRAINT transfers_funding,
ADD CONSTRAINT transfers_step CHECK (
    step = CASE kind
        WHEN 'fund' THEN 0
        WHEN 'hold' THEN 1
        WHEN 'capture' THEN 2
        WHEN 'release' THEN 2
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
        ELSE -1
    END
),
ADD CONSTRAINT transfers_part CHECK (
    part = CASE
        WHEN kind IN ('fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss') THEN id
        ELSE 0
    END
),
ADD CONSTRAINT transfers_funding CHECK (
    (kind IN ('fund', 'settlement', 'settlement_loss')) = (transaction = 0)
);

-- A reference that is none of ours has an empty account and itself in the place of the merchant's.
ALTER TABLE unsettled_references
ADD COLUMN amount bigint,
ADD COLUMN currency text COLLATE "C",
DROP CONSTRAINT unsettled_settlement,
ADD CONSTRAINT unsettled_settlement CHECK (
    settlement IN ('charged', 'absorbed', 'not_delivered', 'reopened')
),
ADD CONSTRAINT unsettled_amount CHECK (amount >= 0),
ADD CONSTRAINT unsettled_booked CHECK (
    (amount IS NOT NULL) = (settlement IS NOT NULL AND settlement IN ('charged', 'absorbed'))
    AND (amount IS NULL) = (currency IS NULL)
);

DROP INDEX unsettled_references_open;
CREATE INDEX unsettled_references_name ON unsettled_references (account, reference);

CREATE TRIGGER unsettled_references_settled_once BEFORE UPDATE ON unsettled_references
FOR EACH ROW WHEN (old.settled_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
