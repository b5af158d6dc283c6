-- The schema of the PostgreSQL store. Timestamps are milliseconds since 1970-01-01T00:00:00Z, money
-- is whole minor units (kobo). Text keys are compared byte by byte. The audit compares the triggers
-- of a database with this file.
--
-- Every key of a table that grows begins with the account, so that rows can be distributed by
-- account. Where a table has several such keys, each holds the account under another name of the
-- same byte order ("C", "POSIX", ucs_basic), and each query names one: a plan can then use one
-- index only, and never reads a whole account because the statistics of an empty table left it the
-- choice.
--
-- Tables that grow have no foreign keys: every row is written by the step that has just read the
-- row it belongs to, and nothing is deleted, so the check of each row would cost time and find
-- nothing. The audit looks for rows without an owner.

-- Append-only tables and immutable columns. The triggers fire per statement, not per row, so they
-- cost the writer nothing.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END
$$;

-- Accounts.
CREATE TABLE accounts (
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    message_currency text NOT NULL,
    time_zone text NOT NULL,
    opened_at bigint NOT NULL,
    CONSTRAINT accounts_identity PRIMARY KEY (id),
    CONSTRAINT accounts_status CHECK (status IN ('active', 'suspended'))
);

CREATE TRIGGER accounts_no_delete BEFORE DELETE OR TRUNCATE ON accounts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_immutable BEFORE UPDATE OF id, currency, opened_at ON accounts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- API keys. Only a keyed hash is stored; it covers the account and the number of the key, so a row
-- that is copied to another account or number opens nothing. A revoked key stays, to explain who
-- could do what and when.
CREATE TABLE api_keys (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    id bigint NOT NULL,
    hint text NOT NULL,
    hash bytea NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    CONSTRAINT api_keys_id PRIMARY KEY (account, id),
    CONSTRAINT api_keys_hash CHECK (octet_length(hash) = 32)
);

CREATE TRIGGER api_keys_no_delete BEFORE DELETE OR TRUNCATE ON api_keys
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER api_keys_immutable BEFORE UPDATE OF account, id, hint, hash, created_at ON api_keys
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER api_keys_revoked_once BEFORE UPDATE ON api_keys
FOR EACH ROW WHEN (old.revoked_at IS NOT NULL) EXECUTE FUNCTION refuse_change();

-- Wallets, one per account and currency: the only stored balances. `debits` and `credits` count the
-- entries of the statement, so that a page far inside it is found without counting. An event is
-- sent when `available` falls below `low_balance_threshold`. A row changes with every batch, so its
-- page has room for the next versions of it.
CREATE TABLE wallets (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    currency text COLLATE "C" NOT NULL,
    available bigint NOT NULL,
    held bigint NOT NULL,
    debits bigint NOT NULL DEFAULT 0,
    credits bigint NOT NULL DEFAULT 0,
    low_balance_threshold bigint,
    CONSTRAINT wallets_account PRIMARY KEY (account, currency),
    CONSTRAINT wallets_available CHECK (available >= 0),
    CONSTRAINT wallets_held CHECK (held >= 0),
    CONSTRAINT wallets_low_balance_threshold CHECK (low_balance_threshold > 0)
) WITH (fillfactor = 40);

CREATE TRIGGER wallets_no_delete BEFORE DELETE OR TRUNCATE ON wallets
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_immutable BEFORE UPDATE OF account, currency ON wallets
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Sender names of messages, registered by an account and approved by an operator. Handsets show a
-- name as written, people read it without regard to case.
CREATE TABLE senders (
    serial text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    name text COLLATE "C" NOT NULL,
    status text NOT NULL,
    requested_at bigint NOT NULL,
    decided_at bigint,
    CONSTRAINT senders_serial PRIMARY KEY (serial),
    CONSTRAINT senders_status CHECK (status IN ('pending', 'approved', 'rejected'))
);

CREATE UNIQUE INDEX senders_name ON senders (account, lower(name));

