-- The books as the questions of the audit know them, whatever they are stored in. They are read by
-- audits alone.

CREATE SCHEMA audit;

CREATE VIEW audit.accounts AS SELECT id, name, status, currency, message_currency FROM accounts;

CREATE VIEW audit.wallets AS
SELECT account, currency, available, held, debits, credits FROM wallets;

CREATE VIEW audit.transactions AS
SELECT t.account || '/' || t.number AS id, t.number, t.account, t.reference, t.idempotency_key,
    t.meaning, t.service, t.provider, t.state, t.currency, t.amount, t.price, t.cost, t.fee, t.vat,
    t.levy, t.version, t.sequence, t.opened_at, t.updated_at, a.due_at
FROM transactions AS t
LEFT JOIN attempts_open AS a ON a.account = t.account AND a.transaction = t.number;

CREATE VIEW audit.attempts AS
SELECT account || '/' || transaction AS transaction_id, number, state, NULL AS evidence,
    provider_reference, started_at, NULL::bigint AS ended_at, NULL::bigint AS contradicted_at
FROM attempts_open
UNION ALL
SELECT account || '/' || transaction, number, state, evidence, provider_reference, started_at,
    ended_at, contradicted_at
FROM attempts_ended;

CREATE VIEW audit.events AS
SELECT account || '/' || transaction AS transaction_id, sequence, kind, at FROM events;

CREATE VIEW audit.transfers AS
SELECT id, CASE WHEN transaction <> 0 THEN account || '/' || transaction END AS transaction_id,
    kind, debit_kind, debit_holder, credit_kind, credit_holder, amount, currency, narration, at,
    CASE WHEN position IS NOT NULL THEN account END AS account, direction, position, nth,
    available_after
FROM transfers;

CREATE VIEW audit.fundings AS
SELECT g.account, g.reference, f.id AS transfer_id, g.at
FROM fundings AS g
LEFT JOIN transfers AS f ON f.account = g.account AND f.currency = g.currency
    AND f.position = g.position AND f.kind = 'fund' AND f.amount = g.amount;
