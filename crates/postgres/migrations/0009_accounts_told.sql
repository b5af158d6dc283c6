-- Accounts are told of their money as well as of their transactions, and results of attempts that
-- were begun before a delivery was asked for again are known as such.

-- Rows that are there have nothing in the new columns: to look at each for a constraint would stop
-- the instances that serve meanwhile.

-- Where what can be spent falls below this, the account is told.
ALTER TABLE wallets ADD COLUMN low_below bigint;
ALTER TABLE wallets ADD CONSTRAINT wallets_low_below CHECK (low_below > 0) NOT VALID;

-- What a notice about an account shows, as a document of JSON.
ALTER TABLE deliveries ADD COLUMN shown text;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_shown_alone
CHECK (shown IS NULL OR (sequence = 0 AND about IS NULL)) NOT VALID;

-- How often it was asked for again.
ALTER TABLE deliveries ADD COLUMN round integer NOT NULL DEFAULT 0;

DROP TRIGGER deliveries_frozen ON deliveries;

CREATE TRIGGER deliveries_frozen BEFORE UPDATE OF
    account, endpoint, number, sequence, topic, at, about, state, version, updated_at, progress,
    shown
ON deliveries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
