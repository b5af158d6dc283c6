-- The accounts a transfer may move between follow from its kind and its transaction.
SELECT 'transfer ' || f.id || ': ' || f.kind || ' of ' || f.amount || ' ' || f.currency || ' from '
    || f.debit_kind || ' ' || coalesce(f.debit_holder, '-') || ' to '
    || f.credit_kind || ' ' || coalesce(f.credit_holder, '-')
    || ' for transaction ' || coalesce(CAST(t.number AS TEXT), 'none') AS line
FROM transfers AS f
LEFT JOIN transactions AS t ON t.id = f.transaction_id
-- The sale is the last attempt's, which may be at another provider than the first.
LEFT JOIN attempts AS a ON a.transaction_id = f.transaction_id AND a.number = 2
WHERE (
    f.amount > 0
    AND (f.debit_kind <> f.credit_kind OR f.debit_holder IS DISTINCT FROM f.credit_holder)
    AND (f.transaction_id IS NULL OR f.currency = t.currency OR f.kind = 'transfer_in')
    AND CASE f.kind
        WHEN 'fund' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'funding' AND f.credit_kind = 'available'
        -- What operators correct is no payment in.
        WHEN 'adjustment_credit' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'adjustments' AND f.credit_kind = 'available'
        WHEN 'adjustment_debit' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'available' AND f.credit_kind = 'adjustments'
        WHEN 'hold' THEN f.debit_kind = 'available' AND f.credit_kind = 'held'
            AND f.debit_holder = t.account AND f.credit_holder = t.account
        WHEN 'release' THEN f.debit_kind = 'held' AND f.credit_kind = 'available'
            AND f.debit_holder = t.account AND f.credit_holder = t.account
        WHEN 'unused' THEN f.debit_kind = 'held' AND f.credit_kind = 'available'
            AND f.debit_holder = t.account AND f.credit_holder = t.account
        WHEN 'capture' THEN f.debit_kind = 'held' AND f.credit_kind = 'float'
            AND f.debit_holder = t.account
            AND f.credit_holder = coalesce(a.provider, t.provider)
        WHEN 'reversal' THEN f.debit_kind = 'float' AND f.credit_kind = 'available'
            AND f.debit_holder = coalesce(a.provider, t.provider)
            AND f.credit_holder = t.account
        WHEN 'charge' THEN f.debit_kind = 'float' AND f.credit_kind = 'charges_revenue'
            AND f.debit_holder = coalesce(a.provider, t.provider)
        WHEN 'charge_reversal' THEN f.debit_kind = 'charges_revenue' AND f.credit_kind = 'float'
            AND f.credit_holder = coalesce(a.provider, t.provider)
        WHEN 'vat' THEN f.debit_kind = 'float' AND f.credit_kind = 'vat_payable'
            AND f.debit_holder = coalesce(a.provider, t.provider)
        WHEN 'vat_reversal' THEN f.debit_kind = 'vat_payable' AND f.credit_kind = 'float'
            AND f.credit_holder = coalesce(a.provider, t.provider)
        WHEN 'levy' THEN f.debit_kind = 'float' AND f.credit_kind = 'levy_payable'
            AND f.debit_holder = coalesce(a.provider, t.provider)
        WHEN 'levy_reversal' THEN f.debit_kind = 'levy_payable' AND f.credit_kind = 'float'
            AND f.credit_holder = coalesce(a.provider, t.provider)
        -- Either attempt may have been delivered after all.
        WHEN 'loss' THEN f.debit_kind = 'loss' AND f.credit_kind = 'float'
            AND f.credit_holder IN (t.provider, coalesce(a.provider, t.provider))
        WHEN 'loss_reversal' THEN f.debit_kind = 'float' AND f.credit_kind = 'loss'
            AND f.debit_holder IN (t.provider, coalesce(a.provider, t.provider))
        WHEN 'settlement' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'available' AND f.credit_kind = 'float'
        WHEN 'settlement_loss' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'loss' AND f.credit_kind = 'float'
        -- More than was quoted is borne, less is gained.
        WHEN 'cost_difference' THEN
            (f.debit_kind = 'cost_variance' AND f.credit_kind = 'float'
                AND f.credit_holder IN (t.provider, coalesce(a.provider, t.provider)))
            OR (f.debit_kind = 'float' AND f.credit_kind = 'cost_variance'
                AND f.debit_holder IN (t.provider, coalesce(a.provider, t.provider)))
        -- What the gateway books alone: money is exchanged for credits, or paid to another account.
        WHEN 'transfer_out' THEN t.state = 'booked'
            AND f.debit_kind = 'held' AND f.debit_holder = t.account
            AND f.credit_kind = CASE t.service WHEN 'user' THEN 'transit' ELSE 'credit_sales' END
        WHEN 'user_credit' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'transit' AND f.credit_kind = 'available'
        -- Codes are given money and give it back, each to its own merchant.
        WHEN 'voucher_issue' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'available' AND f.credit_kind = 'vouchers'
            AND f.debit_holder = f.credit_holder
        WHEN 'voucher_restore' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'available' AND f.credit_kind = 'vouchers'
            AND f.debit_holder = f.credit_holder
        WHEN 'voucher_redeem' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'vouchers' AND f.credit_kind = 'available'
            AND f.debit_holder = f.credit_holder
        WHEN 'voucher_return' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'vouchers' AND f.credit_kind = 'available'
            AND f.debit_holder = f.credit_holder
        -- Payments to collections arrive from outside; what is charged for them goes where all
        -- charges go.
        WHEN 'collection' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'collections' AND f.credit_kind = 'available'
        WHEN 'collection_charge' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'available' AND f.credit_kind = 'charges_revenue'
        WHEN 'collection_vat' THEN f.transaction_id IS NULL
            AND f.debit_kind = 'available' AND f.credit_kind = 'vat_payable'
        WHEN 'transfer_in' THEN t.state = 'booked' AND f.currency = 'CRD'
            AND f.debit_kind = 'credit_sales'
            AND f.credit_kind = 'available' AND f.credit_holder = t.account
        -- What was delivered is refunded at the gateway's cost.
        WHEN 'refund' THEN f.debit_kind = 'refunds'
            AND f.credit_kind = 'available' AND f.credit_holder = t.account
        WHEN 'refund_reversal' THEN f.credit_kind = 'refunds'
            AND f.debit_kind = 'available' AND f.debit_holder = t.account
        -- A share is paid the other way where the terms make it negative.
        WHEN 'margin' THEN
            (f.debit_kind = 'float' AND f.debit_holder = coalesce(a.provider, t.provider)
                AND f.credit_kind = 'commission_revenue')
            OR (f.credit_kind = 'float' AND f.credit_holder = coalesce(a.provider, t.provider)
                AND f.debit_kind = 'commission_revenue')
        WHEN 'margin_reversal' THEN
            (f.debit_kind = 'float' AND f.debit_holder = coalesce(a.provider, t.provider)
                AND f.credit_kind = 'commission_revenue')
            OR (f.credit_kind = 'float' AND f.credit_holder = coalesce(a.provider, t.provider)
                AND f.debit_kind = 'commission_revenue')
        ELSE false
    END
) IS NOT TRUE
ORDER BY f.id
