-- A funding under the reference of a top-up, 'topup:' with its number, belongs to a top-up of the
-- same account, in its currency.
SELECT 'funding ' || f.reference || ' of ' || f.account || CASE
    WHEN t.account IS NULL THEN ' confirms a top-up that was not announced'
    ELSE ' is not in ' || t.currency || ', in which the top-up was announced'
END AS line
FROM fundings AS f
LEFT JOIN top_ups AS t ON t.account = f.account AND 'topup:' || t.number = f.reference
LEFT JOIN transfers AS m ON m.id = f.transfer_id
WHERE substr(f.reference, 1, 6) = 'topup:'
    AND length(f.reference) > 6
    AND rtrim(substr(f.reference, 7), '0123456789') = ''
    AND (t.account IS NULL OR t.currency IS DISTINCT FROM m.currency)
