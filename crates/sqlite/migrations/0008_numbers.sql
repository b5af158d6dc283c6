-- A transaction has its number in its account: every name of a row begins with the account, so that
-- accounts can be told apart by it alone. What was unique among all is unique in each.

DROP INDEX transactions_number;

CREATE UNIQUE INDEX transactions_number ON transactions (account, number);
