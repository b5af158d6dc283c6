-- Requests of accounts as they were answered: for looking something up, and no evidence. Rows are forgotten
-- with time, so nothing refers to them, and they refer to nothing: no payment waits for them.

CREATE TABLE request_log (
    account TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    latency INTEGER NOT NULL,
    key_prefix TEXT NOT NULL,
    address TEXT NOT NULL,
    request_id TEXT NOT NULL,
    CONSTRAINT request_log_moment PRIMARY KEY (account, at, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_log_at ON request_log (at);

-- A row of account_changes follows the last one of its account. One with a larger number would
-- stop every change of the account.
CREATE TRIGGER account_changes_next BEFORE INSERT ON account_changes
WHEN NEW.number IS NOT (
    SELECT coalesce(max(number), 0) + 1 FROM account_changes WHERE account = NEW.account
) BEGIN
    SELECT RAISE(ABORT, 'account_changes are append-only: a change has the next number');
END;
