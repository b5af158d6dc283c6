-- Collections: account numbers and payment references of merchants, and what was paid to them. A row
-- of a collection says nothing of what was paid; a payment is a row that is added in the step that
-- credits it, once for each session of a bank.
--
-- The locks are taken at once, in the order in which a server that is writing takes its own.

LOCK TABLE accounts, transactions, transfers IN ACCESS EXCLUSIVE MODE;

ALTER TABLE transfers
    DROP CONSTRAINT transfers_step,
    DROP CONSTRAINT transfers_part,
    DROP CONSTRAINT transfers_funding;

-- The rows that are there hold to the stricter rules before: they are not read again.
ALTER TABLE transfers
    ADD CONSTRAINT transfers_step CHECK (
        step = CASE kind
            WHEN 'fund' THEN 0
            WHEN 'hold' THEN 1
            WHEN 'capture' THEN 2
            WHEN 'release' THEN 2
            WHEN 'transfer_out' THEN 2
            WHEN 'margin' THEN 3
            WHEN 'charge' THEN 4
            WHEN 'vat' THEN 5
            WHEN 'levy' THEN 6
            WHEN 'reversal' THEN 7
            WHEN 'margin_reversal' THEN 8
            WHEN 'charge_reversal' THEN 9
            WHEN 'vat_reversal' THEN 10
            WHEN 'levy_reversal' THEN 11
            WHEN 'loss' THEN 12
            WHEN 'loss_reversal' THEN 13
            WHEN 'settlement' THEN 14
            WHEN 'settlement_loss' THEN 15
            WHEN 'cost_difference' THEN 16
            WHEN 'transfer_in' THEN 17
            WHEN 'user_credit' THEN 18
            WHEN 'refund' THEN 19
            WHEN 'voucher_issue' THEN 20
            WHEN 'voucher_redeem' THEN 21
            WHEN 'voucher_return' THEN 22
            WHEN 'voucher_restore' THEN 23
            WHEN 'refund_reversal' THEN 24
            WHEN 'collection' THEN 25
            WHEN 'collection_charge' THEN 26
            WHEN 'collection_vat' THEN 27
            ELSE -1
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_part CHECK (
        part = CASE
            WHEN kind IN (
                'fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss', 'cost_difference',
                'user_credit', 'voucher_issue', 'voucher_redeem', 'voucher_return', 'voucher_restore',
                'collection', 'collection_charge', 'collection_vat'
            ) THEN id
            ELSE 0
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_funding CHECK (
        (kind IN (
            'fund', 'settlement', 'settlement_loss', 'user_credit', 'voucher_issue',
            'voucher_redeem', 'voucher_return', 'voucher_restore', 'collection', 'collection_charge',
            'collection_vat'
        )) = (transaction = 0)
    ) NOT VALID;

-- What is paid to collections, and what is charged for it, is in reports of settlement.
DROP INDEX transfers_settled;

CREATE INDEX transfers_settled ON transfers ((account || ''), at, id)
WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit',
    'refund', 'refund_reversal', 'voucher_issue', 'voucher_redeem', 'voucher_return',
    'voucher_restore', 'collection', 'collection_charge', 'collection_vat'
);

-- `payee` is what payers type: an account number, or a payment reference.
CREATE TABLE collections (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    payee text COLLATE "C" NOT NULL,
    payer text NOT NULL,
    amount bigint,
    currency text COLLATE "C" NOT NULL,
    expires_at bigint,
    admission text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    bank text,
    email text,
    phone text,
    register text COLLATE "C",
    identity text,
    single boolean NOT NULL,
    purpose text COLLATE "C",
    in_parts boolean NOT NULL,
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
);

CREATE INDEX collections_created ON collections (account, kind, created_at, number);

CREATE TRIGGER collections_immutable BEFORE UPDATE OF account, number, reference, kind, payee, payer,
    amount, currency, expires_at, created_at, bank, email, phone, register, identity, single, purpose,
    in_parts ON collections
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER collections_no_delete BEFORE DELETE OR TRUNCATE ON collections
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE collected_payments (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    collection bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    charge bigint NOT NULL,
    vat bigint NOT NULL,
    payer_name text,
    payer_bank text,
    payer_account text,
    paid_at bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT collected_payments_session PRIMARY KEY (source, session),
    CONSTRAINT collected_payments_number UNIQUE (account, number),
    CONSTRAINT collected_payments_collection FOREIGN KEY (account, collection)
        REFERENCES collections (account, number),
    CONSTRAINT collected_payments_source CHECK (source IN ('bank', 'sandbox')),
    CONSTRAINT collected_payments_positive CHECK (amount > 0 AND charge >= 0 AND vat >= 0),
    CONSTRAINT collected_payments_net CHECK (charge + vat <= amount),
    CONSTRAINT collected_payments_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT collected_payments_account CHECK (length(payer_account) <= 4)
);

CREATE INDEX collected_payments_at ON collected_payments (account, at, number);
CREATE INDEX collected_payments_of ON collected_payments (account, collection, at, number);

CREATE TRIGGER collected_payments_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON collected_payments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What a bank says is recorded by those who may pay in: by operators, and by no server.
CREATE FUNCTION refuse_bank_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT has_table_privilege(current_user, 'public.fundings', 'INSERT') THEN
        RAISE EXCEPTION 'a payment that a bank reports is recorded by operators alone'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER collected_payments_bank BEFORE INSERT ON collected_payments
FOR EACH ROW WHEN (new.source = 'bank'::text) EXECUTE FUNCTION refuse_bank_payment();