CREATE TRIGGER senders_no_delete BEFORE DELETE OR TRUNCATE ON senders
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER senders_immutable BEFORE UPDATE OF serial, account, name, requested_at ON senders
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Transactions. No index holds a column that changes, and pages are left with room, so that a new
-- state rewrites the row in its page and touches no index.
CREATE TABLE transactions (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C",
    request_fingerprint bytea,
    service text NOT NULL,
    provider text NOT NULL,
    state text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    price bigint NOT NULL,
    cost bigint NOT NULL,
    fee bigint NOT NULL,
    vat bigint NOT NULL,
    levy bigint NOT NULL,
    -- The version and sequence of the transaction, not of the schema.
    version integer NOT NULL,
    sequence integer NOT NULL,
    opened_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    -- Versioned JSON: what was bought and at what price, and where the transaction stands.
    purchase text NOT NULL,
    progress text NOT NULL,
    -- The number of a meter token, sealed; NULL once it was erased.
    token text,
    CONSTRAINT transactions_number PRIMARY KEY (account, number),
    CONSTRAINT transactions_state CHECK (
        state IN ('sending', 'in_doubt', 'review', 'successful', 'failed', 'reversed')
    ),
    CONSTRAINT transactions_price CHECK (price > 0),
    CONSTRAINT transactions_request_fingerprint CHECK (
        (idempotency_key IS NULL) = (request_fingerprint IS NULL)
    )
) WITH (fillfactor = 55);

CREATE UNIQUE INDEX transactions_reference ON transactions (account COLLATE "POSIX", reference);

CREATE UNIQUE INDEX transactions_key ON transactions (account COLLATE ucs_basic, idempotency_key)
WHERE idempotency_key IS NOT NULL;

-- Holds no row without a token, so other transactions change without touching it.
CREATE INDEX transactions_token ON transactions (opened_at) WHERE token IS NOT NULL;

CREATE TRIGGER transactions_no_delete BEFORE DELETE OR TRUNCATE ON transactions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_immutable BEFORE UPDATE OF
    account, number, reference, idempotency_key, request_fingerprint, service, provider,
    currency, amount, price, cost, fee, vat, levy, opened_at, purchase
ON transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The undecided attempt of a transaction: the key allows one at most. It is written before the
-- provider is called and deleted when its end is known, so this table is as small as what is in
-- flight. Recovery claims its rows: `due_at` says when to look, `leased` whether that is the end of
-- a lease, `instance` which instance holds it.
CREATE TABLE attempts_open (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    number smallint NOT NULL,
    state text NOT NULL,
    provider_reference text NOT NULL,
    started_at bigint NOT NULL,
    due_at bigint,
    leased boolean NOT NULL DEFAULT false,
    instance bigint,
    CONSTRAINT attempts_open_once PRIMARY KEY (account, transaction),
    CONSTRAINT attempts_open_state CHECK (state IN ('sending', 'in_doubt', 'review'))
) WITH (fillfactor = 70);

CREATE INDEX attempts_open_due ON attempts_open (due_at) WHERE due_at IS NOT NULL;

CREATE TRIGGER attempts_open_immutable BEFORE UPDATE OF account, transaction ON attempts_open
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER attempts_open_no_delete BEFORE TRUNCATE ON attempts_open
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Attempts that ended. A delivery that was taken back and a proof that was contradicted are noted
-- on the attempt they concern.
CREATE TABLE attempts_ended (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    number smallint NOT NULL,
    state text NOT NULL,
    evidence text NOT NULL,
    provider_reference text NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    contradicted_at bigint,
    taken_back_at bigint,
    CONSTRAINT attempts_ended_number PRIMARY KEY (account, transaction, number),
    CONSTRAINT attempts_ended_state CHECK (state IN ('delivered', 'reversed', 'disproven'))
);

CREATE TRIGGER attempts_ended_no_delete BEFORE DELETE OR TRUNCATE ON attempts_ended
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER attempts_ended_immutable BEFORE UPDATE OF
    account, transaction, number, provider_reference, started_at
ON attempts_ended FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Events of transactions, numbered without a gap.
CREATE TABLE events (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    sequence integer NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT events_sequence PRIMARY KEY (account, transaction, sequence)
);

CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The double-entry ledger: one debit and one credit of the same amount in every row. Transfers are
-- numbered in the order they were made; a rollback leaves a gap.
--
-- `step` is the place of a kind of movement in the life of a transaction. Capture and release share
-- one, so the key itself allows one of them, once. `part` is 0 but where a step may be taken more
-- than once: movements without a transaction, and losses.
CREATE SEQUENCE transfers_id;

