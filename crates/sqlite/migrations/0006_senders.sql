-- Names that messages may be sent under, registered by an account and approved by an operator.

CREATE TABLE senders (
    serial TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    status TEXT NOT NULL CONSTRAINT senders_status CHECK (
        status IN ('pending', 'approved', 'rejected')
    ),
    requested_at INTEGER NOT NULL,
    decided_at INTEGER
) STRICT, WITHOUT ROWID;

-- Handsets show names as written, people read them without regard to case.
CREATE UNIQUE INDEX senders_name ON senders (account, name COLLATE NOCASE);

CREATE TRIGGER senders_no_delete BEFORE DELETE ON senders BEGIN
    SELECT RAISE(ABORT, 'senders are never deleted');
END;

CREATE TRIGGER senders_frozen BEFORE UPDATE OF serial, account, name, requested_at ON senders BEGIN
    SELECT RAISE(ABORT, 'what was registered is frozen');
END;
