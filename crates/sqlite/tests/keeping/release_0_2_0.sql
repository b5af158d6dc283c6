-- A file of release 0.2.0 as the `.dump` of sqlite3 writes it. It never changes: later versions
-- must open it as it is.
BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "_sqlx_migrations" VALUES(1,'baseline','2026-11-23 13:15:02',1,X'11FFF89E9C923057632B300743B68F0B103AAFE7402C6C8B1BB4C15A2CA383835603EA704C3C29518007B96A5D8E18DE',2417027);
CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL CONSTRAINT accounts_status CHECK (status IN ('active', 'suspended')),
    currency TEXT NOT NULL,
    message_currency TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "accounts" VALUES('shop','shop','active','NGN','NGN','Africa/Lagos',1768467600000);
CREATE TABLE api_keys (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    hint TEXT NOT NULL,
    hash BLOB NOT NULL CONSTRAINT api_keys_hash CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    CONSTRAINT api_keys_id PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "api_keys" VALUES('shop',1,'mk_test_K001',X'0101010101010101010101010101010101010101010101010101010101010101',1768467601000,NULL);
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
INSERT INTO "attempts" VALUES(1,1,'delivered','answered','shop.order-1.1',1768467600000,1768467600000,NULL,NULL);
INSERT INTO "attempts" VALUES(2,1,'disproven','refused','shop.order-3.1',1768467600000,1768467600000,NULL,NULL);
INSERT INTO "attempts" VALUES(3,1,'sending',NULL,'shop.order-4.1',1768467600000,NULL,NULL,NULL);
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
CREATE TABLE events (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id),
    sequence INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO "events" VALUES(1,1,'opened',1768467600000);
INSERT INTO "events" VALUES(1,2,'successful',1768467600000);
INSERT INTO "events" VALUES(2,1,'opened',1768467600000);
INSERT INTO "events" VALUES(2,2,'failed',1768467600000);
INSERT INTO "events" VALUES(3,1,'opened',1768467600000);
CREATE TABLE fundings (
    account TEXT NOT NULL REFERENCES accounts (id),
    reference TEXT NOT NULL,
    transfer_id INTEGER NOT NULL REFERENCES transfers (id),
    at INTEGER NOT NULL
) STRICT;
INSERT INTO "fundings" VALUES('shop','opening-balance',1,1768467600000);
INSERT INTO "fundings" VALUES('shop','slip-1',2,1768467600000);
CREATE TABLE journals (
    id TEXT NOT NULL PRIMARY KEY,
    registered_at INTEGER NOT NULL,
    ended_at INTEGER,
    compared INTEGER,
    missing INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
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
CREATE TABLE provider_cursors (
    provider TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL CONSTRAINT provider_cursors_position CHECK (position >= 0),
    read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE reconciliations (
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    acknowledged_by TEXT NOT NULL,
    provider TEXT NOT NULL,
    compared INTEGER NOT NULL,
    missing TEXT NOT NULL,
    PRIMARY KEY (number, provider)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE suspension (
    one INTEGER PRIMARY KEY CONSTRAINT suspension_single CHECK (one = 1),
    number INTEGER NOT NULL,
    since INTEGER,
    reason TEXT,
    clearance TEXT NOT NULL
    CONSTRAINT suspension_clearance CHECK (clearance IN ('journals', 'person', 'records')),
    CONSTRAINT suspension_reason CHECK ((since IS NULL) = (reason IS NULL))
) STRICT;
INSERT INTO "suspension" VALUES(1,0,NULL,NULL,'journals');
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
INSERT INTO "transactions" VALUES(1,1,'shop','order-1',NULL,NULL,'airtime','sandbox','successful','NGN',100,100,100,0,0,0,2,2,1768467600000,1768467600000,NULL,0,'{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,"network_code":"mtn","network_brandname":"MTN","billing":"prepaid","amount":[100,"NGN"]}},"quote":{"amount":[100,"NGN"],"commission":[0,"NGN"],"fee":[0,"NGN"],"price":[100,"NGN"],"cost":[100,"NGN"],"rule":"catalogue:airtime.test"}}','{"v":1,"state":{"successful":{"attempt":1,"fulfilment":"airtime","evidence":"answered","at":1768467600000}},"earlier":[]}',NULL);
INSERT INTO "transactions" VALUES(2,3,'shop','order-3',NULL,NULL,'airtime','sandbox','failed','NGN',100,100,100,0,0,0,2,2,1768467600000,1768467600000,NULL,0,'{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,"network_code":"mtn","network_brandname":"MTN","billing":"prepaid","amount":[100,"NGN"]}},"quote":{"amount":[100,"NGN"],"commission":[0,"NGN"],"fee":[0,"NGN"],"price":[100,"NGN"],"cost":[100,"NGN"],"rule":"catalogue:airtime.test"}}','{"v":1,"state":{"failed":{"attempt":1,"proof":{"refused":{"code":"R01","reason":"Refused by the network"}},"at":1768467600000,"contradicted_at":null,"taken_back_at":null}},"earlier":[]}',NULL);
INSERT INTO "transactions" VALUES(3,4,'shop','order-4',NULL,NULL,'airtime','sandbox','sending','NGN',100,100,100,0,0,0,1,1,1768467600000,1768467600000,1768467660000,0,'{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,"network_code":"mtn","network_brandname":"MTN","billing":"prepaid","amount":[100,"NGN"]}},"quote":{"amount":[100,"NGN"],"commission":[0,"NGN"],"fee":[0,"NGN"],"price":[100,"NGN"],"cost":[100,"NGN"],"rule":"catalogue:airtime.test"}}','{"v":1,"state":{"sending":{"attempt":1,"started_at":1768467600000}},"earlier":[]}',NULL);
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
INSERT INTO "transfers" VALUES(1,NULL,'fund','funding',NULL,'available','shop',500,'NGN','Paid in: opening-balance',1768467600000,'shop','credit',1,1,500);
INSERT INTO "transfers" VALUES(2,NULL,'fund','funding',NULL,'available','shop',10000,'NGN','Paid in: slip-1',1768467600000,'shop','credit',2,2,10500);
INSERT INTO "transfers" VALUES(3,1,'hold','available','shop','held','shop',100,'NGN','Airtime MTN 2348031234567',1768467600000,'shop','debit',3,1,10400);
INSERT INTO "transfers" VALUES(4,2,'hold','available','shop','held','shop',100,'NGN','Airtime MTN 2348031234567',1768467600000,'shop','debit',4,2,10300);
INSERT INTO "transfers" VALUES(5,3,'hold','available','shop','held','shop',100,'NGN','Airtime MTN 2348031234567',1768467600000,'shop','debit',5,3,10200);
INSERT INTO "transfers" VALUES(6,1,'capture','held','shop','float','sandbox',100,'NGN',NULL,1768467600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "transfers" VALUES(7,2,'release','held','shop','available','shop',100,'NGN','Released: Airtime MTN 2348031234567',1768467600000,'shop','credit',6,3,10300);
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
INSERT INTO "wallets" VALUES('shop','CRD',0,0,0,0,NULL);
INSERT INTO "wallets" VALUES('shop','NGN',10300,100,3,3,NULL);
CREATE TRIGGER accounts_no_delete BEFORE DELETE ON accounts BEGIN
    SELECT RAISE(ABORT, 'accounts are never deleted');
END;
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
CREATE TRIGGER wallets_no_delete BEFORE DELETE ON wallets BEGIN
    SELECT RAISE(ABORT, 'wallets are never deleted');
END;
CREATE TRIGGER wallets_immutable BEFORE UPDATE OF account, currency ON wallets BEGIN
    SELECT RAISE(ABORT, 'the owner and currency of a wallet are immutable');
END;
CREATE UNIQUE INDEX senders_name ON senders (account, name COLLATE NOCASE);
CREATE TRIGGER senders_no_delete BEFORE DELETE ON senders BEGIN
    SELECT RAISE(ABORT, 'senders are never deleted');
END;
CREATE TRIGGER senders_immutable BEFORE UPDATE OF serial, account, name, requested_at
ON senders BEGIN
    SELECT RAISE(ABORT, 'a registration is immutable');
END;
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
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
CREATE UNIQUE INDEX transfers_once ON transfers (
    transaction_id, kind, CASE WHEN kind IN ('loss', 'loss_reversal') THEN id ELSE 0 END
) WHERE transaction_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_settled_once ON transfers (transaction_id)
WHERE kind IN ('capture', 'release');
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
CREATE UNIQUE INDEX fundings_reference ON fundings (account, reference);
CREATE UNIQUE INDEX fundings_transfer ON fundings (transfer_id);
CREATE TRIGGER fundings_no_update BEFORE UPDATE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;
CREATE TRIGGER fundings_no_delete BEFORE DELETE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;
CREATE INDEX endpoints_removed ON endpoints (removed_at) WHERE removed_at IS NOT NULL;
CREATE TRIGGER endpoints_immutable BEFORE UPDATE OF
    account, id, target, topics, description, with_tokens, created_at
ON endpoints BEGIN
    SELECT RAISE(ABORT, 'a registration is immutable');
END;
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
CREATE INDEX delivery_attempts_of ON delivery_attempts (delivery_id);
CREATE TRIGGER delivery_attempts_no_update BEFORE UPDATE ON delivery_attempts BEGIN
    SELECT RAISE(ABORT, 'delivery attempts are immutable');
END;
CREATE INDEX dead_letters_due ON dead_letters (due_at) WHERE due_at IS NOT NULL;
CREATE TRIGGER dead_letters_no_delete BEFORE DELETE ON dead_letters BEGIN
    SELECT RAISE(ABORT, 'dead letters are never deleted');
END;
CREATE TRIGGER dead_letters_immutable
BEFORE UPDATE OF provider, position, reference, outcome, first_seen_at ON dead_letters BEGIN
    SELECT RAISE(ABORT, 'a provider report is immutable');
END;
CREATE TRIGGER suspension_no_delete BEFORE DELETE ON suspension BEGIN
    SELECT RAISE(ABORT, 'the suspension is one row');
END;
CREATE TRIGGER reconciliations_no_update BEFORE UPDATE ON reconciliations BEGIN
    SELECT RAISE(ABORT, 'reconciliations are append-only');
END;
CREATE TRIGGER reconciliations_no_delete BEFORE DELETE ON reconciliations BEGIN
    SELECT RAISE(ABORT, 'reconciliations are append-only');
END;
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
COMMIT;