CREATE TABLE transfers (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    step smallint NOT NULL,
    part bigint NOT NULL,
    id bigint NOT NULL DEFAULT nextval('transfers_id'),
    kind text NOT NULL,
    debit_kind text NOT NULL,
    debit_holder text COLLATE "C",
    credit_kind text NOT NULL,
    credit_holder text COLLATE "C",
    amount bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    narration text,
    at bigint NOT NULL,
    -- The entry of the account's statement, where the transfer changes the available balance: its
    -- direction, its number among all entries and among those of its direction, the balance after.
    direction text COLLATE "C",
    position bigint,
    nth bigint,
    available_after bigint,
    CONSTRAINT transfers_once PRIMARY KEY (account, transaction, step, part),
    CONSTRAINT transfers_amount CHECK (amount > 0),
    CONSTRAINT transfers_legs CHECK (
        debit_kind <> credit_kind OR debit_holder IS DISTINCT FROM credit_holder
    ),
    CONSTRAINT transfers_step CHECK (
        step = CASE kind
            WHEN 'fund' THEN 0
            WHEN 'hold' THEN 1
            WHEN 'capture' THEN 2
            WHEN 'release' THEN 2
            WHEN 'margin' THEN 3
            WHEN 'charge' THEN 4
            WHEN 'vat' THEN 5
            WHEN 'levy' THEN 6
            WHEN 'reversal' THEN 7
            WHEN 'margin_reversal' THEN 8
            WHEN 'charge_reversal' THEN 9
            WHEN 'vat_reversal' THEN 10
            WHEN 'levy_reversal' THEN 11
            WHEN 'loss' THEN 12
            WHEN 'loss_reversal' THEN 13
            WHEN 'settlement' THEN 14
            WHEN 'settlement_loss' THEN 15
            ELSE -1
        END
    ),
    CONSTRAINT transfers_part CHECK (
        part = CASE
            WHEN kind IN ('fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss') THEN id
            ELSE 0
        END
    ),
    CONSTRAINT transfers_funding CHECK (
        (kind IN ('fund', 'settlement', 'settlement_loss')) = (transaction = 0)
    ),
    CONSTRAINT transfers_line CHECK (
        (direction IS NULL) = (position IS NULL)
        AND (direction IS NULL) = (nth IS NULL)
        AND (direction IS NULL) = (available_after IS NULL)
        AND direction IN ('debit', 'credit')
    )
);

-- Each wallet numbers the entries of its own statement.
CREATE UNIQUE INDEX transfers_position ON transfers (account COLLATE "POSIX", currency, position)
WHERE position IS NOT NULL;

CREATE UNIQUE INDEX transfers_nth ON transfers (
    account COLLATE ucs_basic, currency, direction, nth
) WHERE position IS NOT NULL;

CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Payments in, under a reference that works once; `position` is the entry of the statement.
CREATE TABLE fundings (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    reference text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    position bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT fundings_reference PRIMARY KEY (account, reference),
    CONSTRAINT fundings_position UNIQUE (account, currency, position)
);

CREATE TRIGGER fundings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON fundings
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Webhook endpoints. `topics` are words with a space between two of them; NULL stands for all. A
-- removed endpoint is disabled as well, and stays until its deliveries are gone: a batch that read
-- it before it was removed may still store an event for it.
CREATE TABLE endpoints (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    id bigint NOT NULL,
    target text NOT NULL,
    topics text,
    description text NOT NULL,
    with_tokens boolean NOT NULL,
    secret_version bigint NOT NULL,
    rotated_at bigint,
    rotated_before bigint,
    disabled_at bigint,
    disabled_reason text,
    created_at bigint NOT NULL,
    failing_since bigint,
    removed_at bigint,
    CONSTRAINT endpoints_number PRIMARY KEY (account, id),
    CONSTRAINT endpoints_disabled CHECK (
        (disabled_at IS NULL) = (disabled_reason IS NULL)
        AND disabled_reason IN ('merchant', 'gone', 'failing')
    ),
    CONSTRAINT endpoints_removed_is_disabled CHECK (
        removed_at IS NULL OR disabled_at IS NOT NULL
    )
) WITH (fillfactor = 70);

CREATE INDEX endpoints_removed ON endpoints (removed_at) WHERE removed_at IS NOT NULL;

CREATE TRIGGER endpoints_no_delete BEFORE TRUNCATE ON endpoints
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER endpoints_immutable BEFORE UPDATE OF
    account, id, target, topics, description, with_tokens, created_at
