-- What merchants buy on a schedule. `purchase` is the order of one run, sealed where such orders
-- are. `seal` is made over what never changes. A run that was begun has a row; a run before
-- `next_run` without one was skipped.

CREATE TABLE subscriptions (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    service TEXT NOT NULL,
    purchase TEXT NOT NULL,
    run_interval TEXT NOT NULL
        CONSTRAINT subscriptions_interval CHECK (run_interval IN ('day', 'week', 'month')),
    start_at INTEGER NOT NULL,
    run_limit INTEGER
        CONSTRAINT subscriptions_limit CHECK (run_limit BETWEEN 1 AND 3660),
    time_zone TEXT NOT NULL,
    on_failure TEXT NOT NULL
        CONSTRAINT subscriptions_on_failure CHECK (on_failure IN ('retry', 'skip', 'stop')),
    made_by INTEGER NOT NULL,
    made_by_user INTEGER,
    asked BLOB NOT NULL CONSTRAINT subscriptions_asked CHECK (length(asked) = 32),
    seal BLOB NOT NULL CONSTRAINT subscriptions_seal CHECK (length(seal) = 32),
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL CONSTRAINT subscriptions_version CHECK (version > 0),
    status TEXT NOT NULL CONSTRAINT subscriptions_status CHECK (
        status IN ('Active', 'Failing', 'Paused', 'Ended', 'Cancelled')
    ),
    next_run INTEGER NOT NULL CONSTRAINT subscriptions_next CHECK (next_run > 0),
    open_run INTEGER CONSTRAINT subscriptions_open CHECK (open_run BETWEEN 1 AND next_run - 1),
    bought INTEGER NOT NULL
        CONSTRAINT subscriptions_bought CHECK (bought BETWEEN 0 AND next_run - 1),
    last_at INTEGER,
    look_at INTEGER,
    is_pause INTEGER NOT NULL CONSTRAINT subscriptions_pause CHECK (is_pause IN (0, 1)),
    CONSTRAINT subscriptions_number PRIMARY KEY (account, number),
    CONSTRAINT subscriptions_reference UNIQUE (account, reference),
    CONSTRAINT subscriptions_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT subscriptions_last CHECK ((bought = 0) = (last_at IS NULL)),
    CONSTRAINT subscriptions_live CHECK (
        (status IN ('Active', 'Failing')) = (look_at IS NOT NULL)
        AND (status IN ('Active', 'Failing') OR open_run IS NULL)
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX subscriptions_created ON subscriptions (account, created_at, number);
CREATE INDEX subscriptions_count ON subscriptions (account, status);
CREATE INDEX subscriptions_look ON subscriptions (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX subscriptions_pauses ON subscriptions (look_at) WHERE is_pause = 1;

CREATE TRIGGER subscriptions_immutable BEFORE UPDATE OF
    account, number, reference, service, purchase, run_interval, start_at, run_limit, time_zone,
    on_failure, made_by, made_by_user, asked, seal, created_at
ON subscriptions BEGIN
    SELECT RAISE(ABORT, 'what a subscription buys is immutable');
END;

CREATE TRIGGER subscriptions_forward BEFORE UPDATE OF next_run, version ON subscriptions
WHEN NEW.next_run < OLD.next_run OR NEW.version < OLD.version BEGIN
    SELECT RAISE(ABORT, 'runs of a subscription are counted on');
END;

CREATE TRIGGER subscriptions_no_delete BEFORE DELETE ON subscriptions BEGIN
    SELECT RAISE(ABORT, 'subscriptions are never deleted');
END;

CREATE TRIGGER subscriptions_no_replace BEFORE INSERT ON subscriptions
WHEN EXISTS (
    SELECT 1 FROM subscriptions
    WHERE account = NEW.account AND (number = NEW.number OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'subscriptions are never replaced');
END;

-- `reference` is that of its present payment.
CREATE TABLE subscription_runs (
    account TEXT NOT NULL,
    subscription INTEGER NOT NULL,
    run INTEGER NOT NULL CONSTRAINT subscription_runs_counted CHECK (run > 0),
    due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    retries INTEGER NOT NULL,
    state TEXT NOT NULL CONSTRAINT subscription_runs_state CHECK (
        state IN ('begun', 'bought', 'failed', 'refused', 'missed')
    ),
    refusal TEXT,
    reference TEXT NOT NULL CONSTRAINT subscription_runs_derived CHECK (
        reference = 'sub-' || subscription || '-' || run
            || CASE WHEN tries = 0 THEN '' ELSE '-r' || tries END
    ),
    at INTEGER NOT NULL,
    CONSTRAINT subscription_runs_once PRIMARY KEY (account, subscription, run),
    CONSTRAINT subscription_runs_reference UNIQUE (account, reference),
    CONSTRAINT subscription_runs_tries CHECK (
        tries >= 0 AND tries <= retries AND retries <= 3
    ),
    CONSTRAINT subscription_runs_refusal CHECK ((state = 'refused') = (refusal IS NOT NULL)),
    CONSTRAINT subscription_runs_of FOREIGN KEY (account, subscription)
        REFERENCES subscriptions (account, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER subscription_runs_immutable
BEFORE UPDATE OF account, subscription, run, due_at ON subscription_runs BEGIN
    SELECT RAISE(ABORT, 'runs of a subscription are never renumbered');
END;

CREATE TRIGGER subscription_runs_no_delete BEFORE DELETE ON subscription_runs BEGIN
    SELECT RAISE(ABORT, 'runs of a subscription are never deleted');
END;

CREATE TRIGGER subscription_runs_no_replace BEFORE INSERT ON subscription_runs
WHEN EXISTS (
    SELECT 1 FROM subscription_runs
    WHERE account = NEW.account AND subscription = NEW.subscription AND run = NEW.run
) BEGIN
    SELECT RAISE(ABORT, 'runs of a subscription are never replaced');
END;
