-- Corrections of balances by operators: two more kinds of movement, to and from a ledger account of
-- their own. A correction is recorded beside payments in, under a reference that begins with
-- `adjustment:`.

-- A constraint of a table can only be changed in the text of the schema; no row is touched, and
-- every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(
    sql, ' ''collection_charge'', ''collection_vat'')',
    ' ''collection_charge'', ''collection_vat'', ''adjustment_credit'','
    || ' ''adjustment_debit'')'
)
WHERE type = 'table' AND name = 'transfers';

PRAGMA writable_schema = RESET;

-- Corrections are in reports of settlement.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers (
    CASE
        WHEN kind IN ('capture', 'transfer_out', 'settlement', 'refund_reversal',
            'collection_charge', 'collection_vat', 'adjustment_debit') THEN debit_holder
        ELSE credit_holder
    END, at
) WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal', 'voucher_issue', 'voucher_redeem', 'voucher_return',
    'voucher_restore', 'collection', 'collection_charge', 'collection_vat', 'adjustment_credit',
    'adjustment_debit'
);
