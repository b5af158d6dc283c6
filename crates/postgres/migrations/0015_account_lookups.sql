-- How accounts and their transactions are found.
--
-- How an account is reached: an e-mail address, in small letters, and a phone number, as its digits,
-- each lead to one account of an environment at most. The indexes do not begin with the environment:
-- nothing else may be found through them.

ALTER TABLE accounts
    ADD COLUMN email text COLLATE "C",
    ADD COLUMN phone text COLLATE "C",
    ADD CONSTRAINT accounts_email_is_small CHECK (email = lower(email)),
    ADD CONSTRAINT accounts_phone_is_digits CHECK (phone ~ '^[1-9][0-9]{7,14}$');

CREATE UNIQUE INDEX accounts_email ON accounts (email, environment) WHERE email IS NOT NULL;

CREATE UNIQUE INDEX accounts_phone ON accounts (phone, environment) WHERE phone IS NOT NULL;

-- The transactions of an account by product and time. Account and number are expressions in it, so
-- that it serves the one statement which has them so: any other finds a transaction by its key.

CREATE INDEX transactions_service ON transactions (
    (account || ''), service, opened_at DESC, (-number)
) INCLUDE (account, number);
