-- How accounts and their transactions are found.
--
-- How an account is reached: an e-mail address, in small letters, and a phone number, as its digits,
-- each lead to one account of an environment at most.

ALTER TABLE accounts ADD COLUMN email TEXT
    CONSTRAINT accounts_email_is_small CHECK (email = lower(email));

ALTER TABLE accounts ADD COLUMN phone TEXT CONSTRAINT accounts_phone_is_digits CHECK (
    length(phone) BETWEEN 8 AND 15 AND phone NOT GLOB '*[^0-9]*' AND phone NOT GLOB '0*'
);

CREATE UNIQUE INDEX accounts_email ON accounts (email, environment) WHERE email IS NOT NULL;

CREATE UNIQUE INDEX accounts_phone ON accounts (phone, environment) WHERE phone IS NOT NULL;

-- The transactions of an account by product and time.

CREATE INDEX transactions_service ON transactions (account, service, opened_at, number);
