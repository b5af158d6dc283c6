-- A batch is stored with all its payments, which are its account's and in its currency.
SELECT 'batch ' || b.number || ' of ' || b.account || ' has ' || coalesce(s.payments, 0)
    || ' payments of ' || coalesce(s.total, 0) || ' for ' || coalesce(s.price, 0) || ', not '
    || b.payments || ' of ' || b.total || ' for ' || b.price || ', or one in another place' AS line
FROM batches AS b
LEFT JOIN (
    SELECT i.batch_id, count(*) AS payments, sum(t.amount) AS total, sum(t.price) AS price,
        min(i.position) AS first, max(i.position) AS last
    FROM batch_items AS i
    JOIN batches AS o ON o.id = i.batch_id
    JOIN transactions AS t ON t.id = i.transaction_id
        AND t.account = o.account AND t.currency = o.currency
    GROUP BY i.batch_id
) AS s ON s.batch_id = b.id
WHERE coalesce(s.payments, 0) <> b.payments OR s.total <> b.total OR s.price <> b.price
    OR s.first <> 1 OR s.last <> b.payments
UNION ALL
-- No transaction has the reference of a batch.
SELECT 'reference ' || b.reference || ' of ' || b.account || ' is used by a batch and a transaction'
FROM batches AS b JOIN transactions AS t ON t.account = b.account AND t.reference = b.reference
UNION ALL
SELECT 'transaction ' || t.number || ' of ' || t.account || ' is in a batch that is not its account''s'
FROM batch_items AS i
JOIN transactions AS t ON t.id = i.transaction_id
LEFT JOIN batches AS b ON b.id = i.batch_id
WHERE b.id IS NULL OR b.account <> t.account
