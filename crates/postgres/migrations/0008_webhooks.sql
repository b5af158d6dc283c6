-- Where accounts want to be told of events, what is to be delivered there, and every attempt at it.

-- `topics` are words with a space between two of them; none at all stands for everything. What is
-- removed is disabled as well, and stays until all that was for it is gone: a batch that read it
-- before it was removed may still tell it of an event.
CREATE TABLE endpoints (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    id bigint NOT NULL,
    target text NOT NULL,
    topics text,
    description text NOT NULL,
    with_tokens boolean NOT NULL,
    generation bigint NOT NULL,
    rotated_at bigint,
    rotated_before bigint,
    disabled_at bigint,
    disabled_because text,
    created_at bigint NOT NULL,
    failing_since bigint,
    removed_at bigint,
    CONSTRAINT endpoints_number PRIMARY KEY (account, id),
    CONSTRAINT endpoints_disabled CHECK (
        (disabled_at IS NULL) = (disabled_because IS NULL)
        AND disabled_because IN ('asked', 'gone', 'failing')
    ),
    CONSTRAINT endpoints_removed_is_disabled CHECK (
        removed_at IS NULL OR disabled_at IS NOT NULL
    )
) WITH (fillfactor = 70);

CREATE INDEX endpoints_removed ON endpoints (removed_at) WHERE removed_at IS NOT NULL;

-- `number` and `sequence` are the numbers in the name of what is told: of a transaction and its
-- event, or, with a sequence of 0, of what no transaction caused. `state`, `version`, `updated_at`
-- and `progress` are the transaction as the event left it. One of three moments says where the
-- delivery stands. There is no foreign key: it would lock the endpoint for every event, and what
-- is removed stays for long.
CREATE TABLE deliveries (
    account text COLLATE "C" NOT NULL,
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    topic text NOT NULL,
    at bigint NOT NULL,
    about bigint,
    state text,
    version integer,
    updated_at bigint,
    progress text,
    attempts integer NOT NULL DEFAULT 0,
    due_at bigint,
    delivered_at bigint,
    parked_at bigint,
    CONSTRAINT deliveries_once PRIMARY KEY (account, endpoint, number, sequence),
    CONSTRAINT deliveries_shown CHECK (
        num_nulls(state, version, updated_at, progress) = CASE sequence WHEN 0 THEN 4 ELSE 0 END
    ),
    CONSTRAINT deliveries_stands CHECK (num_nonnulls(due_at, delivered_at, parked_at) = 1)
) WITH (fillfactor = 70);

-- What waits, endpoint by endpoint: whoever claims leaps from one to the next.
CREATE INDEX deliveries_due ON deliveries (account COLLATE ucs_basic, endpoint, due_at)
WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_next ON deliveries (due_at) INCLUDE (account, endpoint)
WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_listed ON deliveries (account COLLATE "POSIX", at);
CREATE INDEX deliveries_parked ON deliveries (account COLLATE "POSIX", at)
WHERE parked_at IS NOT NULL;
-- That the moment is there is always so; it keeps out statements that ask for none, which might
-- walk through all of this for an endpoint.
CREATE INDEX deliveries_listed_to ON deliveries (account COLLATE "POSIX", endpoint, at)
WHERE at IS NOT NULL;
CREATE INDEX deliveries_parked_to ON deliveries (account COLLATE "POSIX", endpoint, at)
WHERE parked_at IS NOT NULL AND at IS NOT NULL;
CREATE INDEX deliveries_delivered ON deliveries (delivered_at) WHERE delivered_at IS NOT NULL;

CREATE TABLE delivery_attempts (
    account text COLLATE "C" NOT NULL,
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    at bigint NOT NULL,
    took bigint NOT NULL,
    status integer,
    retry_after bigint,
    excerpt text,
    failure text,
    CONSTRAINT delivery_attempts_id PRIMARY KEY (account, endpoint, number, sequence, id),
    CONSTRAINT delivery_attempts_result CHECK ((status IS NULL) = (failure IS NOT NULL))
);

CREATE TRIGGER endpoints_kept BEFORE TRUNCATE ON endpoints
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER endpoints_frozen BEFORE UPDATE OF
    account, id, target, topics, description, with_tokens, created_at
ON endpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER deliveries_kept BEFORE TRUNCATE ON deliveries
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER deliveries_frozen BEFORE UPDATE OF
    account, endpoint, number, sequence, topic, at, about, state, version, updated_at, progress
ON deliveries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- They go with their delivery, but for that they stay as they were.
CREATE TRIGGER delivery_attempts_frozen BEFORE UPDATE OR TRUNCATE ON delivery_attempts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
