-- What merchants say they will pay in. A row says nothing of whether the money arrived: that is a
-- row of `fundings` under the reference 'topup:' with the number. Rows are added and never changed.

CREATE TABLE top_ups (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    amount INTEGER NOT NULL CONSTRAINT top_ups_positive CHECK (amount > 0),
    currency TEXT NOT NULL,
    channel TEXT NOT NULL CONSTRAINT top_ups_channel CHECK (channel IN ('transfer', 'manual')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CONSTRAINT top_ups_number PRIMARY KEY (account, number),
    CONSTRAINT top_ups_reference UNIQUE (account, reference),
    CONSTRAINT top_ups_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT top_ups_end CHECK (expires_at > created_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX top_ups_created ON top_ups (account, created_at, number);
CREATE INDEX top_ups_ending ON top_ups (account, expires_at);

CREATE TRIGGER top_ups_no_update BEFORE UPDATE ON top_ups BEGIN
    SELECT RAISE(ABORT, 'top_ups are append-only');
END;

CREATE TRIGGER top_ups_no_delete BEFORE DELETE ON top_ups BEGIN
    SELECT RAISE(ABORT, 'top_ups are append-only');
END;

CREATE TRIGGER top_ups_no_replace BEFORE INSERT ON top_ups
WHEN EXISTS (
    SELECT 1 FROM top_ups
    WHERE account = NEW.account AND (number = NEW.number OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'top_ups are append-only');
END;
