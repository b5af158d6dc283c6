-- Whatever moves the price moves exactly the price, or what is left of it where a part of the hold was
-- not used; the provider is left with exactly its cost, or with a part of it: how much was used, and
-- what that costs, is in the records (I21).
SELECT 'transaction ' || t.number || ': ' || f.kind || ' of ' || f.amount || ', quoted at price '
    || t.price || ', fee ' || t.fee || ', VAT ' || t.vat || ', levy ' || t.levy || ', cost '
    || t.cost || ', unused ' || coalesce(u.amount, 0) AS line
FROM transfers AS f
JOIN transactions AS t ON t.id = f.transaction_id
LEFT JOIN transfers AS u ON u.transaction_id = t.id AND u.kind = 'unused'
WHERE f.amount <> CASE
    WHEN f.kind IN ('hold', 'release', 'transfer_out') THEN t.price
    WHEN f.kind IN ('capture', 'reversal') THEN t.price - coalesce(u.amount, 0)
    WHEN f.kind IN ('charge', 'charge_reversal') THEN t.fee
    WHEN f.kind IN ('vat', 'vat_reversal') THEN t.vat
    WHEN f.kind IN ('levy', 'levy_reversal') THEN t.levy
    WHEN f.kind IN ('loss', 'loss_reversal') THEN t.cost
    ELSE f.amount
END
UNION ALL
SELECT 'transaction ' || number || ' is ' || state || ' and leaves its provider with ' || net
    || ', quoted at cost ' || cost
FROM (
    SELECT t.number, t.state, t.cost, count(*) FILTER (WHERE f.kind = 'unused') AS rests,
        coalesce(sum(CASE
            WHEN f.credit_kind = 'float' THEN f.amount
            WHEN f.debit_kind = 'float' THEN -f.amount
        END), 0) AS net
    FROM transactions AS t
    LEFT JOIN transfers AS f ON f.transaction_id = t.id
        AND f.kind NOT IN ('loss', 'loss_reversal', 'cost_difference')
    GROUP BY t.id, t.number, t.state, t.cost
) AS left_with
WHERE net <> CASE state WHEN 'successful' THEN cost ELSE 0 END
    AND (rests = 0 OR state <> 'successful')
UNION ALL
SELECT 'transaction ' || number || ' is ' || state || ' and keeps ' || fee_kept || ' of fee, '
    || vat_kept || ' of VAT and ' || levy_kept || ' of levy, quoted ' || fee || ', ' || vat
    || ' and ' || levy
FROM (
    SELECT t.number, t.state, t.fee, t.vat, t.levy,
        coalesce(sum(CASE f.kind
            WHEN 'charge' THEN f.amount WHEN 'charge_reversal' THEN -f.amount
        END), 0) AS fee_kept,
        coalesce(sum(CASE f.kind
            WHEN 'vat' THEN f.amount WHEN 'vat_reversal' THEN -f.amount
        END), 0) AS vat_kept,
        coalesce(sum(CASE f.kind
            WHEN 'levy' THEN f.amount WHEN 'levy_reversal' THEN -f.amount
        END), 0) AS levy_kept
    FROM transactions AS t
    LEFT JOIN transfers AS f ON f.transaction_id = t.id
    GROUP BY t.id, t.number, t.state, t.fee, t.vat, t.levy
) AS owed
WHERE fee_kept <> CASE state WHEN 'successful' THEN fee ELSE 0 END
    OR vat_kept <> CASE state WHEN 'successful' THEN vat ELSE 0 END
    OR levy_kept <> CASE state WHEN 'successful' THEN levy ELSE 0 END
UNION ALL
SELECT 'transaction ' || t.number || ' has ' || coalesce(l.losses, 0) || ' losses, '
    || coalesce(l.undone, 0) || ' of them undone, for ' || coalesce(c.contradicted, 0)
    || ' contradicted attempts, ' || coalesce(c.taken_back, 0) || ' of them taken back'
FROM transactions AS t
LEFT JOIN (
    SELECT transaction_id, count(*) FILTER (WHERE kind = 'loss') AS losses,
        count(*) FILTER (WHERE kind = 'loss_reversal') AS undone
    FROM transfers WHERE kind IN ('loss', 'loss_reversal') GROUP BY transaction_id
) AS l ON l.transaction_id = t.id
LEFT JOIN (
    SELECT transaction_id, count(*) AS contradicted, count(taken_back_at) AS taken_back
    FROM attempts WHERE contradicted_at IS NOT NULL GROUP BY transaction_id
) AS c ON c.transaction_id = t.id
WHERE coalesce(l.losses, 0) <> CASE WHEN t.cost > 0 THEN coalesce(c.contradicted, 0) ELSE 0 END
    OR coalesce(l.undone, 0) <> CASE WHEN t.cost > 0 THEN coalesce(c.taken_back, 0) ELSE 0 END
