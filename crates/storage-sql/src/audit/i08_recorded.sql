-- The first attempt is recorded when the transaction is opened or leaves the queue, a second by its
-- own event; what is queued, left the queue without an attempt or was booked by the gateway alone,
-- has none. Whether an attempt ended later than it started, or the second later than the first, is
-- not asked: where the clock is set back between two steps, their times say nothing about their
-- order.
WITH announced AS (
    SELECT transaction_id,
        count(*) FILTER (WHERE kind = 'resent') AS resent,
        count(*) FILTER (WHERE kind IN ('begun', 'reopened')) AS unqueued,
        -- An attempt that a journal showed began when the journal says.
        max(CASE kind WHEN 'begun' THEN at END) AS began_at,
        max(CASE WHEN kind = 'reopened' THEN 1 ELSE 0 END) AS journalled
    FROM events WHERE kind IN ('opened', 'begun', 'reopened', 'resent') GROUP BY transaction_id
),
made AS (
    SELECT transaction_id, count(*) AS attempts,
        min(CASE WHEN number = 1 THEN started_at END) AS started_at
    FROM attempts GROUP BY transaction_id
)
SELECT 'transaction ' || t.number || ' is ' || t.state || ' with ' || coalesce(m.attempts, 0)
    || ' attempts, ' || coalesce(e.resent, 0) || ' of them announced as a second and '
    || coalesce(e.unqueued, 0) || ' as leaving the queue; opened at ' || t.opened_at
    || ', first started at ' || coalesce(CAST(m.started_at AS TEXT), 'never') AS line
FROM transactions AS t
LEFT JOIN announced AS e ON e.transaction_id = t.id
LEFT JOIN made AS m ON m.transaction_id = t.id
WHERE CASE
    WHEN t.state IN ('queued', 'cancelled', 'booked')
        THEN coalesce(m.attempts, 0) = 0 AND e.resent = 0 AND e.unqueued = 0
    ELSE m.attempts = e.resent + 1 AND e.unqueued <= 1
        AND (m.started_at = CASE e.unqueued WHEN 0 THEN t.opened_at ELSE e.began_at END
            OR e.journalled = 1)
END IS NOT TRUE
