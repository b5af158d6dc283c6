-- The transfers that settle money of an account, by time. Setting aside and giving back are none of
-- them, so a payment adds one entry to the index. The account is an expression in it, so that it
-- serves the one statement which has it so: any other finds a transfer by its key.

CREATE INDEX transfers_settled ON transfers ((account || ''), at, id)
WHERE kind IN ('capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in');
