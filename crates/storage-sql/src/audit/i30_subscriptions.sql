-- A run that is recorded as bought has its payment: under its reference, of the service that the
-- subscription buys, and opened by the gateway. The run in hand of a subscription has a row, every
-- run is one of those that were begun, and no more were bought than the subscription says.
SELECT 'run ' || r.run || ' of subscription ' || r.subscription || ' of ' || r.account || CASE
    WHEN t.account IS NULL THEN ' has no payment ' || r.reference
    WHEN t.service <> s.service THEN ' has a payment of ' || t.service
    ELSE ' has a payment that the gateway did not open for it'
END AS line
FROM subscription_runs AS r
JOIN subscriptions AS s ON s.account = r.account AND s.number = r.subscription
LEFT JOIN transactions AS t ON t.account = r.account AND t.reference = r.reference
WHERE r.state IN ('bought', 'failed')
    AND (
        t.account IS NULL OR t.service <> s.service
        OR t.idempotency_key IS NULL OR substr(t.idempotency_key, 1, 4) <> 'run '
    )
UNION ALL
SELECT 'run ' || r.run || ' of subscription ' || r.subscription || ' of ' || r.account
    || ' is beyond those that were begun' AS line
FROM subscription_runs AS r
JOIN subscriptions AS s ON s.account = r.account AND s.number = r.subscription
WHERE r.run >= s.next_run OR r.run > s.run_limit
UNION ALL
SELECT 'subscription ' || s.number || ' of ' || s.account || ' has lost its run ' || s.open_run
    AS line
FROM subscriptions AS s
WHERE s.open_run IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM subscription_runs AS r
    WHERE r.account = s.account AND r.subscription = s.number AND r.run = s.open_run
)
UNION ALL
SELECT 'subscription ' || s.number || ' of ' || s.account || ' counts ' || s.bought
    || ' runs that were bought' AS line
FROM subscriptions AS s
WHERE s.bought < (
    SELECT count(*) FROM subscription_runs AS r
    WHERE r.account = s.account AND r.subscription = s.number
        AND (r.state IN ('bought', 'failed') OR r.tries > 0)
)
