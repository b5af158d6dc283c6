-- Keys that merchants make, and the users who hold them. Each row carries a seal: a hash over
-- everything that it says, under the pepper, which no database has. What is not sealed as it is and
-- where it is opens nothing. Rows are added and never changed: a key is revoked, and a user
-- disabled, by a row that cannot be taken away.

CREATE TABLE access_keys (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    hint TEXT NOT NULL,
    hash BLOB NOT NULL CONSTRAINT access_keys_hash CHECK (length(hash) = 32),
    scopes TEXT NOT NULL,
    networks TEXT,
    expires_at INTEGER,
    user_id INTEGER,
    created_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    seal BLOB NOT NULL CONSTRAINT access_keys_seal CHECK (length(seal) = 32),
    CONSTRAINT access_keys_id PRIMARY KEY (account, id),
    CONSTRAINT access_keys_hint UNIQUE (account, hint)
) STRICT, WITHOUT ROWID;

CREATE INDEX access_keys_created ON access_keys (account, created_at);

CREATE TABLE access_key_revocations (
    account TEXT NOT NULL,
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT access_key_revocations_id PRIMARY KEY (account, id),
    CONSTRAINT access_key_revocations_key FOREIGN KEY (account, id)
        REFERENCES access_keys (account, id)
) STRICT, WITHOUT ROWID;

-- Which keys are not revoked, so that they are found without looking at the others. It only saves
-- work: a key that is revoked opens nothing although it stands here, and one that was taken out
-- does not open either.
CREATE TABLE access_keys_live (
    account TEXT NOT NULL,
    id INTEGER NOT NULL,
    CONSTRAINT access_keys_live_id PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_users (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    code BLOB NOT NULL CONSTRAINT account_users_code CHECK (length(code) = 32),
    created_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    seal BLOB NOT NULL CONSTRAINT account_users_seal CHECK (length(seal) = 32),
    CONSTRAINT account_users_id PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX account_users_email ON account_users (account, email);
CREATE INDEX account_users_created ON account_users (account, created_at, id);

-- What happened to users since: codes that were wrong, the activation, the end. The number makes of
-- two that are added at once the second one wait for its turn.
CREATE TABLE account_user_steps (
    account TEXT NOT NULL,
    id INTEGER NOT NULL,
    number INTEGER NOT NULL CONSTRAINT account_user_steps_number CHECK (number > 0),
    kind TEXT NOT NULL CONSTRAINT account_user_steps_kind
        CHECK (kind IN ('wrong-code', 'activated', 'disabled')),
    at INTEGER NOT NULL,
    seal BLOB NOT NULL CONSTRAINT account_user_steps_seal CHECK (length(seal) = 32),
    CONSTRAINT account_user_steps_id PRIMARY KEY (account, id, number),
    CONSTRAINT account_user_steps_user FOREIGN KEY (account, id)
        REFERENCES account_users (account, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER access_keys_no_update BEFORE UPDATE ON access_keys BEGIN
    SELECT RAISE(ABORT, 'access_keys are append-only');
END;

CREATE TRIGGER access_keys_no_delete BEFORE DELETE ON access_keys BEGIN
    SELECT RAISE(ABORT, 'access_keys are append-only');
END;

CREATE TRIGGER access_keys_no_replace BEFORE INSERT ON access_keys
WHEN EXISTS (
    SELECT 1 FROM access_keys
    WHERE account = NEW.account AND (id = NEW.id OR hint = NEW.hint)
) BEGIN
    SELECT RAISE(ABORT, 'access_keys are append-only');
END;

CREATE TRIGGER access_key_revocations_no_update BEFORE UPDATE ON access_key_revocations BEGIN
    SELECT RAISE(ABORT, 'access_key_revocations are append-only');
END;

CREATE TRIGGER access_key_revocations_no_delete BEFORE DELETE ON access_key_revocations BEGIN
    SELECT RAISE(ABORT, 'access_key_revocations are append-only');
END;

CREATE TRIGGER access_key_revocations_no_replace BEFORE INSERT ON access_key_revocations
WHEN EXISTS (
    SELECT 1 FROM access_key_revocations WHERE account = NEW.account AND id = NEW.id
) BEGIN
    SELECT RAISE(ABORT, 'access_key_revocations are append-only');
END;

CREATE TRIGGER account_users_no_update BEFORE UPDATE ON account_users BEGIN
    SELECT RAISE(ABORT, 'account_users are append-only');
END;

CREATE TRIGGER account_users_no_delete BEFORE DELETE ON account_users BEGIN
    SELECT RAISE(ABORT, 'account_users are append-only');
END;

CREATE TRIGGER account_users_no_replace BEFORE INSERT ON account_users
WHEN EXISTS (
    SELECT 1 FROM account_users WHERE account = NEW.account AND id = NEW.id
) BEGIN
    SELECT RAISE(ABORT, 'account_users are append-only');
END;

CREATE TRIGGER account_user_steps_no_update BEFORE UPDATE ON account_user_steps BEGIN
    SELECT RAISE(ABORT, 'account_user_steps are append-only');
END;

CREATE TRIGGER account_user_steps_no_delete BEFORE DELETE ON account_user_steps BEGIN
    SELECT RAISE(ABORT, 'account_user_steps are append-only');
END;

CREATE TRIGGER account_user_steps_no_replace BEFORE INSERT ON account_user_steps
WHEN EXISTS (
    SELECT 1 FROM account_user_steps WHERE account = NEW.account AND id = NEW.id AND number = NEW.number
) BEGIN
    SELECT RAISE(ABORT, 'account_user_steps are append-only');
END;
