-- Freezes of accounts, keys and services, with all their versions: the latest of each counts. The role
-- of a server adds rows here, so each carries a seal, a hash over everything that it says under the
-- pepper. Where one is not sealed as it is, nothing is paid.

CREATE TABLE freezes (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    target text COLLATE "C" NOT NULL,
    key bigint NOT NULL,
    version integer NOT NULL,
    frozen boolean NOT NULL,
    reason text NOT NULL,
    created_at bigint NOT NULL,
    made_by bigint NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT freezes_version PRIMARY KEY (account, target, key, version),
    CONSTRAINT freezes_of_key CHECK (target = 'key' OR key = 0),
    CONSTRAINT freezes_from_one CHECK (version > 0),
    CONSTRAINT freezes_seal CHECK (octet_length(seal) = 32)
);

CREATE INDEX freezes_lifted ON freezes (account, created_at) WHERE NOT frozen;

CREATE TRIGGER freezes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON freezes
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What of the account is frozen, in words, with each of its wallets: what moves money reads it under
-- the lock of the wallet.
ALTER TABLE wallets ADD COLUMN frozen text;

-- When keys end whose place another one takes. A key without a row lasts as long as it says.
CREATE TABLE access_key_ends (
    account text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    ends_at bigint NOT NULL,
    replaced_by bigint NOT NULL,
    CONSTRAINT access_key_ends_id PRIMARY KEY (account, id),
    FOREIGN KEY (account, id) REFERENCES access_keys (account, id)
);

CREATE TRIGGER access_key_ends_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON access_key_ends
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
