-- Vouchers, gift cards, coupons and promo codes. What a code holds is in the ledger account `vouchers`
-- of its merchant; its row says how much of that is its own. A code is stored as a keyed hash.

-- Four more kinds that belong to no transaction. A constraint of a table can only be changed in the
-- text of the schema; no row is touched, and every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(
    sql, '(''fund'', ''settlement'', ''settlement_loss'', ''user_credit'')',
    '(''fund'', ''settlement'', ''settlement_loss'', ''user_credit'', ''voucher_issue'','
    || ' ''voucher_redeem'', ''voucher_return'', ''voucher_restore'')'
)
WHERE type = 'table' AND name = 'transfers';

PRAGMA writable_schema = RESET;

-- What a code is given and gives back leaves and comes into the wallet: reports of settlement have it.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers (
    CASE
        WHEN kind IN ('capture', 'transfer_out', 'settlement', 'refund_reversal') THEN debit_holder
        ELSE credit_holder
    END, at
) WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal', 'voucher_issue', 'voucher_redeem', 'voucher_return',
    'voucher_restore'
);

CREATE TABLE voucher_batches (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    kind TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER,
    percent TEXT,
    issued INTEGER NOT NULL,
    uses INTEGER,
    expires_at INTEGER NOT NULL,
    services TEXT NOT NULL,
    minimum INTEGER,
    maximum INTEGER,
    prefix TEXT,
    seed BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    CONSTRAINT voucher_batches_number PRIMARY KEY (account, number),
    CONSTRAINT voucher_batches_reference UNIQUE (account, reference),
    CONSTRAINT voucher_batches_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT voucher_batches_kind CHECK (kind IN ('voucher', 'giftcard', 'coupon', 'promo')),
    CONSTRAINT voucher_batches_worth CHECK ((amount IS NULL) <> (percent IS NULL)),
    CONSTRAINT voucher_batches_amount CHECK (amount > 0),
    CONSTRAINT voucher_batches_money CHECK (
        kind NOT IN ('voucher', 'giftcard') OR amount IS NOT NULL
    ),
    CONSTRAINT voucher_batches_issued CHECK (
        issued BETWEEN 1 AND CASE kind WHEN 'promo' THEN 1 ELSE 1000 END
    ),
    CONSTRAINT voucher_batches_uses CHECK (
        CASE kind
            WHEN 'giftcard' THEN uses IS NULL
            WHEN 'voucher' THEN uses IS NOT NULL AND uses = 1
            ELSE uses IS NOT NULL AND uses > 0
        END
    ),
    CONSTRAINT voucher_batches_end CHECK (expires_at > created_at),
    CONSTRAINT voucher_batches_rules CHECK (minimum > 0 AND maximum > 0 AND minimum <= maximum),
    CONSTRAINT voucher_batches_seed CHECK (length(seed) = 32)
) STRICT, WITHOUT ROWID;

