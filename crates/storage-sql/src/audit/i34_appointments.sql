-- No two appointments take the same time of one person or service, but those that share it: of one
-- service, with one beginning and one end, and no more of them than the time is for. What was held is
-- counted until it lapses. No appointment takes more than two days.
SELECT 'appointment ' || a.number || ' of ' || a.account || ' takes time of ' || a.resource
    || ' that appointment ' || b.number || ' takes' AS line
FROM appointments AS a
JOIN appointments AS b ON b.account = a.account AND b.resource = a.resource AND b.number > a.number
    AND b.starts_at < a.busy_until AND b.starts_at > a.starts_at - 172800001
    AND a.starts_at < b.busy_until
    AND b.stage IN ('held', 'booked')
WHERE a.stage IN ('held', 'booked') AND (
    b.service <> a.service OR b.starts_at <> a.starts_at OR b.busy_until <> a.busy_until
)
UNION ALL
SELECT count(*) || ' appointments of ' || account || ' share a time of ' || resource || ' that is for '
    || max(capacity)
FROM appointments
WHERE stage IN ('held', 'booked')
GROUP BY account, resource, service, starts_at, busy_until HAVING count(*) > max(capacity)
