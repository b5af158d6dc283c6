-- Transfers from one account to another. What an account is paid by another belongs to no transaction
-- of its own: the row is on its statement as money paid in is, and a table of its own says which
-- transaction paid it, once.

-- One more kind that belongs to no transaction. A constraint of a table can only be changed in the
-- text of the schema; no row is touched, and every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(
    sql, '(''fund'', ''settlement'', ''settlement_loss'')',
    '(''fund'', ''settlement'', ''settlement_loss'', ''user_credit'')'
)
WHERE type = 'table' AND name = 'transfers';

PRAGMA writable_schema = RESET;

-- What a transaction of another account paid.
CREATE TABLE user_credits (
    transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id),
    account TEXT NOT NULL REFERENCES accounts (id),
    transfer_id INTEGER NOT NULL REFERENCES transfers (id)
) STRICT;

CREATE UNIQUE INDEX user_credits_transfer ON user_credits (transfer_id);

CREATE TRIGGER user_credits_no_update BEFORE UPDATE ON user_credits BEGIN
    SELECT RAISE(ABORT, 'user_credits are append-only');
END;

CREATE TRIGGER user_credits_no_delete BEFORE DELETE ON user_credits BEGIN
    SELECT RAISE(ABORT, 'user_credits are append-only');
END;

-- What waits in the queue for an account to have an address, and by which.

ALTER TABLE queue ADD COLUMN claim_email TEXT;

ALTER TABLE queue ADD COLUMN claim_phone TEXT;

CREATE TRIGGER queue_claim_immutable BEFORE UPDATE OF claim_email, claim_phone ON queue BEGIN
    SELECT RAISE(ABORT, 'a place in the queue waits for one address');
END;

CREATE INDEX queue_claim_email ON queue (claim_email) WHERE claim_email IS NOT NULL;

CREATE INDEX queue_claim_phone ON queue (claim_phone) WHERE claim_phone IS NOT NULL;
