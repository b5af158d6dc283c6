-- What merchants have is stored, what the gateway's own accounts have is derived: together nothing.
WITH balances AS (
    SELECT currency, available + held AS balance FROM wallets
    UNION ALL
    SELECT currency, amount FROM transfers WHERE credit_kind NOT IN ('available', 'held')
    UNION ALL
    SELECT currency, -amount FROM transfers WHERE debit_kind NOT IN ('available', 'held')
)
SELECT 'all balances in ' || currency || ' together are ' || sum(balance) AS line
FROM balances GROUP BY currency HAVING sum(balance) <> 0
