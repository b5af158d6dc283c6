-- The report is found by account and reference, so both must lead somewhere.
SELECT 'transaction ' || t.number || ' under reference "' || t.reference
    || '" belongs to account "' || t.account || '", which does not exist' AS line
FROM transactions AS t
LEFT JOIN accounts AS a ON a.id = t.account
LEFT JOIN wallets AS w ON w.account = a.id
WHERE w.account IS NULL OR t.reference = ''
UNION ALL
SELECT 'attempt ' || a.number || ' belongs to row ' || a.transaction_id || ', which does not exist'
FROM attempts AS a
LEFT JOIN transactions AS t ON t.id = a.transaction_id
WHERE t.id IS NULL
UNION ALL
SELECT 'account ' || a.id || ' has no wallet'
FROM accounts AS a
LEFT JOIN wallets AS w ON w.account = a.id
WHERE w.account IS NULL
