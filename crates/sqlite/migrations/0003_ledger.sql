-- The double-entry ledger: one debit and one credit of the same amount in every row, so the books
-- cannot fail to balance.

CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    transaction_id INTEGER REFERENCES transactions (id),
    kind TEXT NOT NULL,
    debit_kind TEXT NOT NULL,
    debit_holder TEXT,
    credit_kind TEXT NOT NULL,
    credit_holder TEXT,
    amount INTEGER NOT NULL CONSTRAINT transfers_amount CHECK (amount > 0),
    currency TEXT NOT NULL,
    narration TEXT,
    at INTEGER NOT NULL,
    -- The line on a merchant's statement, where the transfer changes what can be spent: whose,
    -- which way, which line of all and of its direction, and what can be spent after it.
    account TEXT REFERENCES accounts (id),
    direction TEXT CONSTRAINT transfers_direction CHECK (direction IN ('debit', 'credit')),
    position INTEGER,
    nth INTEGER,
    available_after INTEGER,
    CONSTRAINT transfers_kind CHECK ((kind = 'fund') = (transaction_id IS NULL)),
    CONSTRAINT transfers_legs CHECK (
        debit_kind <> credit_kind OR debit_holder IS NOT credit_holder
    ),
    CONSTRAINT transfers_line CHECK (
        (account IS NULL) = (direction IS NULL)
        AND (account IS NULL) = (position IS NULL)
        AND (account IS NULL) = (nth IS NULL)
        AND (account IS NULL) = (available_after IS NULL)
    )
) STRICT;

-- Each kind of movement happens once per transaction; only losses may be booked for both attempts.
CREATE UNIQUE INDEX transfers_once ON transfers (
    transaction_id, kind, CASE kind WHEN 'loss' THEN id ELSE 0 END
) WHERE transaction_id IS NOT NULL;
-- A price set aside is earned or given back, never both.
CREATE UNIQUE INDEX transfers_settled_once ON transfers (transaction_id)
WHERE kind IN ('capture', 'release');
CREATE UNIQUE INDEX transfers_position ON transfers (account, position)
WHERE account IS NOT NULL;
CREATE UNIQUE INDEX transfers_nth ON transfers (account, direction, nth)
WHERE account IS NOT NULL;

-- What an operator paid in, under a reference that works once.
CREATE TABLE fundings (
    account TEXT NOT NULL REFERENCES accounts (id),
    reference TEXT NOT NULL,
    transfer_id INTEGER NOT NULL REFERENCES transfers (id),
    at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX fundings_reference ON fundings (account, reference);
CREATE UNIQUE INDEX fundings_transfer ON fundings (transfer_id);
