-- Transfers from one account to another. What an account is paid by another belongs to no transaction
-- of its own: the row is on its statement as money paid in is, and a table of its own says which
-- transaction paid it, once.
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
            ELSE -1
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_part CHECK (
        part = CASE
            WHEN kind IN (
                'fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss', 'cost_difference',
                'user_credit'
            ) THEN id
            ELSE 0
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_funding CHECK (
        (kind IN ('fund', 'settlement', 'settlement_loss', 'user_credit')) = (transaction = 0)
    ) NOT VALID;

-- What a transaction of `payer` paid to `account`; `position` is the entry of its statement.
CREATE TABLE user_credits (
    payer text COLLATE "C" NOT NULL REFERENCES accounts (id),
    transaction bigint NOT NULL,
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    currency text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    CONSTRAINT user_credits_once PRIMARY KEY (payer, transaction),
    CONSTRAINT user_credits_position UNIQUE (account, currency, position),
    CONSTRAINT user_credits_another CHECK (payer <> account)
);

CREATE TRIGGER user_credits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON user_credits
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE VIEW audit.user_credits AS
SELECT c.payer || '/' || c.transaction AS transaction_id, c.account, f.id AS transfer_id
FROM user_credits AS c
LEFT JOIN transfers AS f ON f.account = c.account AND f.currency = c.currency
    AND f.position = c.position AND f.kind = 'user_credit';