ON endpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Deliveries of webhook events. `number`, `sequence` and `currency` identify the event: a
-- transaction and the number of its event, the place of a statement entry and the currency of its
-- statement, or the number of an event that neither caused, with a sequence of 0. `state`,
-- `version`, `updated_at` and `progress` are the transaction as the event left it; `shown` is the
-- JSON document of an event about an account. Exactly one of `due_at`, `delivered_at` and
-- `parked_at` is set. A `requested` one goes before whatever waits. `answered_at` and `answer` are
-- those of the last attempt. There is no foreign key: it would lock the endpoint for every event.
CREATE TABLE deliveries (
    account text COLLATE "C" NOT NULL,
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    currency text COLLATE "C" NOT NULL DEFAULT '',
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
    shown text,
    replay_count integer NOT NULL DEFAULT 0,
    answered_at bigint,
    answer text COLLATE "C",
    requested boolean NOT NULL DEFAULT false,
    CONSTRAINT deliveries_once PRIMARY KEY (account, endpoint, number, sequence, currency),
    CONSTRAINT deliveries_shown CHECK (
        num_nulls(state, version, updated_at, progress) = CASE sequence WHEN 0 THEN 4 ELSE 0 END
    ),
    CONSTRAINT deliveries_shown_alone CHECK (
        shown IS NULL OR (sequence = 0 AND about IS NULL)
    ),
    CONSTRAINT deliveries_stands CHECK (num_nonnulls(due_at, delivered_at, parked_at) = 1),
    CONSTRAINT deliveries_currency CHECK ((currency = '') = (shown IS NULL)),
    CONSTRAINT deliveries_requested CHECK (NOT requested OR due_at IS NOT NULL)
) WITH (fillfactor = 70);

-- Deliveries that wait, by endpoint: a claim leaps from one endpoint to the next.
CREATE INDEX deliveries_due ON deliveries (
    account COLLATE ucs_basic, endpoint, requested DESC, due_at
)
WHERE due_at IS NOT NULL;

CREATE INDEX deliveries_next ON deliveries (requested, due_at) INCLUDE (account, endpoint)
WHERE due_at IS NOT NULL;

CREATE INDEX deliveries_listed ON deliveries (account COLLATE "POSIX", at);

CREATE INDEX deliveries_parked ON deliveries (account COLLATE "POSIX", at)
WHERE parked_at IS NOT NULL;

-- `at` is never NULL; the condition keeps out statements without it, which might walk through every
-- delivery of an endpoint.
CREATE INDEX deliveries_listed_to ON deliveries (account COLLATE "POSIX", endpoint, at)
WHERE at IS NOT NULL;

CREATE INDEX deliveries_parked_to ON deliveries (account COLLATE "POSIX", endpoint, at)
WHERE parked_at IS NOT NULL AND at IS NOT NULL;

CREATE INDEX deliveries_delivered ON deliveries (delivered_at) WHERE delivered_at IS NOT NULL;

CREATE TRIGGER deliveries_no_delete BEFORE TRUNCATE ON deliveries
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER deliveries_immutable BEFORE UPDATE OF
    account, endpoint, number, sequence, currency, topic, at, about, state, version, updated_at,
    progress, shown
ON deliveries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Deliveries that are being made, each in its round and until when it is claimed: what was replayed
-- meanwhile is free. A lease is worth nothing after a crash of the server, when what was claimed may
-- be delivered again, so it is not logged.
CREATE UNLOGGED TABLE delivery_leases (
    account text COLLATE "C" NOT NULL,
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    currency text COLLATE "C" NOT NULL,
    round integer NOT NULL,
    until bigint NOT NULL,
    CONSTRAINT delivery_leases_once PRIMARY KEY (account, endpoint, number, sequence, currency)
);

CREATE TABLE delivery_attempts (
    account text COLLATE "C" NOT NULL,
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    currency text COLLATE "C" NOT NULL DEFAULT '',
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    at bigint NOT NULL,
    took bigint NOT NULL,
    status integer,
    retry_after bigint,
    failure text,
    CONSTRAINT delivery_attempts_id PRIMARY KEY (
        account, endpoint, number, sequence, currency, id
    ),
    CONSTRAINT delivery_attempts_result CHECK ((status IS NULL) = (failure IS NOT NULL))
);

-- Delivery attempts are deleted with their delivery and never change.
CREATE TRIGGER delivery_attempts_immutable BEFORE UPDATE OR TRUNCATE ON delivery_attempts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Changes that providers report unasked: how far each feed was read, and the changes that could not
-- be applied. `outcome` is what the provider reported, a JSON document. A dead letter is open while
-- it has a `due_at`, and resolved afterwards.
CREATE TABLE provider_cursors (
    provider text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    read_at bigint NOT NULL,
    CONSTRAINT provider_cursors_provider PRIMARY KEY (provider),
    CONSTRAINT provider_cursors_position CHECK (position >= 0)
) WITH (fillfactor = 70);

