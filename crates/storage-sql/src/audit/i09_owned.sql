-- The report is found by account and reference, so both must lead somewhere.
SELECT 'transaction ' || t.number || ' under reference "' || t.reference
    || '" belongs to account "' || t.account || '", which has no wallet in ' || t.currency AS line
FROM transactions AS t
LEFT JOIN accounts AS a ON a.id = t.account
LEFT JOIN wallets AS w ON w.account = a.id AND w.currency = t.currency
WHERE w.account IS NULL OR t.reference = ''
UNION ALL
SELECT 'attempt ' || a.number || ' belongs to row ' || a.transaction_id || ', which does not exist'
FROM attempts AS a
LEFT JOIN transactions AS t ON t.id = a.transaction_id
WHERE t.id IS NULL
UNION ALL
SELECT 'account ' || c.id || ' has no wallet in ' || c.currency
FROM (
    SELECT id, currency FROM accounts UNION SELECT id, message_currency FROM accounts
) AS c
LEFT JOIN wallets AS w ON w.account = c.id AND w.currency = c.currency
WHERE w.account IS NULL
