-- Operators freeze keys as well, each under a word of its own, so that a merchant does not lift what an
-- operator froze. A constraint of a table can only be changed in the text of the schema; no row is
-- touched, and every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(
    sql, 'CHECK (target = ''key'' OR key = 0)',
    'CHECK (target IN (''key'', ''operator:key'') OR key = 0)'
)
WHERE type = 'table' AND name = 'freezes';

PRAGMA writable_schema = RESET;
