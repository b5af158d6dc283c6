-- The first attempt is recorded when the transaction is opened, a second by its own event. Whether
-- an attempt ended later than it started, or the second later than the first, is not asked: where
-- the clock is set back between two steps, their times say nothing about their order.
WITH announced AS (
    SELECT transaction_id, count(*) AS announcements
    FROM events WHERE kind IN ('opened', 'resent') GROUP BY transaction_id
),
made AS (
    SELECT transaction_id, count(*) AS attempts,
        min(CASE WHEN number = 1 THEN started_at END) AS started_at
    FROM attempts GROUP BY transaction_id
)
SELECT 'transaction ' || t.number || ': ' || coalesce(m.attempts, 0) || ' attempts, '
    || coalesce(e.announcements, 0) || ' announced; opened at ' || t.opened_at
    || ', first started at ' || coalesce(CAST(m.started_at AS TEXT), 'never') AS line
FROM transactions AS t
LEFT JOIN announced AS e ON e.transaction_id = t.id
LEFT JOIN made AS m ON m.transaction_id = t.id
WHERE (m.attempts = e.announcements AND m.started_at = t.opened_at) IS NOT TRUE
