-- What operators do: each act is signed by its actor, and each entry holds the hash of the one
-- before. An operator is an entry that adds one, signed by an operator of before.
CREATE TABLE operator_log (
    number INTEGER PRIMARY KEY CONSTRAINT operator_log_number CHECK (number > 0),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    act TEXT NOT NULL,
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    amount INTEGER,
    currency TEXT,
    detail TEXT NOT NULL,
    approves INTEGER REFERENCES operator_log (number),
    previous BLOB NOT NULL CONSTRAINT operator_log_previous CHECK (length(previous) = 32),
    signature BLOB NOT NULL,
    CONSTRAINT operator_log_amount CHECK ((amount IS NULL) = (currency IS NULL)),
    -- The program signs nothing.
    CONSTRAINT operator_log_signature CHECK (
        length(signature) = CASE actor WHEN 'program' THEN 0 ELSE 64 END
    )
) STRICT;

CREATE INDEX operator_log_act ON operator_log (act, number);

CREATE TRIGGER operator_log_no_update BEFORE UPDATE ON operator_log BEGIN
    SELECT RAISE(ABORT, 'the log of operators is append-only');
END;

CREATE TRIGGER operator_log_no_delete BEFORE DELETE ON operator_log BEGIN
    SELECT RAISE(ABORT, 'the log of operators is append-only');
END;

CREATE TRIGGER operator_log_no_replace BEFORE INSERT ON operator_log
WHEN EXISTS (SELECT 1 FROM operator_log WHERE number = NEW.number) BEGIN
    SELECT RAISE(ABORT, 'the log of operators is append-only');
END;

-- What was made before operators had keys, and so has no act. Nothing is ever added.
CREATE TABLE before_operators (
    kind TEXT NOT NULL,
    account TEXT NOT NULL,
    reference TEXT NOT NULL,
    PRIMARY KEY (kind, account, reference)
) STRICT, WITHOUT ROWID;

INSERT INTO before_operators (kind, account, reference)
SELECT 'account', id, '' FROM accounts
UNION
SELECT 'key', account, hint FROM api_keys
UNION
SELECT 'funding', account, reference FROM fundings
UNION
SELECT 'settlement', '', provider_reference FROM unsettled_references WHERE settlement IS NOT NULL
UNION
SELECT 'resumption', CAST(number AS TEXT), provider FROM reconciliations;

CREATE TRIGGER before_operators_no_insert BEFORE INSERT ON before_operators BEGIN
    SELECT RAISE(ABORT, 'what was made before operators had keys is known');
END;

CREATE TRIGGER before_operators_no_update BEFORE UPDATE ON before_operators BEGIN
    SELECT RAISE(ABORT, 'what was made before operators had keys is known');
END;

CREATE TRIGGER before_operators_no_delete BEFORE DELETE ON before_operators BEGIN
    SELECT RAISE(ABORT, 'what was made before operators had keys is known');
END;
