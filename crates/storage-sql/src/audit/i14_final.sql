-- The last final event says what the transaction is.
WITH final AS (
    SELECT transaction_id, sequence, kind
    FROM events WHERE kind IN ('successful', 'failed')
),
-- Grouped once: asked for each receipt, it would read all events for every one of them.
delivered AS (
    SELECT transaction_id, min(sequence) FILTER (WHERE kind = 'successful') AS since,
        min(sequence) FILTER (WHERE kind = 'reversed') AS until
    FROM events WHERE kind IN ('successful', 'reversed')
    GROUP BY transaction_id
)
SELECT 'transaction ' || t.number || ' reports ' || e.kind || ' as event ' || e.sequence
    || ' after ' || f.kind || ' as event ' || f.sequence AS line
FROM final AS f
JOIN transactions AS t ON t.id = f.transaction_id
JOIN events AS e ON e.transaction_id = f.transaction_id AND e.sequence > f.sequence
WHERE e.kind NOT IN ('late_delivered', 'late_reversed')
    AND NOT (f.kind = 'successful' AND e.kind IN ('reversed', 'message_status', 'refunded'))
UNION ALL
SELECT 'transaction ' || t.number || ' reports ' || e.kind || ' as event ' || e.sequence
    || ' and is no message on its way'
FROM events AS e
JOIN transactions AS t ON t.id = e.transaction_id
LEFT JOIN delivered AS d ON d.transaction_id = e.transaction_id
WHERE e.kind = 'message_status' AND (
    t.service NOT IN ('sms', 'whatsapp', 'rcs')
    OR d.since IS NULL OR d.since >= e.sequence OR d.until < e.sequence
)
UNION ALL
SELECT 'transaction ' || t.number || ' reports ' || count(*) FILTER (WHERE e.kind = 'refunded')
    || ' refunds and has ' || (
        SELECT count(*) FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind = 'refund'
    )
FROM events AS e
JOIN transactions AS t ON t.id = e.transaction_id
WHERE e.kind = 'refunded'
GROUP BY t.id, t.number
HAVING count(*) <> (
    SELECT count(*) FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind = 'refund'
)
UNION ALL
SELECT 'transaction ' || t.number || ' was refunded and reports no refund'
FROM transfers AS f
JOIN transactions AS t ON t.id = f.transaction_id
WHERE f.kind = 'refund' AND NOT EXISTS (
    SELECT 1 FROM events AS e WHERE e.transaction_id = t.id AND e.kind = 'refunded'
)
UNION ALL
SELECT 'transaction ' || t.number || ' is ' || t.state || ' but its events say '
    || coalesce(f.kind, 'open')
FROM transactions AS t
LEFT JOIN final AS f ON f.transaction_id = t.id
WHERE CASE t.state
    WHEN 'successful' THEN f.kind
    WHEN 'reversed' THEN f.kind
    WHEN 'failed' THEN f.kind
    WHEN 'cancelled' THEN f.kind
    WHEN 'booked' THEN f.kind
END IS DISTINCT FROM CASE t.state
    WHEN 'successful' THEN 'successful'
    WHEN 'reversed' THEN 'successful'
    WHEN 'failed' THEN 'failed'
    WHEN 'cancelled' THEN 'failed'
    WHEN 'booked' THEN 'successful'
END
UNION ALL
SELECT 'transaction ' || t.number || ' is ' || t.state || ' with '
    || count(*) FILTER (WHERE e.kind = 'reversed') || ' reversals reported and '
    || count(*) FILTER (WHERE e.kind IN ('successful', 'failed')) || ' ends'
FROM transactions AS t
LEFT JOIN events AS e ON e.transaction_id = t.id
GROUP BY t.id, t.number, t.state
HAVING count(*) FILTER (WHERE e.kind = 'reversed')
        <> CASE t.state WHEN 'reversed' THEN 1 ELSE 0 END
    OR count(*) FILTER (WHERE e.kind IN ('successful', 'failed'))
        <> CASE
            WHEN t.state IN ('successful', 'failed', 'reversed', 'cancelled', 'booked') THEN 1
            ELSE 0
        END
