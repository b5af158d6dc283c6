-- Meter tokens, the records of electricity, messages and payouts, addresses of endpoints, what those
-- answered, and what providers reported are sealed from here on. Rows from before are readable, and
-- this program cannot seal them within a migration: a file that holds any is refused.

CREATE TABLE refused (
    row INTEGER CONSTRAINT "readable rows from before: begin with a new data folder" CHECK (row IS NULL)
) STRICT;

INSERT INTO refused SELECT 1 WHERE EXISTS (
    SELECT 1 FROM transactions WHERE service IN ('electricity', 'sms', 'bank')
) OR EXISTS (SELECT 1 FROM endpoints) OR EXISTS (SELECT 1 FROM dead_letters);

DROP TABLE refused;

-- The number of a meter token, sealed; none once it was erased.
ALTER TABLE transactions ADD COLUMN token TEXT;

CREATE INDEX transactions_token ON transactions (opened_at) WHERE token IS NOT NULL;
