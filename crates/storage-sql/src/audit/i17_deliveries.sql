-- No delivery shows what did not happen. One with a sequence of 0 is about no transaction.
SELECT 'event ' || d.sequence || ' of transaction ' || d.number || ' of ' || d.account
    || ' is delivered to endpoint ' || d.endpoint || ' as ' || d.topic || ' and is '
    || coalesce(e.kind, 'none of it') AS line
FROM deliveries AS d
LEFT JOIN transactions AS t ON t.account = d.account AND t.number = d.number
LEFT JOIN events AS e ON e.transaction_id = t.id AND e.sequence = d.sequence
WHERE d.sequence <> 0 AND (
    CASE e.kind WHEN 'message_status' THEN 'message.status' ELSE 'transaction.' || e.kind END
    = d.topic
) IS NOT TRUE
UNION ALL
SELECT 'event ' || d.number || ' of ' || d.account || ' is delivered to endpoint ' || d.endpoint
    || ', which is not there'
FROM deliveries AS d
LEFT JOIN endpoints AS p ON p.account = d.account AND p.id = d.endpoint
WHERE p.id IS NULL
UNION ALL
-- An event that shows a line has its currency, and its place for a number.
SELECT 'event ' || d.number || ' of ' || d.account || ' shows endpoint ' || d.endpoint
    || ' a line that its statement has not: ' || d.shown
FROM deliveries AS d
LEFT JOIN transfers AS f ON f.account = d.account
    AND f.currency = d.currency AND f.position = d.number
WHERE d.shown IS NOT NULL AND (
    d.shown LIKE '%"direction":"' || f.direction || '"%"amount":' || f.amount || ',"currency":"'
        || f.currency || '","available_after":' || f.available_after || ',%'
) IS NOT TRUE
