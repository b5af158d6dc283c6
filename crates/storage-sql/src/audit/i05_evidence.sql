-- What is over has evidence; what came before another attempt was disproven.
SELECT 'transaction ' || t.number || ': attempt ' || a.number || ' is ' || a.state
    || ' with evidence ' || coalesce(a.evidence, 'none') AS line
FROM attempts AS a
JOIN transactions AS t ON t.id = a.transaction_id
WHERE a.state IN ('delivered', 'reversed', 'disproven')
    AND (a.evidence IS NULL OR a.ended_at IS NULL)
UNION ALL
SELECT 'transaction ' || t.number || ': attempt ' || a.number || ' follows one that is '
    || coalesce(b.state, 'missing')
FROM attempts AS a
JOIN transactions AS t ON t.id = a.transaction_id
LEFT JOIN attempts AS b ON b.transaction_id = a.transaction_id AND b.number = a.number - 1
WHERE a.number <> 1 AND (b.state = 'disproven' AND a.number = 2) IS NOT TRUE
