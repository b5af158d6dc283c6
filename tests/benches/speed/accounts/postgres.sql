-- Copies of the account {first} as it is after it was opened and funded, {count} with itself.
BEGIN;
CREATE TEMPORARY TABLE copies AS
SELECT 'bench-' || i AS copy FROM generate_series(2, {count}) AS i;

INSERT INTO accounts (id, name, status, currency, message_currency, time_zone, opened_at)
SELECT c.copy, c.copy, a.status, a.currency, a.message_currency, a.time_zone, a.opened_at
FROM accounts AS a, copies AS c WHERE a.id = '{first}';

INSERT INTO api_keys (account, id, hint, hash, created_at)
SELECT k.account, 1, 'mk_test_bench', k.hash, 0 FROM (VALUES {keys}) AS k (account, hash);

INSERT INTO wallets (account, currency, available, held, debits, credits)
SELECT c.copy, w.currency, w.available, w.held, w.debits, w.credits
FROM wallets AS w, copies AS c WHERE w.account = '{first}';

INSERT INTO transfers (
    account, transaction, step, part, id, kind, debit_kind, debit_holder, credit_kind,
    credit_holder, amount, currency, narration, at, direction, position, nth, available_after
)
SELECT s.copy, s.transaction, s.step, s.new, s.new, s.kind,
    s.debit_kind, CASE s.debit_holder WHEN '{first}' THEN s.copy ELSE s.debit_holder END,
    s.credit_kind, CASE s.credit_holder WHEN '{first}' THEN s.copy ELSE s.credit_holder END,
    s.amount, s.currency, s.narration, s.at, s.direction, s.position, s.nth, s.available_after
FROM (
    SELECT t.*, c.copy, nextval('transfers_id') AS new
    FROM transfers AS t, copies AS c WHERE t.account = '{first}'
) AS s;

INSERT INTO fundings (account, reference, currency, amount, position, at)
SELECT c.copy, f.reference, f.currency, f.amount, f.position, f.at
FROM fundings AS f, copies AS c WHERE f.account = '{first}';
COMMIT;
ANALYZE;
