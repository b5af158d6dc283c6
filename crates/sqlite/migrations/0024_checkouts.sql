-- Checkout sessions: collections whose payers read on a page of the gateway what to pay. `items` is
-- what a session sells, as a list in JSON.

ALTER TABLE collections ADD COLUMN redirect TEXT;

ALTER TABLE collections ADD COLUMN items TEXT CONSTRAINT collections_checkout CHECK (
    (kind = 'checkout') = (redirect IS NOT NULL) AND (redirect IS NULL) = (items IS NULL)
);

-- A third kind. A constraint of a table can only be changed in the text of the schema; no row is
-- touched, and every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(
    sql, 'kind IN (''account'', ''invoice'')', 'kind IN (''account'', ''invoice'', ''checkout'')'
)
WHERE type = 'table' AND name = 'collections';

PRAGMA writable_schema = RESET;

CREATE TRIGGER collections_sale_immutable BEFORE UPDATE OF redirect, items ON collections BEGIN
    SELECT RAISE(ABORT, 'collections are append-only');
END;
