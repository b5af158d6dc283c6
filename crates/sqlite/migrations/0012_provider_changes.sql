-- What providers report without being asked: how far each one's changes were read, and the changes
-- that could not be applied.

CREATE TABLE provider_cursors (
    provider TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL CONSTRAINT provider_cursors_position CHECK (position >= 0),
    read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- `finding` is what the provider reported, a document of JSON. A letter is open while it has a
-- moment from which it may be tried again, and resolved afterwards.
CREATE TABLE dead_letters (
    provider TEXT NOT NULL,
    position INTEGER NOT NULL CONSTRAINT dead_letters_position CHECK (position >= 0),
    reference TEXT NOT NULL,
    finding TEXT NOT NULL,
    reason TEXT NOT NULL,
    first_seen_at INTEGER NOT NULL,
    tried_at INTEGER NOT NULL,
    tries INTEGER NOT NULL CONSTRAINT dead_letters_tries CHECK (tries > 0),
    due_at INTEGER,
    resolved_at INTEGER,
    PRIMARY KEY (provider, position, reference),
    CONSTRAINT dead_letters_stands CHECK ((due_at IS NULL) <> (resolved_at IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX dead_letters_due ON dead_letters (due_at) WHERE due_at IS NOT NULL;

CREATE TRIGGER dead_letters_no_delete BEFORE DELETE ON dead_letters BEGIN
    SELECT RAISE(ABORT, 'dead letters are never deleted');
END;

CREATE TRIGGER dead_letters_frozen
BEFORE UPDATE OF provider, position, reference, finding, first_seen_at ON dead_letters BEGIN
    SELECT RAISE(ABORT, 'what a provider reported is frozen');
END;
