-- Nobody is told what did not happen. A delivery with a sequence of 0 tells of no transaction.
SELECT 'event ' || d.sequence || ' of transaction ' || d.number || ' of ' || d.account
    || ' is told to endpoint ' || d.endpoint || ' as ' || d.topic || ' and is '
    || coalesce(e.kind, 'none of it') AS line
FROM deliveries AS d
LEFT JOIN transactions AS t ON t.account = d.account AND t.number = d.number
LEFT JOIN events AS e ON e.transaction_id = t.id AND e.sequence = d.sequence
WHERE d.sequence <> 0 AND (
    CASE e.kind WHEN 'message_status' THEN 'message.status' ELSE 'transaction.' || e.kind END
    = d.topic
) IS NOT TRUE
UNION ALL
SELECT 'notice ' || d.number || ' of ' || d.account || ' is told to endpoint ' || d.endpoint
    || ', which is not there'
FROM deliveries AS d
LEFT JOIN endpoints AS p ON p.account = d.account AND p.id = d.endpoint
WHERE p.id IS NULL
