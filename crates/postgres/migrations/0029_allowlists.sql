-- Allowlists of keys, with all their versions: the latest of each key counts, and has the whole list.
-- The role of a server adds rows here, so each carries a seal, a hash over everything that it says
-- under the pepper. Where one is not sealed as it is, its key is used from nowhere.

CREATE TABLE allowlists (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    key bigint NOT NULL,
    version integer NOT NULL,
    entries text NOT NULL,
    created_at bigint NOT NULL,
    made_by bigint NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT allowlists_version PRIMARY KEY (account, key, version),
    CONSTRAINT allowlists_from_one CHECK (version > 0),
    CONSTRAINT allowlists_seal CHECK (octet_length(seal) = 32)
);

CREATE INDEX allowlists_changed ON allowlists (account, created_at);

CREATE TRIGGER allowlists_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON allowlists
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
