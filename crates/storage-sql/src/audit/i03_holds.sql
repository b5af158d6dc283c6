-- Money is set aside once and leaves the hold once.
WITH moved AS (
    SELECT t.number, t.state, t.service,
        count(*) FILTER (WHERE f.kind = 'hold') AS holds,
        count(*) FILTER (WHERE f.kind = 'capture') AS captures,
        count(*) FILTER (WHERE f.kind = 'release') AS releases,
        count(*) FILTER (WHERE f.kind = 'unused') AS rests,
        count(*) FILTER (WHERE f.kind = 'reversal') AS reversals,
        count(*) FILTER (WHERE f.kind = 'transfer_out') AS outs,
        count(*) FILTER (WHERE f.kind = 'transfer_in') AS ins
    FROM transactions AS t
    LEFT JOIN transfers AS f ON f.transaction_id = t.id
    GROUP BY t.id, t.number, t.state, t.service
)
SELECT 'transaction ' || number || ' is ' || state || ' with ' || holds || ' holds, '
    || captures || ' captures, ' || releases || ' releases, ' || reversals || ' reversals, '
    || outs || ' transfers out and ' || ins || ' in, ' || rests || ' unused' AS line
FROM moved
WHERE holds <> 1
    OR captures <> CASE WHEN state IN ('successful', 'reversed') THEN 1 ELSE 0 END
    OR rests > captures
    OR releases <> CASE WHEN state IN ('failed', 'cancelled') THEN 1 ELSE 0 END
    OR reversals <> CASE state WHEN 'reversed' THEN 1 ELSE 0 END
    OR outs <> CASE state WHEN 'booked' THEN 1 ELSE 0 END
    OR ins <> CASE WHEN state = 'booked' AND service <> 'user' THEN 1 ELSE 0 END
