-- Undecided attempts are in the state their transaction is in.
WITH counted AS (
    SELECT t.number, t.state,
        count(*) FILTER (WHERE a.state IN ('sending', 'in_doubt', 'review')) AS undecided,
        count(*) FILTER (WHERE a.state = t.state) AS alike
    FROM transactions AS t
    LEFT JOIN attempts AS a ON a.transaction_id = t.id
    GROUP BY t.id, t.number, t.state
)
SELECT 'transaction ' || number || ' is ' || state || ' with ' || undecided
    || ' undecided attempts, ' || alike || ' of them ' || state AS line
FROM counted
WHERE CASE
    WHEN state IN ('sending', 'in_doubt', 'review') THEN undecided <> 1 OR alike <> 1
    ELSE undecided <> 0
END
UNION ALL
-- What is queued is in the queue, and nothing else is.
SELECT 'transaction ' || t.number || ' is ' || t.state || ' and '
    || CASE WHEN q.transaction_id IS NULL THEN 'not in the queue' ELSE 'in the queue' END
FROM transactions AS t
LEFT JOIN queue AS q ON q.transaction_id = t.id
WHERE (t.state = 'queued') <> (q.transaction_id IS NOT NULL)
