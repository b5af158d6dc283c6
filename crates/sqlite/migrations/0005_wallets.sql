-- A wallet per account and currency: message credits are counted apart from money, with a statement
-- of their own. What an account had so far was in its own currency.

ALTER TABLE accounts ADD COLUMN message_currency TEXT NOT NULL DEFAULT 'NGN';

DROP TRIGGER wallets_no_delete;

ALTER TABLE wallets RENAME TO wallets_of_one_currency;

-- `debits` and `credits` count the lines of the statement, so that a page far inside it is found
-- without counting.
CREATE TABLE wallets (
    account TEXT NOT NULL REFERENCES accounts (id),
    currency TEXT NOT NULL,
    available INTEGER NOT NULL CONSTRAINT wallets_available CHECK (available >= 0),
    held INTEGER NOT NULL CONSTRAINT wallets_held CHECK (held >= 0),
    debits INTEGER NOT NULL DEFAULT 0,
    credits INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, currency)
) STRICT, WITHOUT ROWID;

INSERT INTO wallets (account, currency, available, held, debits, credits)
SELECT w.account, a.currency, w.available, w.held, w.debits, w.credits
FROM wallets_of_one_currency AS w JOIN accounts AS a ON a.id = w.account;

DROP TABLE wallets_of_one_currency;

INSERT INTO wallets (account, currency, available, held)
SELECT a.id, c.currency, 0, 0
FROM accounts AS a CROSS JOIN (SELECT 'NGN' AS currency UNION ALL SELECT 'CRD') AS c
WHERE true
ON CONFLICT (account, currency) DO NOTHING;

CREATE TRIGGER wallets_no_delete BEFORE DELETE ON wallets BEGIN
    SELECT RAISE(ABORT, 'wallets are never deleted');
END;

CREATE TRIGGER wallets_frozen BEFORE UPDATE OF account, currency ON wallets BEGIN
    SELECT RAISE(ABORT, 'whose wallet it is is frozen');
END;

-- Each wallet numbers the lines of its own statement.
DROP INDEX transfers_position;
DROP INDEX transfers_nth;
CREATE UNIQUE INDEX transfers_position ON transfers (account, currency, position)
WHERE account IS NOT NULL;
CREATE UNIQUE INDEX transfers_nth ON transfers (account, currency, direction, nth)
WHERE account IS NOT NULL;
