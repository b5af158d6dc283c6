-- The double-entry ledger: one debit and one credit of the same amount in every row, so the books
-- cannot fail to balance.

-- Entries are numbered in the order they were made; what rolls back leaves a gap.
CREATE SEQUENCE transfers_id;

-- `step` is the place a kind of movement has in the life of a transaction. Capture and release
-- share one, so the key itself says that money set aside is earned or given back, once. `part` is 0
-- but where a step may be taken more than once: fundings, which have no transaction, and losses.
CREATE TABLE transfers (
    account text COLLATE "C" NOT NULL,
    transaction bigint NOT NULL,
    step smallint NOT NULL,
    part bigint NOT NULL,
    id bigint NOT NULL DEFAULT nextval('transfers_id'),
    kind text NOT NULL,
    debit_kind text NOT NULL,
    debit_holder text COLLATE "C",
    credit_kind text NOT NULL,
    credit_holder text COLLATE "C",
    amount bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    narration text,
    at bigint NOT NULL,
    -- The line on the account's statement, where the transfer changes what can be spent: which way,
    -- which line of all and of its direction, and what can be spent after it.
    direction text COLLATE "C",
    position bigint,
    nth bigint,
    available_after bigint,
    CONSTRAINT transfers_once PRIMARY KEY (account, transaction, step, part),
    CONSTRAINT transfers_amount CHECK (amount > 0),
    CONSTRAINT transfers_legs CHECK (
        debit_kind <> credit_kind OR debit_holder IS DISTINCT FROM credit_holder
    ),
    CONSTRAINT transfers_step CHECK (
        step = CASE kind
            WHEN 'fund' THEN 0
            WHEN 'hold' THEN 1
            WHEN 'capture' THEN 2
            WHEN 'release' THEN 2
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
            ELSE -1
        END
    ),
    CONSTRAINT transfers_part CHECK (part = CASE WHEN kind IN ('fund', 'loss') THEN id ELSE 0 END),
    CONSTRAINT transfers_funding CHECK ((kind = 'fund') = (transaction = 0)),
    CONSTRAINT transfers_line CHECK (
        (direction IS NULL) = (position IS NULL)
        AND (direction IS NULL) = (nth IS NULL)
        AND (direction IS NULL) = (available_after IS NULL)
        AND direction IN ('debit', 'credit')
    )
);

-- Each wallet numbers the lines of its own statement.
CREATE UNIQUE INDEX transfers_position ON transfers (account COLLATE "POSIX", currency, position)
WHERE position IS NOT NULL;
CREATE UNIQUE INDEX transfers_nth ON transfers (
    account COLLATE ucs_basic, currency, direction, nth
) WHERE position IS NOT NULL;

-- What an operator paid in, under a reference that works once; `position` is its line in the
-- statement of the wallet.
CREATE TABLE fundings (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    reference text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    position bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT fundings_reference PRIMARY KEY (account, reference),
    CONSTRAINT fundings_position UNIQUE (account, currency, position)
);
