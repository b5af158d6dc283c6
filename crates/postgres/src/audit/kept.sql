-- Lines are numbered from 1 without a gap within their wallet, and every funding is one of them; a
-- gap is a row that was taken away.
SELECT 'wallet ' || w.account || ' in ' || w.currency || ' has ' || count(f.position)
    || ' lines up to ' || coalesce(max(f.position), 0) || ' and counts ' || w.debits + w.credits
    AS line
FROM wallets AS w
LEFT JOIN transfers AS f ON f.account = w.account AND f.currency = w.currency
    AND f.position IS NOT NULL
GROUP BY w.account, w.currency, w.debits, w.credits
HAVING count(f.position) <> w.debits + w.credits
    OR coalesce(max(f.position), 0) <> w.debits + w.credits
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
FROM fundings AS g WHERE g.transfer_id IS NULL
UNION ALL
SELECT 'transfer ' || f.id || ' belongs to transaction ' || f.transaction_id
    || ', which does not exist'
FROM transfers AS f
LEFT JOIN transactions AS t ON t.id = f.transaction_id
WHERE f.transaction_id IS NOT NULL AND t.id IS NULL
UNION ALL
SELECT 'event ' || e.sequence || ' belongs to transaction ' || e.transaction_id
    || ', which does not exist'
FROM events AS e
LEFT JOIN transactions AS t ON t.id = e.transaction_id
WHERE t.id IS NULL
UNION ALL
SELECT 'transaction ' || a.transaction_id || ' has attempt ' || a.number
    || ' both decided and undecided'
FROM attempts AS a GROUP BY a.transaction_id, a.number HAVING count(*) > 1
UNION ALL
-- What was settled from a provider's record is booked, each reference once.
SELECT kind || ' of ' || holder || ' at ' || provider || ' in ' || currency || ': the ledger has '
    || sum(entries) || ' entries and ' || sum(amount) || ' more than the settled references'
FROM (
    SELECT kind, coalesce(debit_holder, '-') COLLATE "C" AS holder, credit_holder COLLATE "C" AS provider, currency COLLATE "C" AS currency, amount, 1 AS entries
    FROM transfers WHERE kind IN ('settlement', 'settlement_loss')
    UNION ALL
    SELECT CASE settlement WHEN 'charged' THEN 'settlement' ELSE 'settlement_loss' END,
        CASE settlement WHEN 'charged' THEN coalesce(payer, account) COLLATE "C" ELSE '-' END, provider COLLATE "C", currency COLLATE "C",
        -amount, -1
    FROM unsettled_references WHERE settlement IN ('charged', 'absorbed') AND amount > 0
) AS booked
GROUP BY kind, holder, provider, currency HAVING sum(amount) <> 0 OR sum(entries) <> 0
UNION ALL
SELECT 'prefunding ' || p.number || ' follows ' || p.previous
FROM (SELECT number, lag(number, 1, 0) OVER (ORDER BY number) AS previous FROM prefundings) AS p
WHERE p.number <> p.previous + 1
