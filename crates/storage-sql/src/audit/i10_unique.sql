-- Each name leads to one thing.
SELECT 'reference ' || reference || ' of ' || account || ' is used by ' || count(*)
    || ' transactions' AS line
FROM transactions GROUP BY account, reference HAVING count(*) > 1
UNION ALL
SELECT 'number ' || number || ' of ' || account || ' is used by ' || count(*) || ' transactions'
FROM transactions GROUP BY account, number HAVING count(*) > 1
UNION ALL
SELECT 'idempotency key ' || idempotency_key || ' of ' || account || ' is used by ' || count(*)
    || ' transactions'
FROM transactions WHERE idempotency_key IS NOT NULL
GROUP BY account, idempotency_key HAVING count(*) > 1
UNION ALL
SELECT 'provider reference ' || provider_reference || ' is used by ' || count(*) || ' attempts'
FROM attempts GROUP BY provider_reference HAVING count(*) > 1
UNION ALL
SELECT 'funding reference ' || reference || ' of ' || account || ' is used ' || count(*) || ' times'
FROM fundings GROUP BY account, reference HAVING count(*) > 1
