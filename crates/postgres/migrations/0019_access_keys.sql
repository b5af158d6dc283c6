-- Keys that merchants make, and the users who hold them. The role of a server adds rows here, so
-- each carries a seal: a hash over everything that it says, under the pepper, which no database
-- has. What is not sealed as it is and where it is opens nothing. Rows are added and never changed:
-- a key is revoked, and a user disabled, by a row that cannot be taken away.

CREATE TABLE access_keys (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    hint text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    scopes text NOT NULL,
    networks text,
    expires_at bigint,
    user_id bigint,
    created_at bigint NOT NULL,
    made_by bigint NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT access_keys_id PRIMARY KEY (account, id),
    CONSTRAINT access_keys_hint UNIQUE (account, hint),
    CONSTRAINT access_keys_hash CHECK (octet_length(hash) = 32),
    CONSTRAINT access_keys_seal CHECK (octet_length(seal) = 32)
);

CREATE INDEX access_keys_created ON access_keys (account, created_at);

CREATE TRIGGER access_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON access_keys
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE access_key_revocations (
    account text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT access_key_revocations_id PRIMARY KEY (account, id),
    CONSTRAINT access_key_revocations_key FOREIGN KEY (account, id)
        REFERENCES access_keys (account, id)
);

CREATE TRIGGER access_key_revocations_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON access_key_revocations
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Which keys are not revoked, so that they are found without looking at the others. It only saves
-- work: a key that is revoked opens nothing although it stands here, and one that was taken out
-- does not open either.
CREATE TABLE access_keys_live (
    account text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT access_keys_live_id PRIMARY KEY (account, id)
);

CREATE TABLE account_users (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    id bigint NOT NULL,
    email text COLLATE "C" NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    code bytea NOT NULL,
    created_at bigint NOT NULL,
    made_by bigint NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT account_users_id PRIMARY KEY (account, id),
    CONSTRAINT account_users_code CHECK (octet_length(code) = 32),
    CONSTRAINT account_users_seal CHECK (octet_length(seal) = 32)
);

CREATE INDEX account_users_email ON account_users (account, email);
CREATE INDEX account_users_created ON account_users (account, created_at, id);

CREATE TRIGGER account_users_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON account_users
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What happened to users since: codes that were wrong, the activation, the end. The number makes of
-- two that are added at once the second one wait for its turn.
CREATE TABLE account_user_steps (
    account text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    number integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT account_user_steps_id PRIMARY KEY (account, id, number),
    CONSTRAINT account_user_steps_user FOREIGN KEY (account, id)
        REFERENCES account_users (account, id),
    CONSTRAINT account_user_steps_number CHECK (number > 0),
    CONSTRAINT account_user_steps_kind CHECK (kind IN ('wrong-code', 'activated', 'disabled')),
    CONSTRAINT account_user_steps_seal CHECK (octet_length(seal) = 32)
);

CREATE TRIGGER account_user_steps_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON account_user_steps
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
