-- A claim moves `due_at` into the future; a row that stays behind has no owner.
SELECT 'transaction ' || number || ' is ' || state || ' and has been due since ' || due_at AS line
FROM transactions
WHERE due_at < $1
UNION ALL
-- Nothing is put off for longer than an hour, and `$1` is two minutes ago: a clock that was ahead
-- wrote this, and recovery has not brought it forward.
SELECT 'transaction ' || number || ' is ' || state || ' and is not due before ' || due_at
FROM transactions
WHERE due_at > $1 + 3720000
UNION ALL
SELECT 'transaction ' || number || ' is ' || state || ' and will never be looked at'
FROM transactions
WHERE due_at IS NULL AND state IN ('sending', 'in_doubt')
