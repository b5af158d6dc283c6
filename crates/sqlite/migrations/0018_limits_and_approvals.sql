-- Limits that merchants set on what is spent, with all their versions: the latest of each counts.
-- Each row carries a seal, a hash over everything that it says under the pepper. Where one is not
-- sealed as it is, nothing is spent.

CREATE TABLE spending_limits (
    account TEXT NOT NULL REFERENCES accounts (id),
    services TEXT NOT NULL,
    version INTEGER NOT NULL CONSTRAINT spending_limits_from_one CHECK (version > 0),
    currency TEXT NOT NULL,
    per_transaction INTEGER CONSTRAINT spending_limits_per_transaction CHECK (per_transaction >= 0),
    per_day INTEGER CONSTRAINT spending_limits_per_day CHECK (per_day >= 0),
    approval_above INTEGER CONSTRAINT spending_limits_approval_above CHECK (approval_above >= 0),
    created_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    seal BLOB NOT NULL CONSTRAINT spending_limits_seal CHECK (length(seal) = 32),
    CONSTRAINT spending_limits_version PRIMARY KEY (account, services, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX spending_limits_created ON spending_limits (account, created_at);

CREATE TRIGGER spending_limits_no_update BEFORE UPDATE ON spending_limits BEGIN
    SELECT RAISE(ABORT, 'spending_limits are append-only');
END;

CREATE TRIGGER spending_limits_no_delete BEFORE DELETE ON spending_limits BEGIN
    SELECT RAISE(ABORT, 'spending_limits are append-only');
END;

CREATE TRIGGER spending_limits_no_replace BEFORE INSERT ON spending_limits
WHEN EXISTS (
    SELECT 1 FROM spending_limits
    WHERE account = NEW.account AND services = NEW.services AND version = NEW.version
) BEGIN
    SELECT RAISE(ABORT, 'spending_limits are append-only');
END;

-- What was spent in the latest day that was counted: from when on, and how much.
ALTER TABLE wallets ADD COLUMN counted_from INTEGER;
ALTER TABLE wallets ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;

-- Which payments wait for another user to approve them.
ALTER TABLE queue ADD COLUMN awaits_approval INTEGER NOT NULL DEFAULT 0;

CREATE INDEX queue_awaits_approval ON queue (transaction_id) WHERE awaits_approval = 1;
