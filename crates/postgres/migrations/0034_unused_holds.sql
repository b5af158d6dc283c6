-- What is charged by what was used, such as the minutes of a call, leaves a part of its hold unused:
-- one more kind of movement, once per transaction, beside the capture.

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
            WHEN 'voucher_issue' THEN 20
            WHEN 'voucher_redeem' THEN 21
            WHEN 'voucher_return' THEN 22
            WHEN 'voucher_restore' THEN 23
            WHEN 'refund_reversal' THEN 24
            WHEN 'collection' THEN 25
            WHEN 'collection_charge' THEN 26
            WHEN 'collection_vat' THEN 27
            WHEN 'unused' THEN 28
            ELSE -1
        END
    ) NOT VALID;
