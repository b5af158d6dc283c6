-- Transfers that the gateway books alone. What leaves the hold by one is neither captured nor
-- released.

DROP INDEX transfers_settled_once;

CREATE UNIQUE INDEX transfers_settled_once ON transfers (transaction_id)
WHERE kind IN ('capture', 'release', 'transfer_out');

-- One more state. A constraint of a table can only be changed in the text of the schema; no row is
-- touched, and every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(sql, '''cancelled'')', '''cancelled'', ''booked'')')
WHERE type = 'table' AND name = 'transactions';

PRAGMA writable_schema = RESET;
