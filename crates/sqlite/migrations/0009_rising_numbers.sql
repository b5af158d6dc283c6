-- Numbers rise with time, whoever they are given to. With the number in front, new rows go to one
-- end of the index instead of to as many places as there are accounts.

DROP INDEX transactions_number;

CREATE UNIQUE INDEX transactions_number ON transactions (number, account);
