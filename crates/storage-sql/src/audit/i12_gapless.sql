-- Entries are numbered from 1 without a gap; a gap is a row that was taken away.
SELECT 'transfer ' || f.id || ' follows ' || f.previous AS line
FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS previous FROM transfers) AS f
WHERE f.id <> f.previous + 1
UNION ALL
SELECT 'transaction ' || t.number || ' is row ' || t.id || ' and follows ' || t.previous
FROM (SELECT number, id, lag(id, 1, 0) OVER (ORDER BY id) AS previous FROM transactions) AS t
WHERE t.id <> t.previous + 1
UNION ALL
SELECT 'transfer ' || f.id || ' brings money in without a funding'
FROM transfers AS f
LEFT JOIN fundings AS g ON g.transfer_id = f.id AND g.account = f.credit_holder
WHERE f.kind = 'fund' AND g.transfer_id IS NULL
UNION ALL
SELECT 'funding ' || g.reference || ' of ' || g.account || ' is not booked'
FROM fundings AS g
LEFT JOIN transfers AS f ON f.id = g.transfer_id AND f.kind = 'fund'
WHERE f.id IS NULL
