-- The schema of the embedded store. Timestamps are milliseconds since 1970-01-01T00:00:00Z, money
-- is whole minor units (kobo). The audit compares the triggers of a database with this file.

-- Accounts.

CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL CONSTRAINT accounts_status CHECK (status IN ('active', 'suspended')),
    currency TEXT NOT NULL,
    message_currency TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER accounts_no_delete BEFORE DELETE ON accounts BEGIN
    SELECT RAISE(ABORT, 'accounts are never deleted');
END;

-- API keys. Only a keyed hash is stored; it covers the account and the number of the key, so a row
-- that is copied to another account or number opens nothing. A revoked key stays, to explain who
-- could do what and when.

CREATE TABLE api_keys (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    hint TEXT NOT NULL,
    hash BLOB NOT NULL CONSTRAINT api_keys_hash CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    CONSTRAINT api_keys_id PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_live ON api_keys (account, created_at) WHERE revoked_at IS NULL;

CREATE TRIGGER api_keys_no_delete BEFORE DELETE ON api_keys BEGIN
    SELECT RAISE(ABORT, 'keys are revoked, never deleted');
END;

CREATE TRIGGER api_keys_no_replace BEFORE INSERT ON api_keys
WHEN EXISTS (SELECT 1 FROM api_keys WHERE account = NEW.account AND id = NEW.id) BEGIN
    SELECT RAISE(ABORT, 'a key is stored once');
END;

CREATE TRIGGER api_keys_immutable BEFORE UPDATE OF account, id, hint, hash, created_at
ON api_keys BEGIN
    SELECT RAISE(ABORT, 'an API key is immutable');
END;

CREATE TRIGGER api_keys_revoked_once BEFORE UPDATE ON api_keys
WHEN OLD.revoked_at IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'a key is revoked once, for good');
END;

-- Wallets, one per account and currency: the only stored balances. `debits` and `credits` count the
-- entries of the statement, so that a page far inside it is found without counting. An event is
-- sent when `available` falls below `low_balance_threshold`.

