-- Limits that merchants set on what is spent, with all their versions: the latest of each counts.
-- The role of a server adds rows here, so each carries a seal, a hash over everything that it says
-- under the pepper. Where one is not sealed as it is, nothing is spent.

CREATE TABLE spending_limits (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    services text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    currency text COLLATE "C" NOT NULL,
    per_transaction bigint,
    per_day bigint,
    approval_above bigint,
    created_at bigint NOT NULL,
    made_by bigint NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT spending_limits_version PRIMARY KEY (account, services, version),
    CONSTRAINT spending_limits_from_one CHECK (version > 0),
    CONSTRAINT spending_limits_amounts
        CHECK (least(per_transaction, per_day, approval_above) >= 0),
    CONSTRAINT spending_limits_seal CHECK (octet_length(seal) = 32)
);

CREATE INDEX spending_limits_created ON spending_limits (account, created_at);

CREATE TRIGGER spending_limits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON spending_limits
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What was spent in the latest day that was counted: from when on, and how much.
ALTER TABLE wallets
    ADD COLUMN counted_from bigint,
    ADD COLUMN spent bigint NOT NULL DEFAULT 0;

-- Which payments wait for another user to approve them.
ALTER TABLE queue ADD COLUMN awaits_approval boolean NOT NULL DEFAULT false;

CREATE INDEX queue_awaits_approval ON queue (account, transaction) WHERE awaits_approval;

CREATE OR REPLACE VIEW audit.wallets AS
SELECT account, currency, available, held, debits, credits, counted_from, spent FROM wallets;
