-- What was given back for a delivered payment was asked for, and approved by operators who signed
-- it. Where the provider took the delivery back afterwards, the refund was taken back with it.
WITH given AS (
    SELECT t.id, t.account, t.number, t.state, f.id AS transfer, f.amount, f.currency, f.at
    FROM transfers AS f
    JOIN transactions AS t ON t.id = f.transaction_id
    WHERE f.kind = 'refund'
),
asked AS (
    SELECT r.account, r.payment, r.reference, r.amount, r.currency, a.environment, d.decided_by,
        d.confirmed_by, coalesce(d.verdict, r.forced) AS verdict, d.verdict AS decided
    FROM refunds AS r
    JOIN accounts AS a ON a.id = r.account
    LEFT JOIN refund_decisions AS d ON d.account = r.account AND d.number = r.number
)
SELECT 'transfer ' || g.transfer || ' gives ' || g.amount || ' ' || g.currency
    || ' back for payment ' || g.number || ' of ' || g.account
    || ' that no approved refund asks for' AS line
FROM given AS g
WHERE NOT EXISTS (
    SELECT 1 FROM asked AS r
    WHERE r.account = g.account AND r.payment = g.number AND r.verdict = 'approved'
        AND r.amount = g.amount AND r.currency = g.currency
)
UNION ALL
SELECT 'refund ' || r.reference || ' of ' || r.account || ' was ' || r.decided || ' by '
    || r.decided_by || coalesce(' and ' || r.confirmed_by, '')
    || ', and the log of operators has no such act of each'
FROM asked AS r
WHERE r.decided IS NOT NULL AND (
    NOT EXISTS (
        SELECT 1 FROM operator_log AS o
        WHERE o.act = CASE r.decided
                WHEN 'approved' THEN 'refund-approve' ELSE 'refund-refuse'
            END
            AND o.account = r.account AND o.reference = r.reference AND o.actor = r.decided_by
            AND o.amount = r.amount AND o.currency = r.currency
    )
    OR r.confirmed_by IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM operator_log AS o
        WHERE o.act = CASE r.decided
                WHEN 'approved' THEN 'refund-approve' ELSE 'refund-refuse'
            END
            AND o.account = r.account AND o.reference = r.reference AND o.actor = r.confirmed_by
            AND o.amount = r.amount AND o.currency = r.currency AND o.approves IS NOT NULL
    )
)
UNION ALL
SELECT 'a reference decides of refund ' || r.reference || ' of live account ' || r.account
FROM refunds AS r
JOIN accounts AS a ON a.id = r.account
WHERE r.forced IS NOT NULL AND a.environment = 'live'
UNION ALL
SELECT 'payment ' || g.number || ' of ' || g.account || ' is ' || g.state || ', was refunded '
    || g.amount || ' and gave ' || coalesce(b.amount, 0) || ' of it back'
FROM given AS g
LEFT JOIN transfers AS b ON b.transaction_id = g.id AND b.kind = 'refund_reversal'
WHERE g.state NOT IN ('successful', 'reversed')
    OR coalesce(b.amount, 0) <> CASE g.state WHEN 'reversed' THEN g.amount ELSE 0 END
UNION ALL
SELECT 'transfer ' || b.id || ' takes a refund back that was not given'
FROM transfers AS b
WHERE b.kind = 'refund_reversal' AND NOT EXISTS (
    SELECT 1 FROM transfers AS f
    WHERE f.transaction_id = b.transaction_id AND f.kind = 'refund'
)
UNION ALL
SELECT 'payment ' || g.number || ' of ' || g.account || ' was refunded ' || g.amount
    || ', more than the ' || (t.price - coalesce(u.amount, 0)) || ' that it was charged'
FROM given AS g
JOIN transactions AS t ON t.id = g.id
LEFT JOIN transfers AS u ON u.transaction_id = t.id AND u.kind = 'unused'
WHERE g.amount > t.price - coalesce(u.amount, 0)
