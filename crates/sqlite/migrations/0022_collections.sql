-- Collections: account numbers and payment references of merchants, and what was paid to them. A row
-- of a collection says nothing of what was paid; a payment is a row that is added in the step that
-- credits it, once for each session of a bank.

-- Three more kinds that belong to no transaction. A constraint of a table can only be changed in the
-- text of the schema; no row is touched, and every row that is there keeps to the wider rule.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(
    sql, '''voucher_redeem'', ''voucher_return'', ''voucher_restore'')',
    '''voucher_redeem'', ''voucher_return'', ''voucher_restore'', ''collection'','
    || ' ''collection_charge'', ''collection_vat'')'
)
WHERE type = 'table' AND name = 'transfers';

PRAGMA writable_schema = RESET;

-- What is paid to collections, and what is charged for it, is in reports of settlement.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers (
    CASE
        WHEN kind IN ('capture', 'transfer_out', 'settlement', 'refund_reversal',
            'collection_charge', 'collection_vat') THEN debit_holder
        ELSE credit_holder
    END, at
) WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal', 'voucher_issue', 'voucher_redeem', 'voucher_return',
    'voucher_restore', 'collection', 'collection_charge', 'collection_vat'
);

-- `payee` is what payers type: an account number, or a payment reference.
CREATE TABLE collections (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    kind TEXT NOT NULL,
    payee TEXT NOT NULL,
    payer TEXT NOT NULL,
    amount INTEGER,
    currency TEXT NOT NULL,
    expires_at INTEGER,
    admission TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    bank TEXT,
    email TEXT,
    phone TEXT,
    register TEXT,
    identity TEXT,
    single INTEGER NOT NULL CONSTRAINT collections_single CHECK (single IN (0, 1)),
    purpose TEXT,
    in_parts INTEGER NOT NULL CONSTRAINT collections_in_parts CHECK (in_parts IN (0, 1)),
    CONSTRAINT collections_number PRIMARY KEY (account, number),
    CONSTRAINT collections_reference UNIQUE (account, reference),
    CONSTRAINT collections_payee UNIQUE (payee),
    CONSTRAINT collections_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT collections_kind CHECK (kind IN ('account', 'invoice')),
    CONSTRAINT collections_digits CHECK (length(payee) = CASE kind WHEN 'account' THEN 10 ELSE 12 END),
    CONSTRAINT collections_amount CHECK (amount > 0),
    CONSTRAINT collections_account CHECK ((kind = 'account') = (bank IS NOT NULL)),
    CONSTRAINT collections_invoice CHECK (
        (kind = 'invoice') = (purpose IS NOT NULL)
        AND (kind = 'account' OR amount IS NOT NULL AND expires_at IS NOT NULL)
    ),
    CONSTRAINT collections_identity CHECK ((register IS NULL) = (identity IS NULL)),
    CONSTRAINT collections_admission CHECK (admission IN ('active', 'suspended', 'closed')),
    CONSTRAINT collections_version CHECK (version > 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX collections_created ON collections (account, kind, created_at, number);

CREATE TABLE collected_payments (
    account TEXT NOT NULL,
    number INTEGER NOT NULL,
    collection INTEGER NOT NULL,
    reference TEXT NOT NULL,
    source TEXT NOT NULL,
    session TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    charge INTEGER NOT NULL,
    vat INTEGER NOT NULL,
    payer_name TEXT,
    payer_bank TEXT,
    payer_account TEXT,
    paid_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT collected_payments_session PRIMARY KEY (source, session),
    CONSTRAINT collected_payments_number UNIQUE (account, number),
    CONSTRAINT collected_payments_collection FOREIGN KEY (account, collection)
        REFERENCES collections (account, number),
    CONSTRAINT collected_payments_source CHECK (source IN ('bank', 'sandbox')),
    CONSTRAINT collected_payments_positive CHECK (amount > 0 AND charge >= 0 AND vat >= 0),
    CONSTRAINT collected_payments_net CHECK (charge + vat <= amount),
    CONSTRAINT collected_payments_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT collected_payments_account CHECK (length(payer_account) <= 4)
) STRICT, WITHOUT ROWID;

CREATE INDEX collected_payments_at ON collected_payments (account, at, number);
CREATE INDEX collected_payments_of ON collected_payments (account, collection, at, number);

CREATE TRIGGER collections_no_delete BEFORE DELETE ON collections BEGIN
    SELECT RAISE(ABORT, 'collections are append-only');
END;

CREATE TRIGGER collections_immutable BEFORE UPDATE OF account, number, reference, kind, payee, payer,
    amount, currency, expires_at, created_at, bank, email, phone, register, identity, single, purpose,
    in_parts ON collections BEGIN
    SELECT RAISE(ABORT, 'collections are append-only');
END;

CREATE TRIGGER collections_no_replace BEFORE INSERT ON collections
WHEN EXISTS (
    SELECT 1 FROM collections WHERE payee = NEW.payee
        OR account = NEW.account AND (number = NEW.number OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'collections are append-only');
END;

CREATE TRIGGER collected_payments_no_update BEFORE UPDATE ON collected_payments BEGIN
    SELECT RAISE(ABORT, 'collected_payments are append-only');
END;

CREATE TRIGGER collected_payments_no_delete BEFORE DELETE ON collected_payments BEGIN
    SELECT RAISE(ABORT, 'collected_payments are append-only');
END;

CREATE TRIGGER collected_payments_no_replace BEFORE INSERT ON collected_payments
WHEN EXISTS (
    SELECT 1 FROM collected_payments
    WHERE source = NEW.source AND session = NEW.session
        OR account = NEW.account AND number = NEW.number
) BEGIN
    SELECT RAISE(ABORT, 'collected_payments are append-only');
END;
