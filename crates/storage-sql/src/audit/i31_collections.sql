-- What was paid to collections is what the ledger says of it, each payment once; the charges are its own.
-- What a bank says was recorded by an operator who signed it, and the sandbox pays test accounts alone.
WITH steps AS (
    SELECT 'collection' AS kind, account, currency, at, amount FROM collected_payments
    UNION ALL
    SELECT 'collection_charge', account, currency, at, charge FROM collected_payments
    WHERE charge > 0
    UNION ALL
    SELECT 'collection_vat', account, currency, at, vat FROM collected_payments WHERE vat > 0
),
matched AS (
    SELECT kind, account, currency, at, amount, 1 AS paid, 0 AS booked FROM steps
    UNION ALL
    SELECT kind,
        coalesce(CASE kind WHEN 'collection' THEN credit_holder ELSE debit_holder END, '-'),
        currency, at, amount, 0, 1
    FROM transfers WHERE kind IN ('collection', 'collection_charge', 'collection_vat')
)
SELECT kind || ' of ' || amount || ' ' || currency || ' of ' || account || ' at ' || at
    || ': booked ' || sum(booked) || ' times, for ' || sum(paid) || ' payments' AS line
FROM matched
GROUP BY kind, account, currency, at, amount HAVING sum(booked) <> sum(paid)
UNION ALL
SELECT 'payment ' || p.number || ' to ' || p.account || ' under session ' || p.session
    || ' is recorded as a bank''s, and the log of operators has no such act'
FROM collected_payments AS p
WHERE p.source = 'bank' AND NOT EXISTS (
    SELECT 1 FROM operator_log AS o
    WHERE o.act = 'collection-record' AND o.account = p.account AND o.reference = p.session
        AND o.amount = p.amount AND o.currency = p.currency
)
UNION ALL
SELECT 'payment ' || p.number || ' of source ' || p.source || ' is to ' || p.account
    || ', an account of environment ' || a.environment
FROM collected_payments AS p
JOIN accounts AS a ON a.id = p.account
WHERE (p.source = 'sandbox') <> (a.environment = 'test')
