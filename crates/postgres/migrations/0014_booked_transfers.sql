-- Transfers that the gateway books alone. What leaves the hold by one is neither captured nor
-- released: the three share a step, so the key itself allows one of them, once.
--
-- The locks of this migration and the next are taken at once, in the order in which a server that is
-- writing takes its own: otherwise each could wait for the other.

LOCK TABLE accounts, transactions, transfers IN ACCESS EXCLUSIVE MODE;

ALTER TABLE transactions
    DROP CONSTRAINT transactions_state,
    ADD CONSTRAINT transactions_state CHECK (
        state IN (
            'queued', 'sending', 'in_doubt', 'review', 'successful', 'failed', 'reversed',
            'cancelled', 'booked'
        )
    ) NOT VALID;

ALTER TABLE transfers DROP CONSTRAINT transfers_step;

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
            ELSE -1
        END
    ) NOT VALID;