CREATE TABLE dead_letters (
    provider text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    outcome text NOT NULL,
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

CREATE TRIGGER dead_letters_no_delete BEFORE DELETE OR TRUNCATE ON dead_letters
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER dead_letters_immutable BEFORE UPDATE OF
    provider, "position", reference, outcome, first_seen_at
ON dead_letters FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A slot for each instance; its number is part of the transaction numbers that the instance draws.
-- `token` is new with every claim of a slot, so an instance that lost it cannot mistake it for its
-- own. `prices` is a fingerprint of the prices that the instance sells at.
CREATE TABLE instances (
    slot smallint NOT NULL,
    token bigint,
    seen_at timestamptz,
    prices text COLLATE "C",
    CONSTRAINT instances_slot PRIMARY KEY (slot),
    CONSTRAINT instances_range CHECK (slot BETWEEN 0 AND 63)
) WITH (fillfactor = 20);

INSERT INTO instances (slot) SELECT generate_series(0, 63);

CREATE SEQUENCE instances_token;

CREATE TRIGGER instances_no_delete BEFORE DELETE OR TRUNCATE ON instances
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Which database this is, one row: the cluster, its timeline, the database in it and this table, as
-- they were when a person last acknowledged them. Where they differ, or the write-ahead log is
-- behind what an instance has seen of it, the database may be older than what it acknowledged, and
-- payments are suspended until it was reconciled.
CREATE TABLE database_identity (
    one boolean NOT NULL DEFAULT true,
    number integer NOT NULL,
    system_identifier bigint NOT NULL,
    timeline integer NOT NULL,
    database oid NOT NULL,
    relation oid NOT NULL,
    -- The secret applied to a constant: an instance with another secret knows none of the keys.
    pepper bytea,
    suspended_since timestamptz,
    suspended_reason text,
    -- Rises with every suspension.
    suspension bigint NOT NULL DEFAULT 0,
    -- What ends a suspension, in the order of these words.
    clearance text NOT NULL DEFAULT 'journals',
    CONSTRAINT database_identity_one PRIMARY KEY (one),
    CONSTRAINT database_identity_single CHECK (one),
    CONSTRAINT database_identity_suspended CHECK (
        (suspended_since IS NULL) = (suspended_reason IS NULL)
    ),
    CONSTRAINT database_identity_clearance CHECK (clearance IN ('journals', 'person', 'records'))
);

-- The present identity: the name of a log file begins with the timeline that is written to. A dump
-- that is restored into the same database creates its tables anew, with other relation numbers.
CREATE FUNCTION present_identity(
    OUT system_identifier bigint, OUT timeline integer, OUT database oid, OUT relation oid,
    OUT log_position bigint
) LANGUAGE sql STABLE AS $$
    SELECT s.system_identifier,
        ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer,
        d.oid,
        'public.database_identity'::regclass::oid,
        (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
    FROM pg_control_system() AS s, pg_database AS d
    WHERE d.datname = current_database()
$$;

INSERT INTO database_identity (number, system_identifier, timeline, database, relation)
SELECT 1, p.system_identifier, p.timeline, p.database, p.relation FROM present_identity() AS p;

CREATE TRIGGER database_identity_no_delete BEFORE DELETE OR TRUNCATE ON database_identity
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The attempt journals, one per instance. `compared` is the number of the last suspension after
-- which the journal was compared with the database, `missing` how many of its attempts had no row.
CREATE TABLE journals (
    id text COLLATE "C" NOT NULL,
    registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    compared bigint,
    missing bigint NOT NULL DEFAULT 0,
    CONSTRAINT journals_id PRIMARY KEY (id)
);

-- Comparisons with the records of a provider, and who acknowledged them.
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

-- References that a provider knows and this database does not: nothing is opened under them until
-- each is settled, and never again where a delivery was booked. A reference that belongs to no
-- account has an empty account, and itself in the place of the merchant's reference.
CREATE TABLE unsettled_references (
    provider_reference text COLLATE "C" NOT NULL,
    provider text NOT NULL,
    account text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    settled_at timestamptz,
    settled_by text,
    settlement text,
    amount bigint,
    currency text COLLATE "C",
    CONSTRAINT unsettled_references_once PRIMARY KEY (provider_reference),
    CONSTRAINT unsettled_settlement CHECK (
        settlement IN ('charged', 'absorbed', 'not_delivered', 'reopened')
    ),
    CONSTRAINT unsettled_amount CHECK (amount >= 0),
    CONSTRAINT unsettled_settled CHECK (
        (settled_at IS NULL) = (settled_by IS NULL) AND (settled_at IS NULL) = (settlement IS NULL)
    ),
    CONSTRAINT unsettled_booked CHECK (
        (amount IS NOT NULL) = (settlement IS NOT NULL AND settlement IN ('charged', 'absorbed'))
        AND (amount IS NULL) = (currency IS NULL)
    )
);

CREATE INDEX unsettled_references_name ON unsettled_references (account, reference);

CREATE TRIGGER unsettled_references_no_delete BEFORE DELETE OR TRUNCATE ON unsettled_references
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER unsettled_references_immutable BEFORE UPDATE OF
    provider_reference, provider, account, reference, noted_at
ON unsettled_references FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER unsettled_references_settled_once BEFORE UPDATE ON unsettled_references
FOR EACH ROW WHEN (old.settled_at IS NOT NULL) EXECUTE FUNCTION refuse_change();

-- The log of operators: each act is signed by its actor, and each entry holds the hash of the entry
-- before it. An operator is an entry that adds one, signed by an earlier operator.
CREATE TABLE operator_log (
    number bigint NOT NULL,
    at bigint NOT NULL,
    actor text COLLATE "C" NOT NULL,
    act text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    amount bigint,
    currency text COLLATE "C",
    detail text COLLATE "C" NOT NULL,
    approves bigint REFERENCES operator_log (number),
    previous bytea NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT operator_log_number PRIMARY KEY (number),
    CONSTRAINT operator_log_from_one CHECK (number > 0),
    CONSTRAINT operator_log_previous CHECK (octet_length(previous) = 32),
    CONSTRAINT operator_log_amount CHECK ((amount IS NULL) = (currency IS NULL)),
    -- The program signs nothing.
    CONSTRAINT operator_log_signature CHECK (
        octet_length(signature) = CASE actor WHEN 'program' THEN 0 ELSE 64 END
    )
);

CREATE INDEX operator_log_act ON operator_log (act, number);

CREATE TRIGGER operator_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Servers and operators are roles of their own. A server may change nothing of an account, and
-- endpoints of one account are registered one after the other: this locks the account for it.
CREATE FUNCTION lock_account(wanted text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM 1 FROM public.accounts WHERE id = wanted FOR NO KEY UPDATE;
END
$$;

REVOKE EXECUTE ON FUNCTION lock_account(text) FROM PUBLIC;

-- The tables as the queries of the audit name them, the same for every store. Only audits read
-- them.
CREATE SCHEMA audit;

CREATE VIEW audit.accounts AS SELECT id, name, status, currency, message_currency FROM accounts;

CREATE VIEW audit.wallets AS
SELECT account, currency, available, held, debits, credits FROM wallets;

CREATE VIEW audit.transactions AS
SELECT t.account || '/' || t.number AS id, t.number, t.account, t.reference, t.idempotency_key,
    t.request_fingerprint, t.service, t.provider, t.state, t.currency, t.amount, t.price, t.cost,
    t.fee, t.vat, t.levy, t.version, t.sequence, t.opened_at, t.updated_at, a.due_at
FROM transactions AS t
LEFT JOIN attempts_open AS a ON a.account = t.account AND a.transaction = t.number;

CREATE VIEW audit.attempts AS
SELECT account || '/' || transaction AS transaction_id, number, state, NULL AS evidence,
    provider_reference, started_at, NULL::bigint AS ended_at, NULL::bigint AS contradicted_at,
    NULL::bigint AS taken_back_at
FROM attempts_open
UNION ALL
SELECT account || '/' || transaction, number, state, evidence, provider_reference, started_at,
    ended_at, contradicted_at, taken_back_at
FROM attempts_ended;

CREATE VIEW audit.events AS
SELECT account || '/' || transaction AS transaction_id, sequence, kind, at FROM events;

CREATE VIEW audit.transfers AS
SELECT id, CASE WHEN transaction <> 0 THEN account || '/' || transaction END AS transaction_id,
    kind, debit_kind, debit_holder, credit_kind, credit_holder, amount, currency, narration, at,
    CASE WHEN position IS NOT NULL THEN account END AS account, direction, position, nth,
    available_after
FROM transfers;

CREATE VIEW audit.fundings AS
SELECT g.account, g.reference, f.id AS transfer_id, g.at
FROM fundings AS g
LEFT JOIN transfers AS f ON f.account = g.account AND f.currency = g.currency
    AND f.position = g.position AND f.kind = 'fund' AND f.amount = g.amount;
