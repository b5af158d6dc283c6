-- The numbers of the opened invoices of an account are 1, 2, 3 and so on; what was opened has one,
-- and a draft has none. Each opened invoice has its collection, under its number and reference and of
-- its amount, closed where it is void; and each collection that an invoice makes has its invoice.
SELECT 'invoices of ' || account || ' are numbered ' || min(serial) || ' to ' || max(serial)
    || ', and there are ' || count(*) AS line
FROM invoices WHERE serial IS NOT NULL
GROUP BY account HAVING min(serial) <> 1 OR max(serial) <> count(*)
    OR count(DISTINCT serial) <> count(*)
UNION ALL
SELECT 'invoice ' || number || ' of ' || account || ' is ' || stage || CASE
    WHEN serial IS NULL THEN ' and has no number' ELSE ' and has number ' || serial
END
FROM invoices
WHERE stage = 'open' AND serial IS NULL OR stage = 'draft' AND serial IS NOT NULL
    OR (serial IS NULL) <> (opened_at IS NULL)
UNION ALL
SELECT 'invoice ' || i.number || ' of ' || i.account || CASE
    WHEN c.account IS NULL THEN ' has no collection'
    WHEN c.kind <> 'bill' THEN ' has a collection of kind ' || c.kind
    WHEN c.reference <> i.reference THEN ' has the collection of ' || c.reference
    WHEN c.amount IS NULL OR c.amount <> i.total OR c.currency <> i.currency THEN
        ' has a collection of another amount'
    WHEN c.expires_at IS NOT NULL THEN ' has a collection that ends'
    ELSE ' is ' || i.stage || ' and its collection is ' || c.admission
END
FROM invoices AS i
LEFT JOIN collections AS c ON c.account = i.account AND c.number = i.number
WHERE i.serial IS NOT NULL AND (
    c.account IS NULL OR c.kind <> 'bill' OR c.reference <> i.reference OR c.amount IS NULL
    OR c.amount <> i.total OR c.currency <> i.currency OR c.expires_at IS NOT NULL
    OR c.admission <> CASE i.stage WHEN 'void' THEN 'closed' ELSE 'active' END
)
UNION ALL
SELECT 'collection ' || c.number || ' of ' || c.account || ' is of an invoice that was not opened'
FROM collections AS c
WHERE c.kind = 'bill' AND NOT EXISTS (
    SELECT 1 FROM invoices AS i
    WHERE i.account = c.account AND i.number = c.number AND i.serial IS NOT NULL
)
