-- What left one account for another arrived there, once and whole; nothing arrived that did not
-- leave, and nothing left the environment of the payer.
SELECT 'transaction ' || t.number || ' of ' || t.account || ' sent ' || o.amount || ' ' || o.currency
    || ' to another account; ' || coalesce(CAST(f.amount AS TEXT), 'nothing') || ' arrived at '
    || coalesce(c.account, 'none') AS line
FROM transfers AS o
JOIN transactions AS t ON t.id = o.transaction_id
LEFT JOIN user_credits AS c ON c.transaction_id = t.id
LEFT JOIN transfers AS f ON f.id = c.transfer_id AND f.kind = 'user_credit'
WHERE o.kind = 'transfer_out' AND o.credit_kind = 'transit' AND (
    f.amount IS DISTINCT FROM o.amount
    OR f.currency IS DISTINCT FROM o.currency
    OR f.credit_holder IS DISTINCT FROM c.account
    OR c.account = t.account
)
UNION ALL
SELECT 'transfer ' || f.id || ' credits ' || coalesce(f.credit_holder, 'no account') || ' ' || f.amount
    || ' ' || f.currency || ', which no transaction sent'
FROM transfers AS f
LEFT JOIN user_credits AS c ON c.transfer_id = f.id
LEFT JOIN transfers AS o ON o.transaction_id = c.transaction_id AND o.kind = 'transfer_out'
    AND o.credit_kind = 'transit'
WHERE f.kind = 'user_credit' AND o.id IS NULL
UNION ALL
SELECT 'transaction ' || t.number || ' of ' || t.account || ' in ' || p.environment || ' paid '
    || a.id || ' in ' || a.environment
FROM user_credits AS c
JOIN transactions AS t ON t.id = c.transaction_id
JOIN accounts AS p ON p.id = t.account
JOIN accounts AS a ON a.id = c.account
WHERE p.environment <> a.environment
