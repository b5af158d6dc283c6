-- Meter tokens, the records of electricity, messages and payouts, addresses of endpoints, what those
-- answered, and what providers reported are sealed from here on. Rows from before are readable, and
-- this program cannot seal them within a migration: a database that holds any is refused.

DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM transactions WHERE service IN ('electricity', 'sms', 'bank'))
        OR EXISTS (SELECT 1 FROM endpoints) OR EXISTS (SELECT 1 FROM dead_letters)
    THEN
        RAISE EXCEPTION 'readable rows from before: begin with a new database';
    END IF;
END
$$;

-- The number of a meter token, sealed; none once it was erased. Its index holds no row that has
-- none, so other transactions move on without touching it.
ALTER TABLE transactions ADD COLUMN token text;

CREATE INDEX transactions_token ON transactions (opened_at) WHERE token IS NOT NULL;
