-- What was changed of accounts, numbered from 1 for each. The role of a server adds rows here, so each
-- carries a seal, a hash over what it says under the pepper, and the hash of the row before it, which
-- its own hash covers.

CREATE TABLE account_changes (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    actor text NOT NULL,
    key bigint,
    user_id bigint,
    action text COLLATE "C" NOT NULL,
    target text NOT NULL,
    before text,
    after text,
    address text,
    request_id text,
    at bigint NOT NULL,
    seal bytea NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT account_changes_number PRIMARY KEY (account, number),
    CONSTRAINT account_changes_from_one CHECK (number > 0),
    CONSTRAINT account_changes_seal CHECK (octet_length(seal) = 32),
    CONSTRAINT account_changes_previous CHECK (octet_length(previous) = 32),
    CONSTRAINT account_changes_hash CHECK (octet_length(hash) = 32)
);

CREATE TRIGGER account_changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON account_changes
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
