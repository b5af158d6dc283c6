-- Corrections of balances by operators: two more kinds of movement, to and from a ledger account of
-- their own. A correction is recorded beside payments in, under a reference that begins with
-- `adjustment:`; below zero it takes from the wallet.
--
-- The locks are taken at once, in the order in which a server that is writing takes its own.

LOCK TABLE transfers, fundings IN ACCESS EXCLUSIVE MODE;

ALTER TABLE transfers
    DROP CONSTRAINT transfers_step,
    DROP CONSTRAINT transfers_part,
    DROP CONSTRAINT transfers_funding;

-- The rows that are there hold to the stricter rules before: they are not read again.
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
            WHEN 'voucher_issue' THEN 20
            WHEN 'voucher_redeem' THEN 21
            WHEN 'voucher_return' THEN 22
            WHEN 'voucher_restore' THEN 23
            WHEN 'refund_reversal' THEN 24
            WHEN 'collection' THEN 25
            WHEN 'collection_charge' THEN 26
            WHEN 'collection_vat' THEN 27
            WHEN 'unused' THEN 28
            WHEN 'adjustment_credit' THEN 29
            WHEN 'adjustment_debit' THEN 30
            ELSE -1
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_part CHECK (
        part = CASE
            WHEN kind IN (
                'fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss', 'cost_difference',
                'user_credit', 'voucher_issue', 'voucher_redeem', 'voucher_return', 'voucher_restore',
                'collection', 'collection_charge', 'collection_vat', 'adjustment_credit',
                'adjustment_debit'
            ) THEN id
            ELSE 0
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_funding CHECK (
        (kind IN (
            'fund', 'settlement', 'settlement_loss', 'user_credit', 'voucher_issue',
            'voucher_redeem', 'voucher_return', 'voucher_restore', 'collection', 'collection_charge',
            'collection_vat', 'adjustment_credit', 'adjustment_debit'
        )) = (transaction = 0)
    ) NOT VALID;

-- Corrections are in reports of settlement.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers ((account || ''), at, id)
WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal', 'voucher_issue', 'voucher_redeem', 'voucher_return',
    'voucher_restore', 'collection', 'collection_charge', 'collection_vat', 'adjustment_credit',
    'adjustment_debit'
);

CREATE OR REPLACE VIEW audit.fundings AS
SELECT g.account, g.reference, f.id AS transfer_id, g.at
FROM fundings AS g
LEFT JOIN transfers AS f ON f.account = g.account AND f.currency = g.currency
    AND f.position = g.position
    -- A payment in may have such a reference from before there were corrections.
    AND CASE f.kind
        WHEN 'fund' THEN f.amount = g.amount
        WHEN 'adjustment_credit' THEN f.amount = g.amount
            AND substr(g.reference, 1, 11) = 'adjustment:'
        WHEN 'adjustment_debit' THEN f.amount = -g.amount
            AND substr(g.reference, 1, 11) = 'adjustment:'
        ELSE false
    END;
