-- One event per change that anyone but us can see.
WITH reported AS (
    SELECT transaction_id, count(*) AS events, min(sequence) AS first, max(sequence) AS last
    FROM events GROUP BY transaction_id
)
SELECT 'transaction ' || t.number || ' is at sequence ' || t.sequence || ' with '
    || coalesce(e.events, 0) || ' events from ' || coalesce(CAST(e.first AS TEXT), 'none')
    || ' to ' || coalesce(CAST(e.last AS TEXT), 'none') AS line
FROM transactions AS t
LEFT JOIN reported AS e ON e.transaction_id = t.id
WHERE (e.first = 1 AND e.last = t.sequence AND e.events = t.sequence) IS NOT TRUE
UNION ALL
SELECT 'transaction ' || t.number || ' begins with ' || e.kind
FROM transactions AS t
JOIN events AS e ON e.transaction_id = t.id AND e.sequence = 1
WHERE e.kind <> 'opened'
UNION ALL
SELECT 'transaction ' || t.number || ' is opened again by event ' || e.sequence
FROM transactions AS t
JOIN events AS e ON e.transaction_id = t.id
WHERE e.kind = 'opened' AND e.sequence <> 1
