-- A wallet is the sum of the transfers that touch it, and its statement says the same. Each account
-- has one in each currency, and nothing of one is in another.
WITH legs AS (
    SELECT debit_holder AS holder, currency, debit_kind AS kind, -amount AS amount
    FROM transfers WHERE debit_kind IN ('available', 'held')
    UNION ALL
    SELECT credit_holder, currency, credit_kind, amount
    FROM transfers WHERE credit_kind IN ('available', 'held')
),
booked AS (
    SELECT holder, currency,
        sum(CASE kind WHEN 'available' THEN amount ELSE 0 END) AS available,
        sum(CASE kind WHEN 'held' THEN amount ELSE 0 END) AS held
    FROM legs GROUP BY holder, currency
),
open AS (
    SELECT account, currency, sum(price) AS price
    FROM transactions WHERE state IN ('queued', 'sending', 'in_doubt', 'review')
    GROUP BY account, currency
),
running AS (
    SELECT id, account, currency, direction, position, nth, available_after,
        sum(CASE direction WHEN 'credit' THEN amount ELSE -amount END)
            OVER (PARTITION BY account, currency ORDER BY id) AS available,
        row_number() OVER (PARTITION BY account, currency ORDER BY id) AS place,
        row_number() OVER (PARTITION BY account, currency, direction ORDER BY id)
            AS place_of_direction
    FROM transfers WHERE account IS NOT NULL
),
lines AS (
    SELECT account, currency,
        count(*) FILTER (WHERE direction = 'debit') AS debits,
        count(*) FILTER (WHERE direction = 'credit') AS credits
    FROM running GROUP BY account, currency
)
SELECT 'wallet ' || w.account || ' in ' || w.currency || ': available ' || w.available
    || ', held ' || w.held || '; its transfers leave ' || coalesce(b.available, 0) || ' and '
    || coalesce(b.held, 0) || '; its open transactions cost ' || coalesce(o.price, 0) AS line
FROM wallets AS w
LEFT JOIN booked AS b ON b.holder = w.account AND b.currency = w.currency
LEFT JOIN open AS o ON o.account = w.account AND o.currency = w.currency
WHERE w.available < 0 OR w.held < 0
    OR w.available <> coalesce(b.available, 0)
    OR w.held <> coalesce(b.held, 0)
    OR w.held <> coalesce(o.price, 0)
UNION ALL
SELECT 'wallet ' || w.account || ' in ' || w.currency || ': counts ' || w.debits
    || ' debits and ' || w.credits || ' credits; its statement has ' || coalesce(l.debits, 0)
    || ' and ' || coalesce(l.credits, 0)
FROM wallets AS w
LEFT JOIN lines AS l ON l.account = w.account AND l.currency = w.currency
WHERE w.debits <> coalesce(l.debits, 0) OR w.credits <> coalesce(l.credits, 0)
UNION ALL
SELECT 'transfer ' || id || ': statement line ' || position || ' of ' || account || ' in '
    || currency || ' shows ' || available_after || ' after it; its transfers leave ' || available
FROM running
WHERE available_after <> available OR position <> place OR nth <> place_of_direction
UNION ALL
SELECT 'transfers of ' || coalesce(b.holder, 'no account') || ' in ' || b.currency
    || ' belong to no wallet'
FROM booked AS b
LEFT JOIN wallets AS w ON w.account = b.holder AND w.currency = b.currency
WHERE w.account IS NULL
UNION ALL
SELECT 'transfer ' || id || ': changes what ' || coalesce(debit_holder, credit_holder, 'no account')
    || ' can spend and is on no statement of theirs'
FROM transfers
WHERE (debit_kind = 'available' AND (account, direction) IS DISTINCT FROM (debit_holder, 'debit'))
    OR (credit_kind = 'available'
        AND (account, direction) IS DISTINCT FROM (credit_holder, 'credit'))
