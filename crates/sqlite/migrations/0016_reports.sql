-- The transfers that settle money of an account, by time. Setting aside and giving back are none of
-- them, so a payment adds one entry to the index.

CREATE INDEX transfers_settled ON transfers (
    CASE
        WHEN kind IN ('capture', 'transfer_out', 'settlement') THEN debit_holder
        ELSE credit_holder
    END, at
) WHERE kind IN ('capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in');
