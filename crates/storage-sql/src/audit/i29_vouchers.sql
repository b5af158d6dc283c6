-- What codes hold is in the ledger account `vouchers` of their merchant, and in no other place. Each
-- movement there is that of one step, and each step left its code as it should be.
WITH money AS (
    SELECT account, number, currency, amount, issued, created_at FROM voucher_batches
    WHERE kind IN ('voucher', 'giftcard')
),
steps AS (
    SELECT 'voucher_issue' AS kind, account, currency, created_at AS at, amount * issued AS amount
    FROM money
    UNION ALL
    SELECT 'voucher_redeem', r.account, m.currency, r.at, r.discount
    FROM voucher_redemptions AS r
    JOIN money AS m ON m.account = r.account AND m.number = r.batch
    UNION ALL
    SELECT 'voucher_return', r.account, m.currency, r.at, r.returned
    FROM voucher_redemptions AS r
    JOIN money AS m ON m.account = r.account AND m.number = r.batch
    WHERE r.returned > 0
    UNION ALL
    SELECT 'voucher_return', x.account, m.currency, x.at, x.returned
    FROM voucher_voids AS x
    JOIN money AS m ON m.account = x.account AND m.number = x.batch
    WHERE x.returned > 0
    UNION ALL
    SELECT 'voucher_restore', k.account, m.currency, k.at, r.discount + r.returned
    FROM voucher_rollbacks AS k
    JOIN voucher_redemptions AS r ON r.account = k.account AND r.reference = k.original
    JOIN money AS m ON m.account = r.account AND m.number = r.batch
),
matched AS (
    SELECT kind, account, currency, at, amount, 1 AS stepped, 0 AS booked FROM steps
    UNION ALL
    SELECT kind, coalesce(debit_holder, '-'), currency, at, amount, 0, 1 FROM transfers
    WHERE debit_kind = 'vouchers' OR credit_kind = 'vouchers'
),
held AS (
    SELECT v.account, b.currency, v.balance
    FROM vouchers AS v
    JOIN voucher_batches AS b ON b.account = v.account AND b.number = v.batch
    UNION ALL
    SELECT debit_holder, currency, amount FROM transfers WHERE debit_kind = 'vouchers'
    UNION ALL
    SELECT credit_holder, currency, -amount FROM transfers WHERE credit_kind = 'vouchers'
),
used AS (
    SELECT r.account, r.batch, r.position, count(*) AS uses, sum(r.discount + r.returned) AS amount
    FROM voucher_redemptions AS r
    LEFT JOIN voucher_rollbacks AS k ON k.account = r.account AND k.original = r.reference
    WHERE k.account IS NULL
    GROUP BY r.account, r.batch, r.position
)
SELECT kind || ' of ' || amount || ' ' || currency || ' of ' || account || ' at ' || at
    || ': booked ' || sum(booked) || ' times, for ' || sum(stepped) || ' steps of codes' AS line
FROM matched
GROUP BY kind, account, currency, at, amount HAVING sum(booked) <> sum(stepped)
UNION ALL
SELECT 'codes of ' || account || ' in ' || currency || ' hold ' || sum(balance)
    || ' more than the ledger says'
FROM held
GROUP BY account, currency HAVING sum(balance) <> 0
UNION ALL
SELECT 'code ' || v.batch || '-' || v.position || ' of ' || v.account || ' holds ' || v.balance
    || ' and may be used ' || coalesce(CAST(v.uses_left AS TEXT), 'any number of')
    || ' times, which its steps do not leave'
FROM vouchers AS v
JOIN voucher_batches AS b ON b.account = v.account AND b.number = v.batch
LEFT JOIN used AS u ON u.account = v.account AND u.batch = v.batch AND u.position = v.position
LEFT JOIN voucher_voids AS x ON x.account = v.account AND x.batch = v.batch
    AND x.position = v.position
WHERE v.balance <> CASE
        WHEN b.kind NOT IN ('voucher', 'giftcard') THEN 0
        ELSE b.amount - coalesce(u.amount, 0) - coalesce(x.returned, 0)
    END
    OR (b.uses IS NULL) <> (v.uses_left IS NULL)
    OR v.uses_left <> b.uses - coalesce(u.uses, 0)
    OR (x.account IS NOT NULL AND v.balance <> 0)
UNION ALL
SELECT 'batch ' || b.number || ' of ' || b.account || ' was made with ' || b.issued
    || ' codes and has ' || count(v.account)
FROM voucher_batches AS b
LEFT JOIN vouchers AS v ON v.account = b.account AND v.batch = b.number
GROUP BY b.account, b.number, b.issued HAVING count(v.account) <> b.issued
UNION ALL
SELECT 'redemption ' || r.reference || ' of ' || r.account || ' lowers payment ' || r.target
    || ', which is not noted as it should be'
FROM voucher_redemptions AS r
LEFT JOIN voucher_rollbacks AS k ON k.account = r.account AND k.original = r.reference
LEFT JOIN voucher_targets AS t ON t.account = r.account AND t.redemption = r.reference
    AND t.target = r.target
WHERE r.target IS NOT NULL AND (k.account IS NULL) <> (t.account IS NOT NULL)
UNION ALL
SELECT 'payment ' || t.target || ' of ' || t.account || ' is noted as lowered by '
    || t.redemption || ', which lowers another or none'
FROM voucher_targets AS t
LEFT JOIN voucher_redemptions AS r ON r.account = t.account AND r.reference = t.redemption
WHERE r.target IS DISTINCT FROM t.target
