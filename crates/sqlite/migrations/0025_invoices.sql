-- Invoices: what merchants bill, with a number of its own from the moment it is opened. The numbers of
-- an account are 1, 2, 3 and so on. What was paid is not here: it is the sum of the payments of its
-- collection, which has the same account, number and reference.

-- A fourth kind of collection, which is paid for as long as its invoice is open. A constraint of a
-- table can only be changed in the text of the schema; no row is touched, and every row that is there
-- keeps to the wider rules.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(replace(replace(
    sql, 'kind IN (''account'', ''invoice'', ''checkout'')',
    'kind IN (''account'', ''invoice'', ''checkout'', ''bill'')'),
    'amount IS NOT NULL AND expires_at IS NOT NULL',
    'amount IS NOT NULL AND (kind = ''bill'') = (expires_at IS NULL)'),
    '(redirect IS NULL) = (items IS NULL)',
    '(kind IN (''checkout'', ''bill'')) = (items IS NOT NULL)')
WHERE type = 'table' AND name = 'collections';

PRAGMA writable_schema = RESET;

CREATE TABLE invoices (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    customer TEXT NOT NULL,
    email TEXT,
    phone TEXT,
    items TEXT NOT NULL,
    total INTEGER NOT NULL,
    vat INTEGER NOT NULL,
    currency TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    stage TEXT NOT NULL CONSTRAINT invoices_stage CHECK (stage IN ('draft', 'open', 'void')),
    serial INTEGER CONSTRAINT invoices_counted CHECK (serial BETWEEN 1 AND 4294967295),
    opened_at INTEGER,
    version INTEGER NOT NULL CONSTRAINT invoices_version CHECK (version > 0),
    created_at INTEGER NOT NULL,
    CONSTRAINT invoices_number PRIMARY KEY (account, number),
    CONSTRAINT invoices_reference UNIQUE (account, reference),
    CONSTRAINT invoices_serial UNIQUE (account, serial),
    CONSTRAINT invoices_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT invoices_amount CHECK (total > 0 AND vat BETWEEN 0 AND total),
    CONSTRAINT invoices_opened CHECK (
        (serial IS NULL) = (opened_at IS NULL)
        AND (stage = 'void' OR (stage = 'draft') = (serial IS NULL))
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX invoices_created ON invoices (account, created_at, number);

CREATE TRIGGER invoices_immutable BEFORE UPDATE OF
    account, number, reference, customer, email, phone, items, total, vat, currency, due_at, created_at
ON invoices BEGIN
    SELECT RAISE(ABORT, 'what an invoice says is immutable');
END;

CREATE TRIGGER invoices_forward BEFORE UPDATE OF stage, serial, opened_at, version ON invoices
WHEN NEW.version <> OLD.version + 1 OR OLD.stage = 'void' OR NEW.stage = 'draft'
    OR OLD.stage <> 'draft' AND (
        NEW.stage <> 'void' OR NEW.serial IS NOT OLD.serial OR NEW.opened_at IS NOT OLD.opened_at
    )
BEGIN
    SELECT RAISE(ABORT, 'an invoice is opened once and voided once');
END;

CREATE TRIGGER invoices_numbered BEFORE INSERT ON invoices
WHEN NEW.serial IS NOT NULL AND (
    NEW.stage <> 'open'
    OR NEW.serial <> (
        SELECT coalesce(max(serial), 0) + 1 FROM invoices WHERE account = NEW.account
    )
) BEGIN
    SELECT RAISE(ABORT, 'the numbers of invoices have no gap');
END;

CREATE TRIGGER invoices_renumbered BEFORE UPDATE OF serial ON invoices
WHEN OLD.serial IS NULL AND NEW.serial IS NOT NULL AND (
    NEW.stage <> 'open'
    OR NEW.serial <> (
        SELECT coalesce(max(serial), 0) + 1 FROM invoices WHERE account = NEW.account
    )
) BEGIN
    SELECT RAISE(ABORT, 'the numbers of invoices have no gap');
END;

CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices BEGIN
    SELECT RAISE(ABORT, 'invoices are never deleted');
END;

CREATE TRIGGER invoices_no_replace BEFORE INSERT ON invoices
WHEN EXISTS (
    SELECT 1 FROM invoices
    WHERE account = NEW.account
        AND (number = NEW.number OR reference = NEW.reference OR serial = NEW.serial)
) BEGIN
    SELECT RAISE(ABORT, 'invoices are never replaced');
END;
