-- Vouchers, gift cards, coupons and promo codes. What a code holds is in the ledger account `vouchers`
-- of its merchant; its row says how much of that is its own. A code is stored as a keyed hash.
--
-- The locks are taken at once, in the order in which a server that is writing takes its own.

LOCK TABLE accounts, transactions, transfers IN ACCESS EXCLUSIVE MODE;

ALTER TABLE transfers
    DROP CONSTRAINT transfers_step,
    DROP CONSTRAINT transfers_part,
    DROP CONSTRAINT transfers_funding;

-- The rows that are there hold to the stricter rules before: they are not read again.
ALTER TABLE transfers
    ADD CONSTRAINT transfers_step CHECK (
        step = CASE kind
            WHEN 'fund' THEN 0
            WHEN 'hold' THEN 1
            WHEN 'capture' THEN 2
            WHEN 'release' THEN 2
            WHEN 'transfer_out' THEN 2
            WHEN 'margin' THEN 3
            WHEN 'charge' THEN 4
            WHEN 'vat' THEN 5
            WHEN 'levy' THEN 6
            WHEN 'reversal' THEN 7
            WHEN 'margin_reversal' THEN 8
            WHEN 'charge_reversal' THEN 9
            WHEN 'vat_reversal' THEN 10
            WHEN 'levy_reversal' THEN 11
            WHEN 'loss' THEN 12
            WHEN 'loss_reversal' THEN 13
            WHEN 'settlement' THEN 14
            WHEN 'settlement_loss' THEN 15
            WHEN 'cost_difference' THEN 16
            WHEN 'transfer_in' THEN 17
            WHEN 'user_credit' THEN 18
            WHEN 'refund' THEN 19
            WHEN 'voucher_issue' THEN 20
            WHEN 'voucher_redeem' THEN 21
            WHEN 'voucher_return' THEN 22
            WHEN 'voucher_restore' THEN 23
            WHEN 'refund_reversal' THEN 24
            ELSE -1
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_part CHECK (
        part = CASE
            WHEN kind IN (
                'fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss', 'cost_difference',
                'user_credit', 'voucher_issue', 'voucher_redeem', 'voucher_return', 'voucher_restore'
            ) THEN id
            ELSE 0
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_funding CHECK (
        (kind IN (
            'fund', 'settlement', 'settlement_loss', 'user_credit', 'voucher_issue',
            'voucher_redeem', 'voucher_return', 'voucher_restore'
        )) = (transaction = 0)
    ) NOT VALID;

-- What a code is given and gives back leaves and comes into the wallet: reports of settlement have it.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers ((account || ''), at, id)
WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal', 'voucher_issue', 'voucher_redeem', 'voucher_return',
    'voucher_restore'
);

CREATE TABLE voucher_batches (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    amount bigint,
    percent text,
    issued integer NOT NULL,
    uses integer,
    expires_at bigint NOT NULL,
    services text NOT NULL,
    minimum bigint,
    maximum bigint,
    prefix text,
    seed bytea NOT NULL,
    created_at bigint NOT NULL,
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
);

CREATE TRIGGER voucher_batches_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON voucher_batches
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The codes; `code` is the hash, `balance` what the code holds.
CREATE TABLE vouchers (
    account text COLLATE "C" NOT NULL,
    batch bigint NOT NULL,
    position integer NOT NULL,
    code bytea NOT NULL,
    balance bigint NOT NULL,
    uses_left integer,
    version integer NOT NULL,
    CONSTRAINT vouchers_place PRIMARY KEY (account, batch, position),
    CONSTRAINT vouchers_code UNIQUE (account, code),
    CONSTRAINT vouchers_batch FOREIGN KEY (account, batch)
        REFERENCES voucher_batches (account, number),
    CONSTRAINT vouchers_position CHECK (position BETWEEN 1 AND 1000),
    CONSTRAINT vouchers_hash CHECK (length(code) = 32),
    CONSTRAINT vouchers_balance CHECK (balance >= 0),
    CONSTRAINT vouchers_uses CHECK (uses_left >= 0),
    CONSTRAINT vouchers_version CHECK (version > 0)
);

CREATE TRIGGER vouchers_immutable BEFORE UPDATE OF account, batch, "position", code ON vouchers
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER vouchers_no_delete BEFORE DELETE OR TRUNCATE ON vouchers
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE voucher_redemptions (
    account text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    batch bigint NOT NULL,
    position integer NOT NULL,
    amount bigint NOT NULL,
    target bigint,
    discount bigint NOT NULL,
    returned bigint NOT NULL,
    balance_left bigint NOT NULL,
    uses_left integer,
    at bigint NOT NULL,
    CONSTRAINT voucher_redemptions_reference PRIMARY KEY (account, reference),
    CONSTRAINT voucher_redemptions_voucher FOREIGN KEY (account, batch, position)
        REFERENCES vouchers (account, batch, position),
    CONSTRAINT voucher_redemptions_discount CHECK (discount > 0 AND discount <= amount),
    CONSTRAINT voucher_redemptions_returned CHECK (returned >= 0),
    CONSTRAINT voucher_redemptions_left CHECK (balance_left >= 0 AND uses_left >= 0)
);

CREATE TRIGGER voucher_redemptions_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON voucher_redemptions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE voucher_rollbacks (
    account text COLLATE "C" NOT NULL,
    original text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    reason text NOT NULL,
    balance_left bigint NOT NULL,
    uses_left integer,
    at bigint NOT NULL,
    CONSTRAINT voucher_rollbacks_once PRIMARY KEY (account, original),
    CONSTRAINT voucher_rollbacks_reference UNIQUE (account, reference),
    CONSTRAINT voucher_rollbacks_redemption FOREIGN KEY (account, original)
        REFERENCES voucher_redemptions (account, reference),
    CONSTRAINT voucher_rollbacks_left CHECK (balance_left >= 0 AND uses_left >= 0)
);

CREATE TRIGGER voucher_rollbacks_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON voucher_rollbacks
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE voucher_voids (
    account text COLLATE "C" NOT NULL,
    batch bigint NOT NULL,
    position integer NOT NULL,
    returned bigint NOT NULL,
    reason text NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT voucher_voids_once PRIMARY KEY (account, batch, position),
    CONSTRAINT voucher_voids_voucher FOREIGN KEY (account, batch, position)
        REFERENCES vouchers (account, batch, position),
    CONSTRAINT voucher_voids_returned CHECK (returned >= 0)
);

CREATE TRIGGER voucher_voids_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON voucher_voids
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The payments that are lowered, each by one redemption that is not rolled back.
CREATE TABLE voucher_targets (
    account text COLLATE "C" NOT NULL,
    target bigint NOT NULL,
    redemption text COLLATE "C" NOT NULL,
    CONSTRAINT voucher_targets_once PRIMARY KEY (account, target),
    CONSTRAINT voucher_targets_redemption FOREIGN KEY (account, redemption)
        REFERENCES voucher_redemptions (account, reference)
);

CREATE TRIGGER voucher_targets_no_update BEFORE UPDATE OR TRUNCATE ON voucher_targets
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
