-- What merchants buy on a schedule. `purchase` is the order of one run, sealed where such orders
-- are. `seal` is made over what never changes. A run that was begun has a row; a run before
-- `next_run` without one was skipped.

CREATE TABLE subscriptions (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    service text COLLATE "C" NOT NULL,
    purchase text COLLATE "C" NOT NULL,
    run_interval text COLLATE "C" NOT NULL,
    start_at bigint NOT NULL,
    run_limit bigint,
    time_zone text COLLATE "C" NOT NULL,
    on_failure text COLLATE "C" NOT NULL,
    made_by bigint NOT NULL,
    made_by_user bigint,
    asked bytea NOT NULL,
    seal bytea NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    next_run bigint NOT NULL,
    open_run bigint,
    bought bigint NOT NULL,
    last_at bigint,
    look_at bigint,
    is_pause boolean NOT NULL,
    CONSTRAINT subscriptions_number PRIMARY KEY (account, number),
    CONSTRAINT subscriptions_reference UNIQUE (account, reference),
    CONSTRAINT subscriptions_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT subscriptions_interval CHECK (run_interval IN ('day', 'week', 'month')),
    CONSTRAINT subscriptions_limit CHECK (run_limit BETWEEN 1 AND 3660),
    CONSTRAINT subscriptions_on_failure CHECK (on_failure IN ('retry', 'skip', 'stop')),
    CONSTRAINT subscriptions_asked CHECK (length(asked) = 32),
    CONSTRAINT subscriptions_seal CHECK (length(seal) = 32),
    CONSTRAINT subscriptions_version CHECK (version > 0),
    CONSTRAINT subscriptions_status CHECK (
        status IN ('Active', 'Failing', 'Paused', 'Ended', 'Cancelled')
    ),
    CONSTRAINT subscriptions_next CHECK (next_run > 0),
    CONSTRAINT subscriptions_open CHECK (open_run BETWEEN 1 AND next_run - 1),
    CONSTRAINT subscriptions_bought CHECK (bought BETWEEN 0 AND next_run - 1),
    CONSTRAINT subscriptions_last CHECK ((bought = 0) = (last_at IS NULL)),
    CONSTRAINT subscriptions_live CHECK (
        (status IN ('Active', 'Failing')) = (look_at IS NOT NULL)
        AND (status IN ('Active', 'Failing') OR open_run IS NULL)
    )
);

CREATE INDEX subscriptions_created ON subscriptions (account, created_at, number);
CREATE INDEX subscriptions_count ON subscriptions (account, status);
CREATE INDEX subscriptions_look ON subscriptions (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX subscriptions_pauses ON subscriptions (look_at) WHERE is_pause;

CREATE TRIGGER subscriptions_immutable BEFORE UPDATE OF
    account, number, reference, service, purchase, run_interval, start_at, run_limit, time_zone,
    on_failure, made_by, made_by_user, asked, seal, created_at
ON subscriptions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER subscriptions_forward BEFORE UPDATE OF next_run, version ON subscriptions
FOR EACH ROW WHEN (new.next_run < old.next_run OR new.version < old.version)
EXECUTE FUNCTION refuse_change();

CREATE TRIGGER subscriptions_no_delete BEFORE DELETE OR TRUNCATE ON subscriptions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- `reference` is that of its present payment.
CREATE TABLE subscription_runs (
    account text COLLATE "C" NOT NULL,
    subscription bigint NOT NULL,
    run bigint NOT NULL,
    due_at bigint NOT NULL,
    tries bigint NOT NULL,
    retries bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    refusal text COLLATE "C",
    reference text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT subscription_runs_once PRIMARY KEY (account, subscription, run),
    CONSTRAINT subscription_runs_reference UNIQUE (account, reference),
    CONSTRAINT subscription_runs_counted CHECK (run > 0),
    CONSTRAINT subscription_runs_state CHECK (
        state IN ('begun', 'bought', 'failed', 'refused', 'missed')
    ),
    CONSTRAINT subscription_runs_derived CHECK (
        reference = 'sub-' || subscription || '-' || run
            || CASE WHEN tries = 0 THEN '' ELSE '-r' || tries END
    ),
    CONSTRAINT subscription_runs_tries CHECK (
        tries >= 0 AND tries <= retries AND retries <= 3
    ),
    CONSTRAINT subscription_runs_refusal CHECK ((state = 'refused') = (refusal IS NOT NULL)),
    CONSTRAINT subscription_runs_of FOREIGN KEY (account, subscription)
        REFERENCES subscriptions (account, number)
);

CREATE TRIGGER subscription_runs_immutable
BEFORE UPDATE OF account, subscription, run, due_at ON subscription_runs
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER subscription_runs_no_delete BEFORE DELETE OR TRUNCATE ON subscription_runs
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
