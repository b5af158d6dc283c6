-- {each} copies for each account of the one transaction that is there. They are of a provider that
-- is not asked any more, so its book is no part of the audit.
BEGIN;
CREATE TEMPORARY TABLE model AS SELECT * FROM transactions;
CREATE TEMPORARY TABLE paying AS
SELECT w.account, row_number() OVER (ORDER BY w.account) - 1 AS turn, w.available, w.debits,
    w.debits + w.credits AS lines
FROM wallets AS w, model AS m WHERE w.currency = m.currency;

-- Accounts took turns, as they do when they all buy: `nth` is the place among all, from 0.
CREATE TEMPORARY TABLE copies AS
WITH RECURSIVE counted (i) AS (
    SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < {each}
)
SELECT c.i, p.account, (c.i - 1) * (SELECT count(*) FROM paying) + p.turn AS nth,
    p.available, p.debits, p.lines
FROM counted AS c CROSS JOIN paying AS p;

INSERT INTO transactions (
    id, number, account, reference, idempotency_key, request_fingerprint, service, provider, state, currency,
    amount, price, cost, fee, vat, levy, version, sequence, opened_at, updated_at, due_at, leased,
    purchase, progress
)
SELECT m.id + c.nth + 1, m.number - (SELECT count(*) FROM copies) + c.nth, c.account,
    'stored-' || c.i, m.idempotency_key, m.request_fingerprint, m.service, 'archive', m.state, m.currency,
    m.amount, m.price, m.cost, m.fee, m.vat, m.levy, m.version, m.sequence, m.opened_at,
    m.updated_at, m.due_at, m.leased, m.purchase, m.progress
FROM copies AS c CROSS JOIN model AS m;

INSERT INTO attempts (
    transaction_id, number, state, evidence, provider_reference, started_at, ended_at,
    contradicted_at
)
SELECT m.id + c.nth + 1, a.number, a.state, a.evidence,
    c.account || '.stored-' || c.i || '.' || a.number, a.started_at, a.ended_at, a.contradicted_at
FROM copies AS c CROSS JOIN model AS m
CROSS JOIN (SELECT * FROM attempts WHERE transaction_id = (SELECT id FROM model)) AS a;

INSERT INTO events (transaction_id, sequence, kind, at)
SELECT m.id + c.nth + 1, e.sequence, e.kind, e.at
FROM copies AS c CROSS JOIN model AS m
CROSS JOIN (SELECT * FROM events WHERE transaction_id = (SELECT id FROM model)) AS e;

CREATE TEMPORARY TABLE moved AS
SELECT *, row_number() OVER (ORDER BY id) AS turn
FROM transfers WHERE transaction_id = (SELECT id FROM model);
CREATE TEMPORARY TABLE last AS SELECT max(id) AS id, (SELECT count(*) FROM moved) AS each
FROM transfers;

INSERT INTO transfers (
    id, transaction_id, kind, debit_kind, debit_holder, credit_kind, credit_holder, amount,
    currency, narration, at, account, direction, position, nth, available_after
)
SELECT l.id + c.nth * l.each + t.turn, m.id + c.nth + 1, t.kind,
    t.debit_kind,
    CASE t.debit_holder WHEN m.account THEN c.account WHEN m.provider THEN 'archive' END,
    t.credit_kind,
    CASE t.credit_holder WHEN m.account THEN c.account WHEN m.provider THEN 'archive' END,
    t.amount, t.currency, t.narration, t.at,
    CASE WHEN t.account IS NOT NULL THEN c.account END, t.direction,
    CASE WHEN t.account IS NOT NULL THEN c.lines + c.i END,
    CASE WHEN t.account IS NOT NULL THEN c.debits + c.i END,
    CASE WHEN t.account IS NOT NULL THEN c.available - c.i * m.price END
FROM copies AS c CROSS JOIN model AS m CROSS JOIN moved AS t CROSS JOIN last AS l;

UPDATE wallets SET debits = debits + {each},
    available = available - {each} * (SELECT price FROM model)
WHERE currency = (SELECT currency FROM model);
COMMIT;
