-- A provider that was never registered belongs to the test environment.
SELECT 'transaction ' || t.number || ' of ' || a.environment || ' account "' || a.id
    || '" has an attempt at ' || coalesce(p.provider, t.provider) || ', a provider of the '
    || coalesce(e.environment, 'test') || ' environment' AS line
FROM attempts AS p
JOIN transactions AS t ON t.id = p.transaction_id
JOIN accounts AS a ON a.id = t.account
LEFT JOIN provider_environments AS e ON e.provider = coalesce(p.provider, t.provider)
WHERE coalesce(e.environment, 'test') <> a.environment
UNION ALL
SELECT a.environment || ' account "' || a.id || '" has the key ' || k.hint
FROM api_keys AS k
JOIN accounts AS a ON a.id = k.account
WHERE substr(k.hint, 1, 8) <> 'mk_' || a.environment || '_'
