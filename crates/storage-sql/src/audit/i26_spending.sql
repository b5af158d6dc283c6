-- What counts against the limit of a day is at least what the payments after its beginning cost that
-- have not failed: less would let an account spend more than its limit. Of the first day that is
-- counted, others may have been accepted at the same moment as the first.
SELECT 'wallet ' || w.account || ' in ' || w.currency || ': counts ' || w.spent
    || ' as spent since ' || w.counted_from || '; its payments since then cost '
    || sum(t.price) AS line
FROM wallets AS w
JOIN transactions AS t ON t.account = w.account AND t.currency = w.currency
    AND t.opened_at > w.counted_from
WHERE t.state NOT IN ('failed', 'cancelled')
GROUP BY w.account, w.currency, w.spent, w.counted_from
HAVING sum(t.price) > w.spent
UNION ALL
SELECT 'wallet ' || account || ' in ' || currency || ': counts ' || spent || ' as spent'
FROM wallets WHERE spent < 0
