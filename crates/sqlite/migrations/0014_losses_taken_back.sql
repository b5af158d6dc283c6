-- A provider may take back what it delivered after the price was given back. The loss that was booked
-- is undone then, once for each attempt.

ALTER TABLE attempts ADD COLUMN taken_back_at INTEGER;

DROP INDEX transfers_once;
CREATE UNIQUE INDEX transfers_once ON transfers (
    transaction_id, kind, CASE WHEN kind IN ('loss', 'loss_reversal') THEN id ELSE 0 END
) WHERE transaction_id IS NOT NULL;