-- The codes; `code` is the hash, `balance` what the code holds.
CREATE TABLE vouchers (
    account TEXT NOT NULL,
    batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    code BLOB NOT NULL,
    balance INTEGER NOT NULL,
    uses_left INTEGER,
    version INTEGER NOT NULL,
    CONSTRAINT vouchers_place PRIMARY KEY (account, batch, position),
    CONSTRAINT vouchers_code UNIQUE (account, code),
    CONSTRAINT vouchers_batch FOREIGN KEY (account, batch)
        REFERENCES voucher_batches (account, number),
    CONSTRAINT vouchers_position CHECK (position BETWEEN 1 AND 1000),
    CONSTRAINT vouchers_hash CHECK (length(code) = 32),
    CONSTRAINT vouchers_balance CHECK (balance >= 0),
    CONSTRAINT vouchers_uses CHECK (uses_left >= 0),
    CONSTRAINT vouchers_version CHECK (version > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE voucher_redemptions (
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    target INTEGER,
    discount INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    balance_left INTEGER NOT NULL,
    uses_left INTEGER,
    at INTEGER NOT NULL,
    CONSTRAINT voucher_redemptions_reference PRIMARY KEY (account, reference),
    CONSTRAINT voucher_redemptions_voucher FOREIGN KEY (account, batch, position)
        REFERENCES vouchers (account, batch, position),
    CONSTRAINT voucher_redemptions_discount CHECK (discount > 0 AND discount <= amount),
    CONSTRAINT voucher_redemptions_returned CHECK (returned >= 0),
    CONSTRAINT voucher_redemptions_left CHECK (balance_left >= 0 AND uses_left >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE voucher_rollbacks (
    account TEXT NOT NULL,
    original TEXT NOT NULL,
    reference TEXT NOT NULL,
    reason TEXT NOT NULL,
    balance_left INTEGER NOT NULL,
    uses_left INTEGER,
    at INTEGER NOT NULL,
    CONSTRAINT voucher_rollbacks_once PRIMARY KEY (account, original),
    CONSTRAINT voucher_rollbacks_reference UNIQUE (account, reference),
    CONSTRAINT voucher_rollbacks_redemption FOREIGN KEY (account, original)
        REFERENCES voucher_redemptions (account, reference),
    CONSTRAINT voucher_rollbacks_left CHECK (balance_left >= 0 AND uses_left >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE voucher_voids (
    account TEXT NOT NULL,
    batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT voucher_voids_once PRIMARY KEY (account, batch, position),
    CONSTRAINT voucher_voids_voucher FOREIGN KEY (account, batch, position)
        REFERENCES vouchers (account, batch, position),
    CONSTRAINT voucher_voids_returned CHECK (returned >= 0)
) STRICT, WITHOUT ROWID;

-- The payments that are lowered, each by one redemption that is not rolled back.
CREATE TABLE voucher_targets (
    account TEXT NOT NULL,
    target INTEGER NOT NULL,
    redemption TEXT NOT NULL,
    CONSTRAINT voucher_targets_once PRIMARY KEY (account, target),
    CONSTRAINT voucher_targets_redemption FOREIGN KEY (account, redemption)
        REFERENCES voucher_redemptions (account, reference)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER voucher_batches_no_update BEFORE UPDATE ON voucher_batches BEGIN
    SELECT RAISE(ABORT, 'voucher_batches are append-only');
END;

CREATE TRIGGER voucher_batches_no_delete BEFORE DELETE ON voucher_batches BEGIN
    SELECT RAISE(ABORT, 'voucher_batches are append-only');
END;

CREATE TRIGGER voucher_batches_no_replace BEFORE INSERT ON voucher_batches
WHEN EXISTS (
    SELECT 1 FROM voucher_batches
    WHERE account = NEW.account AND (number = NEW.number OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'voucher_batches are append-only');
END;

CREATE TRIGGER voucher_redemptions_no_update BEFORE UPDATE ON voucher_redemptions BEGIN
    SELECT RAISE(ABORT, 'voucher_redemptions are append-only');
END;

CREATE TRIGGER voucher_redemptions_no_delete BEFORE DELETE ON voucher_redemptions BEGIN
    SELECT RAISE(ABORT, 'voucher_redemptions are append-only');
END;

CREATE TRIGGER voucher_redemptions_no_replace BEFORE INSERT ON voucher_redemptions
WHEN EXISTS (
    SELECT 1 FROM voucher_redemptions
    WHERE account = NEW.account AND reference = NEW.reference
) BEGIN
    SELECT RAISE(ABORT, 'voucher_redemptions are append-only');
END;

CREATE TRIGGER voucher_rollbacks_no_update BEFORE UPDATE ON voucher_rollbacks BEGIN
    SELECT RAISE(ABORT, 'voucher_rollbacks are append-only');
END;

CREATE TRIGGER voucher_rollbacks_no_delete BEFORE DELETE ON voucher_rollbacks BEGIN
    SELECT RAISE(ABORT, 'voucher_rollbacks are append-only');
END;

CREATE TRIGGER voucher_rollbacks_no_replace BEFORE INSERT ON voucher_rollbacks
WHEN EXISTS (
    SELECT 1 FROM voucher_rollbacks
    WHERE account = NEW.account
        AND (original = NEW.original OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'voucher_rollbacks are append-only');
END;

CREATE TRIGGER voucher_voids_no_update BEFORE UPDATE ON voucher_voids BEGIN
    SELECT RAISE(ABORT, 'voucher_voids are append-only');
END;

CREATE TRIGGER voucher_voids_no_delete BEFORE DELETE ON voucher_voids BEGIN
    SELECT RAISE(ABORT, 'voucher_voids are append-only');
END;

CREATE TRIGGER voucher_voids_no_replace BEFORE INSERT ON voucher_voids
WHEN EXISTS (
    SELECT 1 FROM voucher_voids
    WHERE account = NEW.account AND batch = NEW.batch AND position = NEW.position
) BEGIN
    SELECT RAISE(ABORT, 'voucher_voids are append-only');
END;

CREATE TRIGGER vouchers_immutable BEFORE UPDATE OF account, batch, position, code ON vouchers BEGIN
    SELECT RAISE(ABORT, 'a code keeps its place and its hash');
END;

CREATE TRIGGER vouchers_no_delete BEFORE DELETE ON vouchers BEGIN
    SELECT RAISE(ABORT, 'vouchers are never deleted');
END;

CREATE TRIGGER vouchers_no_replace BEFORE INSERT ON vouchers
WHEN EXISTS (
    SELECT 1 FROM vouchers
    WHERE account = NEW.account
        AND (code = NEW.code OR (batch = NEW.batch AND position = NEW.position))
) BEGIN
    SELECT RAISE(ABORT, 'vouchers are never replaced');
END;

CREATE TRIGGER voucher_targets_no_update BEFORE UPDATE ON voucher_targets BEGIN
    SELECT RAISE(ABORT, 'voucher_targets are added and deleted');
END;

CREATE TRIGGER voucher_targets_no_replace BEFORE INSERT ON voucher_targets
WHEN EXISTS (
    SELECT 1 FROM voucher_targets
    WHERE account = NEW.account AND target = NEW.target
) BEGIN
    SELECT RAISE(ABORT, 'a payment is lowered by one code');
END;
