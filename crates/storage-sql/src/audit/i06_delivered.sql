-- Success is one delivered attempt, and nothing else is.
WITH counted AS (
    SELECT t.number, t.state,
        count(*) FILTER (WHERE a.state = 'delivered') AS delivered,
        count(*) FILTER (WHERE a.state = 'reversed') AS reversed
    FROM transactions AS t
    LEFT JOIN attempts AS a ON a.transaction_id = t.id
    GROUP BY t.id, t.number, t.state
)
SELECT 'transaction ' || number || ' is ' || state || ' with ' || delivered || ' delivered and '
    || reversed || ' reversed attempts' AS line
FROM counted
WHERE delivered <> CASE state WHEN 'successful' THEN 1 ELSE 0 END
    OR reversed <> CASE state WHEN 'reversed' THEN 1 ELSE 0 END
