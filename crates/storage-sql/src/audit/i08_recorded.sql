-- The first attempt is recorded when the transaction is opened, a second by its own event.
WITH announced AS (
    SELECT transaction_id, count(*) AS announcements
    FROM events WHERE kind IN ('opened', 'resent') GROUP BY transaction_id
),
made AS (
    SELECT transaction_id, count(*) AS attempts, min(started_at) AS started_at
    FROM attempts GROUP BY transaction_id
)
SELECT 'transaction ' || t.number || ': ' || coalesce(m.attempts, 0) || ' attempts, '
    || coalesce(e.announcements, 0) || ' announced; opened at ' || t.opened_at
    || ', first started at ' || coalesce(CAST(m.started_at AS TEXT), 'never') AS line
FROM transactions AS t
LEFT JOIN announced AS e ON e.transaction_id = t.id
LEFT JOIN made AS m ON m.transaction_id = t.id
WHERE (m.attempts = e.announcements AND m.started_at = t.opened_at) IS NOT TRUE
UNION ALL
SELECT 'transaction ' || t.number || ': attempt ' || a.number || ' ended before it started'
FROM attempts AS a
JOIN transactions AS t ON t.id = a.transaction_id
WHERE a.ended_at < a.started_at
