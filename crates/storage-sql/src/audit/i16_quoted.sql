-- Whatever moves the price moves exactly the price; the provider is left with exactly its cost.
SELECT 'transaction ' || t.number || ': ' || f.kind || ' of ' || f.amount || ', quoted at price '
    || t.price || ', fee ' || t.fee || ', cost ' || t.cost AS line
FROM transfers AS f
JOIN transactions AS t ON t.id = f.transaction_id
WHERE f.amount <> CASE
    WHEN f.kind IN ('hold', 'capture', 'release', 'reversal') THEN t.price
    WHEN f.kind IN ('charge', 'charge_reversal') THEN t.fee
    WHEN f.kind = 'loss' THEN t.cost
    ELSE f.amount
END
UNION ALL
SELECT 'transaction ' || number || ' is ' || state || ' and leaves its provider with ' || net
    || ', quoted at cost ' || cost
FROM (
    SELECT t.number, t.state, t.cost,
        coalesce(sum(CASE
            WHEN f.credit_kind = 'float' THEN f.amount
            WHEN f.debit_kind = 'float' THEN -f.amount
        END), 0) AS net
    FROM transactions AS t
    LEFT JOIN transfers AS f ON f.transaction_id = t.id AND f.kind <> 'loss'
    GROUP BY t.id, t.number, t.state, t.cost
) AS left_with
WHERE net <> CASE state WHEN 'successful' THEN cost ELSE 0 END
UNION ALL
SELECT 'transaction ' || t.number || ' has ' || coalesce(l.losses, 0) || ' losses for '
    || coalesce(c.contradicted, 0) || ' contradicted attempts'
FROM transactions AS t
LEFT JOIN (
    SELECT transaction_id, count(*) AS losses
    FROM transfers WHERE kind = 'loss' GROUP BY transaction_id
) AS l ON l.transaction_id = t.id
LEFT JOIN (
    SELECT transaction_id, count(*) AS contradicted
    FROM attempts WHERE contradicted_at IS NOT NULL GROUP BY transaction_id
) AS c ON c.transaction_id = t.id
WHERE coalesce(l.losses, 0) <> CASE WHEN t.cost > 0 THEN coalesce(c.contradicted, 0) ELSE 0 END
