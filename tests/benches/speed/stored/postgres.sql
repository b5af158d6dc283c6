-- {each} copies for each account of the one transaction that is there. They are of a provider that
-- is not asked any more, so its book is no part of the audit. They never change again, so no room
-- is left for it.
SET synchronous_commit = off;
SET work_mem = '256MB';
ALTER TABLE transactions SET (fillfactor = 100);

BEGIN;
CREATE TEMPORARY TABLE model AS SELECT * FROM transactions;
CREATE TEMPORARY TABLE paying AS
SELECT w.account, row_number() OVER (ORDER BY w.account) - 1 AS turn, w.available, w.debits,
    w.debits + w.credits AS lines
FROM wallets AS w, model AS m WHERE w.currency = m.currency;

-- Accounts took turns, as they do when they all buy: `nth` is the place among all, from 0.
CREATE TEMPORARY TABLE copies AS
SELECT c.i, p.account, (c.i - 1) * (SELECT count(*) FROM paying) + p.turn AS nth,
    p.available, p.debits, p.lines
FROM generate_series(1, {each}) AS c (i) CROSS JOIN paying AS p
ORDER BY c.i, p.turn;
CREATE TEMPORARY TABLE first AS
SELECT m.number - (SELECT count(*) FROM copies) AS number FROM model AS m;
ANALYZE;

INSERT INTO transactions (
    account, number, reference, idempotency_key, request_fingerprint, service, provider, state, currency,
    amount, price, cost, fee, vat, levy, version, sequence, opened_at, updated_at, purchase,
    progress
)
SELECT c.account, f.number + c.nth, 'stored-' || c.i, m.idempotency_key, m.request_fingerprint, m.service,
    'archive', m.state, m.currency, m.amount, m.price, m.cost, m.fee, m.vat, m.levy, m.version,
    m.sequence, m.opened_at, m.updated_at, m.purchase, m.progress
FROM copies AS c CROSS JOIN model AS m CROSS JOIN first AS f;

INSERT INTO attempts_ended (
    account, transaction, number, state, evidence, provider_reference, started_at, ended_at,
    contradicted_at
)
SELECT c.account, f.number + c.nth, a.number, a.state, a.evidence,
    c.account || '.stored-' || c.i || '.' || a.number, a.started_at, a.ended_at, a.contradicted_at
FROM copies AS c CROSS JOIN first AS f
CROSS JOIN (
    SELECT a.* FROM attempts_ended AS a JOIN model AS m
    ON a.account = m.account AND a.transaction = m.number
) AS a;

INSERT INTO events (account, transaction, sequence, kind, at)
SELECT c.account, f.number + c.nth, e.sequence, e.kind, e.at
FROM copies AS c CROSS JOIN first AS f
CROSS JOIN (
    SELECT e.* FROM events AS e JOIN model AS m
    ON e.account = m.account AND e.transaction = m.number
) AS e;

CREATE TEMPORARY TABLE moved AS
SELECT t.* FROM transfers AS t JOIN model AS m
ON t.account = m.account AND t.transaction = m.number ORDER BY t.step;

INSERT INTO transfers (
    account, transaction, step, part, kind, debit_kind, debit_holder, credit_kind, credit_holder,
    amount, currency, narration, at, direction, position, nth, available_after
)
SELECT c.account, f.number + c.nth, t.step, t.part, t.kind,
    t.debit_kind,
    CASE t.debit_holder WHEN m.account THEN c.account WHEN m.provider THEN 'archive' END,
    t.credit_kind,
    CASE t.credit_holder WHEN m.account THEN c.account WHEN m.provider THEN 'archive' END,
    t.amount, t.currency, t.narration, t.at, t.direction,
    CASE WHEN t.position IS NOT NULL THEN c.lines + c.i END,
    CASE WHEN t.position IS NOT NULL THEN c.debits + c.i END,
    CASE WHEN t.position IS NOT NULL THEN c.available - c.i * m.price END
FROM copies AS c CROSS JOIN model AS m CROSS JOIN first AS f CROSS JOIN moved AS t;

UPDATE wallets SET debits = debits + {each},
    available = available - {each} * (SELECT price FROM model)
WHERE currency = (SELECT currency FROM model);
COMMIT;

DROP TABLE copies;
ALTER TABLE transactions SET (fillfactor = 55);
VACUUM ANALYZE;
CHECKPOINT;
