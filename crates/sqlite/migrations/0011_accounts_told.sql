-- Accounts are told of their money as well as of their transactions, and results of attempts that
-- were begun before a delivery was asked for again are known as such.

-- Where what can be spent falls below this, the account is told.
ALTER TABLE wallets ADD COLUMN low_below INTEGER
CONSTRAINT wallets_low_below CHECK (low_below > 0);

-- What a notice about an account shows, as a document of JSON.
ALTER TABLE deliveries ADD COLUMN shown TEXT
CONSTRAINT deliveries_shown_alone CHECK (shown IS NULL OR (sequence = 0 AND about IS NULL));

-- How often it was asked for again.
ALTER TABLE deliveries ADD COLUMN round INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER deliveries_frozen;

CREATE TRIGGER deliveries_frozen BEFORE UPDATE OF
    id, account, endpoint, number, sequence, topic, at, about, state, version, updated_at, progress,
    shown
ON deliveries BEGIN
    SELECT RAISE(ABORT, 'what is told is frozen');
END;
