-- What the journals that lie outside the database say of it, and what persons decided about
-- references that a provider knows and the database does not.

-- `suspension` rises whenever payments are suspended; `clearance` is what ends it: the journals, a
-- person, or the records of the providers. Their words stand in this order.
ALTER TABLE generation ADD COLUMN suspension bigint NOT NULL DEFAULT 0;
ALTER TABLE generation ADD COLUMN clearance text NOT NULL DEFAULT 'journals'
CONSTRAINT generation_clearance CHECK (clearance IN ('journals', 'person', 'records'));
UPDATE generation SET clearance = 'records' WHERE held_since IS NOT NULL;

-- The attempt journals, one of each instance. `compared` is the number of the last suspension after
-- which the journal was compared with the database, `missing` how many of its attempts had no row.
CREATE TABLE journals (
    id text COLLATE "C" NOT NULL,
    registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    compared bigint,
    missing bigint NOT NULL DEFAULT 0,
    CONSTRAINT journals_id PRIMARY KEY (id)
);

-- Nothing is opened under these references until each is settled.
CREATE TABLE unsettled_references (
    provider_reference text COLLATE "C" NOT NULL,
    provider text NOT NULL,
    account text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    settled_at timestamptz,
    settled_by text,
    settlement text,
    CONSTRAINT unsettled_references_once PRIMARY KEY (provider_reference),
    CONSTRAINT unsettled_settlement CHECK (settlement IN ('charged', 'absorbed', 'not_delivered')),
    CONSTRAINT unsettled_settled CHECK (
        (settled_at IS NULL) = (settled_by IS NULL) AND (settled_at IS NULL) = (settlement IS NULL)
    )
);

CREATE INDEX unsettled_references_open ON unsettled_references (account, reference)
WHERE settled_at IS NULL;

CREATE TRIGGER unsettled_references_kept BEFORE DELETE OR TRUNCATE ON unsettled_references
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER unsettled_references_frozen BEFORE UPDATE OF
    provider_reference, provider, account, reference, noted_at
ON unsettled_references FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
