-- Who works on these books, and whether they are the books that were promised from.

-- A place for each instance; its number is part of the transaction numbers that the instance draws.
-- `token` is new with every claim of a place, so whoever lost it cannot mistake it for its own.
CREATE TABLE instances (
    slot smallint NOT NULL,
    token bigint,
    seen_at timestamptz,
    CONSTRAINT instances_slot PRIMARY KEY (slot),
    CONSTRAINT instances_range CHECK (slot BETWEEN 0 AND 63)
) WITH (fillfactor = 20);

INSERT INTO instances (slot) SELECT generate_series(0, 63);

CREATE SEQUENCE instances_token;

-- Which database this is, one row: the cluster, its timeline and the database in it, as they were
-- when a person last vouched for the books. Where they are others now, or the log of the database
-- is behind what an instance has seen of it, the books may be older than what was promised from
-- them: they are held until somebody has compared them with the providers.
CREATE TABLE generation (
    one boolean NOT NULL DEFAULT true,
    number integer NOT NULL,
    system_identifier bigint NOT NULL,
    timeline integer NOT NULL,
    database oid NOT NULL,
    held_since timestamptz,
    held_because text,
    CONSTRAINT generation_one PRIMARY KEY (one),
    CONSTRAINT generation_single CHECK (one),
    CONSTRAINT generation_held CHECK ((held_since IS NULL) = (held_because IS NULL))
);

-- The present one: the name of a log file begins with the timeline that is written to.
CREATE FUNCTION present_generation(
    OUT system_identifier bigint, OUT timeline integer, OUT database oid, OUT log_position bigint
) LANGUAGE sql STABLE AS $$
    SELECT s.system_identifier,
        ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer,
        d.oid,
        (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
    FROM pg_control_system() AS s, pg_database AS d
    WHERE d.datname = current_database()
$$;

INSERT INTO generation (number, system_identifier, timeline, database)
SELECT 1, p.system_identifier, p.timeline, p.database FROM present_generation() AS p;

-- What was found when the books were compared with a provider, and who vouched for them.
CREATE TABLE reconciliations (
    number integer NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    acknowledged_by text NOT NULL,
    provider text NOT NULL,
    compared bigint NOT NULL,
    missing text[] NOT NULL,
    CONSTRAINT reconciliations_number PRIMARY KEY (number, provider)
);

CREATE TRIGGER reconciliations_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON reconciliations
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
