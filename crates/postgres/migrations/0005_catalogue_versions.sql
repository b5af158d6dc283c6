-- Versions of the catalogue that operators published, each from its moment on. A version is never
-- changed: a later one takes its place. `changes` holds one product a line.

CREATE TABLE catalogue_versions (
    number integer NOT NULL,
    effective_from bigint NOT NULL,
    published_at bigint NOT NULL,
    published_by text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    digest bytea NOT NULL,
    changes text COLLATE "C" NOT NULL,
    document text COLLATE "C" NOT NULL,
    CONSTRAINT catalogue_versions_number PRIMARY KEY (number),
    CONSTRAINT catalogue_versions_from_one CHECK (number > 0),
    CONSTRAINT catalogue_versions_digest CHECK (octet_length(digest) = 32),
    CONSTRAINT catalogue_versions_lead CHECK (effective_from >= published_at + 60000)
);

CREATE TRIGGER catalogue_versions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE
ON catalogue_versions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
