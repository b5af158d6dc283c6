-- What else tells that these are not the books that were promised from, or that an instance is not
-- one of those that serve them.

-- A copy that is read into the same database makes its tables anew: they have other numbers then.
DROP FUNCTION present_generation();

CREATE FUNCTION present_generation(
    OUT system_identifier bigint, OUT timeline integer, OUT database oid, OUT relation oid,
    OUT log_position bigint
) LANGUAGE sql STABLE AS $$
    SELECT s.system_identifier,
        ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer,
        d.oid,
        'public.generation'::regclass::oid,
        (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
    FROM pg_control_system() AS s, pg_database AS d
    WHERE d.datname = current_database()
$$;

ALTER TABLE generation ADD COLUMN relation oid;
UPDATE generation SET relation = 'public.generation'::regclass::oid;
ALTER TABLE generation ALTER COLUMN relation SET NOT NULL;

-- What the secret makes of a constant that keys are hashed under: an instance with another secret
-- would know none of the keys.
ALTER TABLE generation ADD COLUMN pepper bytea;

CREATE TRIGGER generation_kept BEFORE DELETE OR TRUNCATE ON generation
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER instances_kept BEFORE DELETE OR TRUNCATE ON instances
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_frozen BEFORE UPDATE OF id, currency, opened_at ON accounts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER api_keys_frozen BEFORE UPDATE OF account, id, hint, hash, created_at ON api_keys
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
