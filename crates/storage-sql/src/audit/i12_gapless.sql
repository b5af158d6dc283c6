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
SELECT 'transfer ' || f.id || ' corrects a balance and is not recorded as a correction'
FROM transfers AS f
LEFT JOIN fundings AS g ON g.transfer_id = f.id AND substr(g.reference, 1, 11) = 'adjustment:'
    AND g.account = CASE f.kind WHEN 'adjustment_debit' THEN f.debit_holder ELSE f.credit_holder END
WHERE f.kind IN ('adjustment_credit', 'adjustment_debit') AND g.transfer_id IS NULL
UNION ALL
SELECT 'funding ' || g.reference || ' of ' || g.account || ' is not booked'
FROM fundings AS g
LEFT JOIN transfers AS f ON f.id = g.transfer_id
    AND CASE WHEN substr(g.reference, 1, 11) = 'adjustment:'
        THEN f.kind IN ('adjustment_credit', 'adjustment_debit', 'fund') ELSE f.kind = 'fund' END
WHERE f.id IS NULL
UNION ALL
-- What was settled from a provider's record is booked, each reference once.
SELECT kind || ' of ' || holder || ' at ' || provider || ' in ' || currency || ': the ledger has '
    || sum(entries) || ' entries and ' || sum(amount) || ' more than the settled references'
FROM (
    SELECT kind, coalesce(debit_holder, '-') AS holder, credit_holder AS provider, currency AS currency, amount, 1 AS entries
    FROM transfers WHERE kind IN ('settlement', 'settlement_loss')
    UNION ALL
    SELECT CASE settlement WHEN 'charged' THEN 'settlement' ELSE 'settlement_loss' END,
        CASE settlement WHEN 'charged' THEN coalesce(payer, account) ELSE '-' END, provider, currency,
        -amount, -1
    FROM unsettled_references WHERE settlement IN ('charged', 'absorbed') AND amount > 0
) AS booked
GROUP BY kind, holder, provider, currency HAVING sum(amount) <> 0 OR sum(entries) <> 0
UNION ALL
SELECT 'prefunding ' || p.number || ' follows ' || p.previous
FROM (SELECT number, lag(number, 1, 0) OVER (ORDER BY number) AS previous FROM prefundings) AS p
WHERE p.number <> p.previous + 1
