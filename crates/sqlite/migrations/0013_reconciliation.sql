-- Whether payments are suspended because this file may be older than what was promised from it,
-- what the journals that lie outside of it say, and what persons decided.

-- One row. `number` rises with every suspension; `clearance` is what ends it,
-- in the order of these words.
CREATE TABLE suspension (
    one INTEGER PRIMARY KEY CONSTRAINT suspension_single CHECK (one = 1),
    number INTEGER NOT NULL,
    since INTEGER,
    because TEXT,
    clearance TEXT NOT NULL
    CONSTRAINT suspension_clearance CHECK (clearance IN ('journals', 'person', 'records')),
    CONSTRAINT suspension_because CHECK ((since IS NULL) = (because IS NULL))
) STRICT;

INSERT INTO suspension (one, number, clearance) VALUES (1, 0, 'journals');

CREATE TRIGGER suspension_no_delete BEFORE DELETE ON suspension BEGIN
    SELECT RAISE(ABORT, 'the suspension is one row');
END;

-- The attempt journals. `compared` is the number of the last suspension after which the journal was
-- compared with this file, `missing` how many of its attempts had no row then.
CREATE TABLE journals (
    id TEXT NOT NULL PRIMARY KEY,
    registered_at INTEGER NOT NULL,
    ended_at INTEGER,
    compared INTEGER,
    missing INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE reconciliations (
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    acknowledged_by TEXT NOT NULL,
    provider TEXT NOT NULL,
    compared INTEGER NOT NULL,
    missing TEXT NOT NULL,
    PRIMARY KEY (number, provider)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER reconciliations_no_update BEFORE UPDATE ON reconciliations BEGIN
    SELECT RAISE(ABORT, 'reconciliations are append-only');
END;

CREATE TRIGGER reconciliations_no_delete BEFORE DELETE ON reconciliations BEGIN
    SELECT RAISE(ABORT, 'reconciliations are append-only');
END;

-- References that a provider knows and this file does not: nothing is opened under them until each
-- is settled.
CREATE TABLE unsettled_references (
    provider_reference TEXT NOT NULL PRIMARY KEY,
    provider TEXT NOT NULL,
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    settled_at INTEGER,
    settled_by TEXT,
    settlement TEXT
    CONSTRAINT unsettled_settlement CHECK (settlement IN ('charged', 'absorbed', 'not_delivered')),
    CONSTRAINT unsettled_settled CHECK (
        (settled_at IS NULL) = (settled_by IS NULL) AND (settled_at IS NULL) = (settlement IS NULL)
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX unsettled_references_open ON unsettled_references (account, reference)
WHERE settled_at IS NULL;

CREATE TRIGGER unsettled_references_no_delete BEFORE DELETE ON unsettled_references BEGIN
    SELECT RAISE(ABORT, 'references to settle are never deleted');
END;

CREATE TRIGGER unsettled_references_frozen BEFORE UPDATE OF
    provider_reference, provider, account, reference, noted_at
ON unsettled_references BEGIN
    SELECT RAISE(ABORT, 'what a provider knows is frozen');
END;