CREATE TABLE wallets (
    account TEXT NOT NULL REFERENCES accounts (id),
    currency TEXT NOT NULL,
    available INTEGER NOT NULL CONSTRAINT wallets_available CHECK (available >= 0),
    held INTEGER NOT NULL CONSTRAINT wallets_held CHECK (held >= 0),
    debits INTEGER NOT NULL DEFAULT 0,
    credits INTEGER NOT NULL DEFAULT 0,
    low_balance_threshold INTEGER
    CONSTRAINT wallets_low_balance_threshold CHECK (low_balance_threshold > 0),
    PRIMARY KEY (account, currency)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER wallets_no_delete BEFORE DELETE ON wallets BEGIN
    SELECT RAISE(ABORT, 'wallets are never deleted');
END;

CREATE TRIGGER wallets_immutable BEFORE UPDATE OF account, currency ON wallets BEGIN
    SELECT RAISE(ABORT, 'the owner and currency of a wallet are immutable');
END;

-- Sender names of messages, registered by an account and approved by an operator. Handsets show a
-- name as written, people read it without regard to case.

CREATE TABLE senders (
    serial TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    status TEXT NOT NULL CONSTRAINT senders_status CHECK (
        status IN ('pending', 'approved', 'rejected')
    ),
    requested_at INTEGER NOT NULL,
    decided_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX senders_name ON senders (account, name COLLATE NOCASE);

CREATE TRIGGER senders_no_delete BEFORE DELETE ON senders BEGIN
    SELECT RAISE(ABORT, 'senders are never deleted');
END;

CREATE TRIGGER senders_immutable BEFORE UPDATE OF serial, account, name, requested_at
ON senders BEGIN
    SELECT RAISE(ABORT, 'a registration is immutable');
END;

-- Transactions. `number` is random and public; `id` rises with every transaction, so that rows
-- which are written together lie together. `number` comes first in its index for the same reason.

CREATE TABLE transactions (
    id INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id),
    reference TEXT NOT NULL,
    idempotency_key TEXT,
    request_fingerprint BLOB,
    service TEXT NOT NULL,
    provider TEXT NOT NULL,
    state TEXT NOT NULL CONSTRAINT transactions_state CHECK (
        state IN ('sending', 'in_doubt', 'review', 'successful', 'failed', 'reversed')
    ),
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    price INTEGER NOT NULL CONSTRAINT transactions_price CHECK (price > 0),
    cost INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    vat INTEGER NOT NULL,
    levy INTEGER NOT NULL,
    -- The version and sequence of the transaction, not of this row's shape.
    version INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    due_at INTEGER,
    -- Whether `due_at` is the end of a lease.
    leased INTEGER NOT NULL DEFAULT 0,
    -- Versioned JSON: what was bought and at what price, and where the transaction stands.
    purchase TEXT NOT NULL,
    progress TEXT NOT NULL,
    -- The number of a meter token, sealed; NULL once it was erased.
    token TEXT,
    CONSTRAINT transactions_request_fingerprint CHECK (
        (idempotency_key IS NULL) = (request_fingerprint IS NULL)
    )
) STRICT;

CREATE UNIQUE INDEX transactions_number ON transactions (number, account);

CREATE UNIQUE INDEX transactions_reference ON transactions (account, reference);

CREATE UNIQUE INDEX transactions_key ON transactions (account, idempotency_key)
WHERE idempotency_key IS NOT NULL;

CREATE INDEX transactions_due ON transactions (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX transactions_review ON transactions (updated_at) WHERE state = 'review';

CREATE INDEX transactions_token ON transactions (opened_at) WHERE token IS NOT NULL;

CREATE TRIGGER transactions_no_delete BEFORE DELETE ON transactions BEGIN
    SELECT RAISE(ABORT, 'transactions are never deleted');
END;

CREATE TRIGGER transactions_immutable BEFORE UPDATE OF
    id, number, account, reference, idempotency_key, request_fingerprint, service, provider,
    currency, amount, price, cost, fee, vat, levy, opened_at, purchase
ON transactions BEGIN
    SELECT RAISE(ABORT, 'an order is immutable');
END;

-- Attempts. At most one attempt of a transaction is undecided.

CREATE TABLE attempts (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL CONSTRAINT attempts_state CHECK (
        state IN ('sending', 'in_doubt', 'review', 'delivered', 'reversed', 'disproven')
    ),
    evidence TEXT,
    provider_reference TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    contradicted_at INTEGER,
    taken_back_at INTEGER,
    PRIMARY KEY (transaction_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX attempts_provider_reference ON attempts (provider_reference);

CREATE UNIQUE INDEX attempts_open ON attempts (transaction_id)
WHERE state IN ('sending', 'in_doubt', 'review');

CREATE TRIGGER attempts_no_delete BEFORE DELETE ON attempts BEGIN
    SELECT RAISE(ABORT, 'attempts are never deleted');
END;

CREATE TRIGGER attempts_immutable BEFORE UPDATE OF
    transaction_id, number, provider_reference, started_at
ON attempts BEGIN
    SELECT RAISE(ABORT, 'a sent attempt is immutable');
END;

-- Events of transactions, numbered without a gap.

CREATE TABLE events (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id),
    sequence INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

-- The double-entry ledger: one debit and one credit of the same amount in every row.

CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    transaction_id INTEGER REFERENCES transactions (id),
    kind TEXT NOT NULL,
    debit_kind TEXT NOT NULL,
    debit_holder TEXT,
    credit_kind TEXT NOT NULL,
    credit_holder TEXT,
    amount INTEGER NOT NULL CONSTRAINT transfers_amount CHECK (amount > 0),
    currency TEXT NOT NULL,
    narration TEXT,
    at INTEGER NOT NULL,
    -- The line on a merchant's statement, where the transfer changes what can be spent: whose,
    -- which way, which line of all and of its direction, and what can be spent after it.
    account TEXT REFERENCES accounts (id),
    direction TEXT CONSTRAINT transfers_direction CHECK (direction IN ('debit', 'credit')),
    position INTEGER,
    nth INTEGER,
    available_after INTEGER,
    CONSTRAINT transfers_kind CHECK (
        (kind IN ('fund', 'settlement', 'settlement_loss')) = (transaction_id IS NULL)
    ),
    CONSTRAINT transfers_legs CHECK (
        debit_kind <> credit_kind OR debit_holder IS NOT credit_holder
    ),
    CONSTRAINT transfers_line CHECK (
        (account IS NULL) = (direction IS NULL)
        AND (account IS NULL) = (position IS NULL)
        AND (account IS NULL) = (nth IS NULL)
        AND (account IS NULL) = (available_after IS NULL)
    )
) STRICT;

-- Each kind of movement happens once per transaction; only losses, and their reversals, may be
-- booked for both attempts.
CREATE UNIQUE INDEX transfers_once ON transfers (
    transaction_id, kind, CASE WHEN kind IN ('loss', 'loss_reversal') THEN id ELSE 0 END
) WHERE transaction_id IS NOT NULL;

-- A held price is captured or released, never both.
CREATE UNIQUE INDEX transfers_settled_once ON transfers (transaction_id)
WHERE kind IN ('capture', 'release');

-- Each wallet numbers the entries of its own statement.
CREATE UNIQUE INDEX transfers_position ON transfers (account, currency, position)
WHERE account IS NOT NULL;

CREATE UNIQUE INDEX transfers_nth ON transfers (account, currency, direction, nth)
WHERE account IS NOT NULL;

CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;

CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;

-- Payments in, under a reference that works once.

CREATE TABLE fundings (
    account TEXT NOT NULL REFERENCES accounts (id),
    reference TEXT NOT NULL,
    transfer_id INTEGER NOT NULL REFERENCES transfers (id),
    at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX fundings_reference ON fundings (account, reference);

CREATE UNIQUE INDEX fundings_transfer ON fundings (transfer_id);

CREATE TRIGGER fundings_no_update BEFORE UPDATE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;

CREATE TRIGGER fundings_no_delete BEFORE DELETE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;

-- Webhook endpoints. `topics` are words with a space between two of them; NULL stands for all. A
-- removed endpoint is disabled as well, and stays until its deliveries are gone.

CREATE TABLE endpoints (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    target TEXT NOT NULL,
    topics TEXT,
    description TEXT NOT NULL,
    with_tokens INTEGER NOT NULL,
    secret_version INTEGER NOT NULL,
    rotated_at INTEGER,
    rotated_before INTEGER,
    disabled_at INTEGER,
    disabled_reason TEXT,
    created_at INTEGER NOT NULL,
    failing_since INTEGER,
    removed_at INTEGER,
    PRIMARY KEY (account, id),
    CONSTRAINT endpoints_disabled CHECK (
        (disabled_at IS NULL) = (disabled_reason IS NULL)
        AND disabled_reason IN ('merchant', 'gone', 'failing')
    ),
    CONSTRAINT endpoints_removed_is_disabled CHECK (
        removed_at IS NULL OR disabled_at IS NOT NULL
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX endpoints_removed ON endpoints (removed_at) WHERE removed_at IS NOT NULL;

CREATE TRIGGER endpoints_immutable BEFORE UPDATE OF
    account, id, target, topics, description, with_tokens, created_at
ON endpoints BEGIN
    SELECT RAISE(ABORT, 'a registration is immutable');
END;

-- Deliveries of webhook events. `number` and `sequence` identify the event: a transaction and the
-- number of its event, or, with a sequence of 0, an event that no transaction caused. `state`,
-- `version`, `updated_at` and `progress` are the transaction as the event left it; `shown` is the
-- JSON document of an event about an account. Exactly one of `due_at`, `delivered_at` and
-- `parked_at` is set. `answered_at` and `answer` are those of the last attempt.

CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    endpoint INTEGER NOT NULL,
    number INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    currency TEXT NOT NULL DEFAULT '',
    topic TEXT NOT NULL,
    at INTEGER NOT NULL,
    about INTEGER,
    state TEXT,
    version INTEGER,
    updated_at INTEGER,
    progress TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    delivered_at INTEGER,
    parked_at INTEGER,
    shown TEXT
    CONSTRAINT deliveries_shown_alone CHECK (shown IS NULL OR (sequence = 0 AND about IS NULL)),
    replay_count INTEGER NOT NULL DEFAULT 0,
    answered_at INTEGER,
    answer TEXT,
    requested INTEGER NOT NULL DEFAULT 0
    CONSTRAINT deliveries_requested CHECK (requested = 0 OR (requested = 1 AND due_at IS NOT NULL)),
    FOREIGN KEY (account, endpoint) REFERENCES endpoints (account, id),
    CONSTRAINT deliveries_shown CHECK (
        (sequence = 0) = (progress IS NULL) AND (progress IS NULL) = (state IS NULL)
        AND (progress IS NULL) = (version IS NULL) AND (progress IS NULL) = (updated_at IS NULL)
    ),
    CONSTRAINT deliveries_currency CHECK ((currency = '') = (shown IS NULL)),
    CONSTRAINT deliveries_stands CHECK (
        (due_at IS NOT NULL) + (delivered_at IS NOT NULL) + (parked_at IS NOT NULL) = 1
    )
) STRICT;

CREATE UNIQUE INDEX deliveries_once ON deliveries (account, endpoint, number, sequence, currency);

CREATE INDEX deliveries_listed ON deliveries (account, at);

CREATE INDEX deliveries_listed_to ON deliveries (account, endpoint, at);

CREATE INDEX deliveries_due ON deliveries (account, endpoint, requested DESC, due_at)
WHERE due_at IS NOT NULL;

CREATE INDEX deliveries_next ON deliveries (requested, due_at, account, endpoint)
WHERE due_at IS NOT NULL;

CREATE INDEX deliveries_parked ON deliveries (account, at) WHERE parked_at IS NOT NULL;

CREATE INDEX deliveries_parked_to ON deliveries (account, endpoint, at)
WHERE parked_at IS NOT NULL;

CREATE INDEX deliveries_delivered ON deliveries (delivered_at) WHERE delivered_at IS NOT NULL;

CREATE TRIGGER deliveries_immutable BEFORE UPDATE OF
    id, account, endpoint, number, sequence, currency, topic, at, about, state, version, updated_at,
    progress, shown
ON deliveries BEGIN
    SELECT RAISE(ABORT, 'what an event shows is immutable');
END;

CREATE TABLE delivery_attempts (
    id INTEGER PRIMARY KEY,
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id),
    at INTEGER NOT NULL,
    took INTEGER NOT NULL,
    status INTEGER,
    retry_after INTEGER,
    failure TEXT,
    CONSTRAINT delivery_attempts_result CHECK ((status IS NULL) = (failure IS NOT NULL))
) STRICT;

CREATE INDEX delivery_attempts_of ON delivery_attempts (delivery_id);

CREATE TRIGGER delivery_attempts_no_update BEFORE UPDATE ON delivery_attempts BEGIN
    SELECT RAISE(ABORT, 'delivery attempts are immutable');
END;

-- Changes that providers report unasked: how far each feed was read, and the changes that could not
-- be applied. `outcome` is what the provider reported, a JSON document. A dead letter is open while
-- it has a `due_at`, and resolved afterwards.

CREATE TABLE provider_cursors (
    provider TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL CONSTRAINT provider_cursors_position CHECK (position >= 0),
    read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE dead_letters (
    provider TEXT NOT NULL,
    position INTEGER NOT NULL CONSTRAINT dead_letters_position CHECK (position >= 0),
    reference TEXT NOT NULL,
    outcome TEXT NOT NULL,
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

CREATE TRIGGER dead_letters_immutable
BEFORE UPDATE OF provider, position, reference, outcome, first_seen_at ON dead_letters BEGIN
    SELECT RAISE(ABORT, 'a provider report is immutable');
END;

-- Whether payments are suspended because this database may be older than what it acknowledged. One
-- row: `number` rises with every suspension; `clearance` is what ends it, in the order of its
-- words.

CREATE TABLE suspension (
    one INTEGER PRIMARY KEY CONSTRAINT suspension_single CHECK (one = 1),
    number INTEGER NOT NULL,
    since INTEGER,
    reason TEXT,
    clearance TEXT NOT NULL
    CONSTRAINT suspension_clearance CHECK (clearance IN ('journals', 'person', 'records')),
    CONSTRAINT suspension_reason CHECK ((since IS NULL) = (reason IS NULL))
) STRICT;

INSERT INTO suspension (one, number, clearance) VALUES (1, 0, 'journals');

CREATE TRIGGER suspension_no_delete BEFORE DELETE ON suspension BEGIN
    SELECT RAISE(ABORT, 'the suspension is one row');
END;

-- The attempt journals. `compared` is the number of the last suspension after which the journal was
-- compared with this database, `missing` how many of its attempts had no row then.

CREATE TABLE journals (
    id TEXT NOT NULL PRIMARY KEY,
    registered_at INTEGER NOT NULL,
    ended_at INTEGER,
    compared INTEGER,
    missing INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Comparisons with the records of a provider, and who acknowledged them.

CREATE TABLE reconciliations (
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    acknowledged_by TEXT NOT NULL,
    provider TEXT NOT NULL,
    compared INTEGER NOT NULL,
    missing TEXT NOT NULL,
    PRIMARY KEY (number, provider)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER reconciliations_no_update BEFORE UPDATE ON reconciliations BEGIN
    SELECT RAISE(ABORT, 'reconciliations are append-only');
END;

CREATE TRIGGER reconciliations_no_delete BEFORE DELETE ON reconciliations BEGIN
    SELECT RAISE(ABORT, 'reconciliations are append-only');
END;

-- References that a provider knows and this database does not: nothing is opened under them until
-- each is settled, and never again where a delivery was booked. A reference that belongs to no
-- account has an empty account, and itself in the place of the merchant's reference.

CREATE TABLE unsettled_references (
    provider_reference TEXT NOT NULL PRIMARY KEY,
    provider TEXT NOT NULL,
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    settled_at INTEGER,
    settled_by TEXT,
    settlement TEXT CONSTRAINT unsettled_settlement CHECK (
        settlement IN ('charged', 'absorbed', 'not_delivered', 'reopened')
    ),
    amount INTEGER CONSTRAINT unsettled_amount CHECK (amount >= 0),
    currency TEXT,
    CONSTRAINT unsettled_settled CHECK (
        (settled_at IS NULL) = (settled_by IS NULL) AND (settled_at IS NULL) = (settlement IS NULL)
    ),
    CONSTRAINT unsettled_booked CHECK (
        (amount IS NOT NULL) = (settlement IS NOT NULL AND settlement IN ('charged', 'absorbed'))
        AND (amount IS NULL) = (currency IS NULL)
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX unsettled_references_name ON unsettled_references (account, reference);

CREATE TRIGGER unsettled_references_no_delete BEFORE DELETE ON unsettled_references BEGIN
    SELECT RAISE(ABORT, 'references to settle are never deleted');
END;

CREATE TRIGGER unsettled_references_immutable BEFORE UPDATE OF
    provider_reference, provider, account, reference, noted_at
ON unsettled_references BEGIN
    SELECT RAISE(ABORT, 'a provider record is immutable');
END;

CREATE TRIGGER unsettled_references_settled_once BEFORE UPDATE ON unsettled_references
WHEN OLD.settled_at IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'a reference is settled once');
END;

-- The log of operators: each act is signed by its actor, and each entry holds the hash of the entry
-- before it. An operator is an entry that adds one, signed by an earlier operator.

CREATE TABLE operator_log (
    number INTEGER PRIMARY KEY CONSTRAINT operator_log_number CHECK (number > 0),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    act TEXT NOT NULL,
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    amount INTEGER,
    currency TEXT,
    detail TEXT NOT NULL,
    approves INTEGER REFERENCES operator_log (number),
    previous BLOB NOT NULL CONSTRAINT operator_log_previous CHECK (length(previous) = 32),
    signature BLOB NOT NULL,
    CONSTRAINT operator_log_amount CHECK ((amount IS NULL) = (currency IS NULL)),
    -- The program signs nothing.
    CONSTRAINT operator_log_signature CHECK (
        length(signature) = CASE actor WHEN 'program' THEN 0 ELSE 64 END
    )
) STRICT;

CREATE INDEX operator_log_act ON operator_log (act, number);

CREATE TRIGGER operator_log_no_update BEFORE UPDATE ON operator_log BEGIN
    SELECT RAISE(ABORT, 'the log of operators is append-only');
END;

CREATE TRIGGER operator_log_no_delete BEFORE DELETE ON operator_log BEGIN
    SELECT RAISE(ABORT, 'the log of operators is append-only');
END;

CREATE TRIGGER operator_log_no_replace BEFORE INSERT ON operator_log
WHEN EXISTS (SELECT 1 FROM operator_log WHERE number = NEW.number) BEGIN
    SELECT RAISE(ABORT, 'the log of operators is append-only');
END;
