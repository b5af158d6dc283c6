-- Invoices: what merchants bill, with a number of its own from the moment it is opened. The numbers of
-- an account are 1, 2, 3 and so on. What was paid is not here: it is the sum of the payments of its
-- collection, which has the same account, number and reference.

-- A fourth kind of collection, which is paid for as long as its invoice is open.
ALTER TABLE collections
    DROP CONSTRAINT collections_kind,
    DROP CONSTRAINT collections_invoice,
    DROP CONSTRAINT collections_checkout,
    ADD CONSTRAINT collections_kind CHECK (kind IN ('account', 'invoice', 'checkout', 'bill')),
    ADD CONSTRAINT collections_invoice CHECK (
        (kind = 'invoice') = (purpose IS NOT NULL)
        AND (kind = 'account' OR amount IS NOT NULL AND (kind = 'bill') = (expires_at IS NULL))
    ),
    ADD CONSTRAINT collections_checkout CHECK (
        (kind = 'checkout') = (redirect IS NOT NULL)
        AND (kind IN ('checkout', 'bill')) = (items IS NOT NULL)
    );

CREATE TABLE invoices (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    customer text NOT NULL,
    email text,
    phone text,
    items text NOT NULL,
    total bigint NOT NULL,
    vat bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    due_at bigint NOT NULL,
    stage text COLLATE "C" NOT NULL,
    serial bigint,
    opened_at bigint,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT invoices_number PRIMARY KEY (account, number),
    CONSTRAINT invoices_reference UNIQUE (account, reference),
    CONSTRAINT invoices_serial UNIQUE (account, serial),
    CONSTRAINT invoices_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT invoices_stage CHECK (stage IN ('draft', 'open', 'void')),
    CONSTRAINT invoices_counted CHECK (serial BETWEEN 1 AND 4294967295),
    CONSTRAINT invoices_version CHECK (version > 0),
    CONSTRAINT invoices_amount CHECK (total > 0 AND vat BETWEEN 0 AND total),
    CONSTRAINT invoices_opened CHECK (
        (serial IS NULL) = (opened_at IS NULL)
        AND (stage = 'void' OR (stage = 'draft') = (serial IS NULL))
    )
);

CREATE INDEX invoices_created ON invoices (account, created_at, number);

CREATE TRIGGER invoices_immutable BEFORE UPDATE OF account, number, reference, customer, email, phone,
    items, total, vat, currency, due_at, created_at ON invoices
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER invoices_no_delete BEFORE DELETE OR TRUNCATE ON invoices
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- An invoice is opened once and voided once, and is given the number after the last of its account.
CREATE FUNCTION keep_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND (
        NEW.version <> OLD.version + 1 OR OLD.stage = 'void' OR NEW.stage = 'draft'
        OR OLD.stage <> 'draft' AND (
            NEW.stage <> 'void' OR NEW.serial IS DISTINCT FROM OLD.serial
            OR NEW.opened_at IS DISTINCT FROM OLD.opened_at
        )
    ) THEN
        RAISE EXCEPTION 'an invoice is opened once and voided once' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.serial IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.serial IS NULL) AND (
        NEW.stage <> 'open' OR NEW.serial <> (
            SELECT coalesce(max(i.serial), 0) + 1 FROM public.invoices AS i
            WHERE i.account = NEW.account
        )
    ) THEN
        RAISE EXCEPTION 'the numbers of invoices have no gap' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER invoices_forward BEFORE INSERT OR UPDATE ON invoices
FOR EACH ROW EXECUTE FUNCTION keep_invoice();
