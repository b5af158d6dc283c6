-- Requests of accounts as they were answered: for looking something up, and no evidence. Rows are forgotten
-- with time, so nothing refers to them, and they refer to nothing: no payment waits for the lock of a row
-- that a reference would take.

CREATE TABLE request_log (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    status integer NOT NULL,
    latency bigint NOT NULL,
    key_prefix text NOT NULL,
    address text NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    CONSTRAINT request_log_moment PRIMARY KEY (account, at, number)
);

CREATE INDEX request_log_at ON request_log (at);

-- A row of account_changes follows the last one of its account. One with a larger number, which the role of a
-- server could add, would stop every change of the account.
CREATE FUNCTION follow_last_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number IS DISTINCT FROM (
        SELECT coalesce(max(c.number), 0) + 1 FROM public.account_changes AS c
        WHERE c.account = NEW.account
    ) THEN
        RAISE EXCEPTION 'a change of an account has the next number'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER account_changes_next BEFORE INSERT ON account_changes
FOR EACH ROW EXECUTE FUNCTION follow_last_change();
