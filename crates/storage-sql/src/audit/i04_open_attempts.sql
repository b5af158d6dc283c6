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
