-- What operators do: each act is signed by its actor, and each entry holds the hash of the one
-- before. An operator is an entry that adds one, signed by an operator of before.
CREATE TABLE operator_log (
    number bigint NOT NULL,
    at bigint NOT NULL,
    actor text COLLATE "C" NOT NULL,
    act text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    amount bigint,
    currency text COLLATE "C",
    detail text COLLATE "C" NOT NULL,
    approves bigint REFERENCES operator_log (number),
    previous bytea NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT operator_log_number PRIMARY KEY (number),
    CONSTRAINT operator_log_from_one CHECK (number > 0),
    CONSTRAINT operator_log_previous CHECK (octet_length(previous) = 32),
    CONSTRAINT operator_log_amount CHECK ((amount IS NULL) = (currency IS NULL)),
    -- The program signs nothing.
    CONSTRAINT operator_log_signature CHECK (
        octet_length(signature) = CASE actor WHEN 'program' THEN 0 ELSE 64 END
    )
);

CREATE INDEX operator_log_act ON operator_log (act, number);

CREATE TRIGGER operator_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What was made before operators had keys, and so has no act. Nothing is ever added.
CREATE TABLE before_operators (
    kind text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    CONSTRAINT before_operators_once PRIMARY KEY (kind, account, reference)
);

INSERT INTO before_operators (kind, account, reference)
SELECT 'account', id, '' FROM accounts
UNION
SELECT 'key', account, hint FROM api_keys
UNION
SELECT 'funding', account, reference FROM fundings
UNION
SELECT 'settlement', '', provider_reference FROM unsettled_references WHERE settlement IS NOT NULL
UNION
SELECT 'resumption', number::text, provider FROM reconciliations;

CREATE TRIGGER before_operators_known BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE
ON before_operators FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
