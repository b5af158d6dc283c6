-- Copies of the account {first} as it is after it was opened and funded, {count} with itself.
-- It has one transfer, and transfers are numbered without a gap.
BEGIN;
CREATE TEMPORARY TABLE copies AS
WITH RECURSIVE numbers (i) AS (
    SELECT 2 UNION ALL SELECT i + 1 FROM numbers WHERE i < {count}
)
SELECT 'bench-' || i AS copy, i FROM numbers;

INSERT INTO accounts (id, name, status, currency, message_currency, time_zone, opened_at)
SELECT c.copy, c.copy, a.status, a.currency, a.message_currency, a.time_zone, a.opened_at
FROM accounts AS a, copies AS c WHERE a.id = '{first}';

INSERT INTO api_keys (account, id, hint, hash, created_at)
SELECT k.column1, 1, 'mk_test_bench', k.column2, 0 FROM (VALUES {keys}) AS k;

INSERT INTO wallets (account, currency, available, held, debits, credits)
SELECT c.copy, w.currency, w.available, w.held, w.debits, w.credits
FROM wallets AS w, copies AS c WHERE w.account = '{first}';

INSERT INTO transfers (
    id, transaction_id, kind, debit_kind, debit_holder, credit_kind, credit_holder, amount,
    currency, narration, at, account, direction, position, nth, available_after
)
SELECT t.id + c.i - 1, t.transaction_id, t.kind,
    t.debit_kind, CASE t.debit_holder WHEN '{first}' THEN c.copy ELSE t.debit_holder END,
    t.credit_kind, CASE t.credit_holder WHEN '{first}' THEN c.copy ELSE t.credit_holder END,
    t.amount, t.currency, t.narration, t.at, c.copy, t.direction, t.position, t.nth,
    t.available_after
FROM transfers AS t, copies AS c WHERE t.account = '{first}';

INSERT INTO fundings (account, reference, transfer_id, at)
SELECT c.copy, f.reference, f.transfer_id + c.i - 1, f.at
FROM fundings AS f, copies AS c WHERE f.account = '{first}';
COMMIT;
