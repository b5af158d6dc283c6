-- What providers report without being asked: how far each one's changes were read, and the changes
-- that could not be applied.

CREATE TABLE provider_cursors (
    provider text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    read_at bigint NOT NULL,
    CONSTRAINT provider_cursors_provider PRIMARY KEY (provider),
    CONSTRAINT provider_cursors_position CHECK (position >= 0)
) WITH (fillfactor = 70);

-- `finding` is what the provider reported, a document of JSON. A letter is open while it has a
-- moment from which it may be tried again, and resolved afterwards.
CREATE TABLE dead_letters (
    provider text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    finding text NOT NULL,
    reason text NOT NULL,
    first_seen_at bigint NOT NULL,
    tried_at bigint NOT NULL,
    tries integer NOT NULL,
    due_at bigint,
    resolved_at bigint,
    CONSTRAINT dead_letters_change PRIMARY KEY (provider, position, reference),
    CONSTRAINT dead_letters_position CHECK (position >= 0),
    CONSTRAINT dead_letters_tries CHECK (tries > 0),
    CONSTRAINT dead_letters_stands CHECK (num_nonnulls(due_at, resolved_at) = 1)
) WITH (fillfactor = 70);

CREATE INDEX dead_letters_due ON dead_letters (due_at) WHERE due_at IS NOT NULL;

CREATE TRIGGER dead_letters_kept BEFORE DELETE OR TRUNCATE ON dead_letters
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER dead_letters_frozen BEFORE UPDATE OF
    provider, "position", reference, finding, first_seen_at
ON dead_letters FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
