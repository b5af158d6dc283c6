-- Versions of the catalogue that operators published, each from its moment on. A version is never
-- changed: a later one takes its place.

CREATE TABLE catalogue_versions (
    number INTEGER PRIMARY KEY CONSTRAINT catalogue_versions_number CHECK (number > 0),
    effective_from INTEGER NOT NULL,
    published_at INTEGER NOT NULL,
    published_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    digest BLOB NOT NULL CONSTRAINT catalogue_versions_digest CHECK (length(digest) = 32),
    -- One product a line.
    changes TEXT NOT NULL,
    document TEXT NOT NULL,
    CONSTRAINT catalogue_versions_lead CHECK (effective_from >= published_at + 60000)
) STRICT;

CREATE TRIGGER catalogue_versions_no_update BEFORE UPDATE ON catalogue_versions BEGIN
    SELECT RAISE(ABORT, 'the versions of the catalogue are append-only');
END;

CREATE TRIGGER catalogue_versions_no_delete BEFORE DELETE ON catalogue_versions BEGIN
    SELECT RAISE(ABORT, 'the versions of the catalogue are append-only');
END;

CREATE TRIGGER catalogue_versions_no_replace BEFORE INSERT ON catalogue_versions
WHEN EXISTS (SELECT 1 FROM catalogue_versions WHERE number = NEW.number) BEGIN
    SELECT RAISE(ABORT, 'the versions of the catalogue are append-only');
END;
