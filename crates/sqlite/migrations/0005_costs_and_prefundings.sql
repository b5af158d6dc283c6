-- What a provider took for a delivery is booked where it differs from the quote, as often as it
-- reports another cost.

DROP INDEX transfers_once;

CREATE UNIQUE INDEX transfers_once ON transfers (
    transaction_id, kind,
    CASE WHEN kind IN ('loss', 'loss_reversal', 'cost_difference') THEN id ELSE 0 END
) WHERE transaction_id IS NOT NULL;

-- Money that was paid to a provider, or paid back by it: out of its float account, to the outside
-- world. It belongs to no merchant, so it is no transfer.

CREATE TABLE prefundings (
    number INTEGER PRIMARY KEY CONSTRAINT prefundings_number CHECK (number > 0),
    provider TEXT NOT NULL,
    reference TEXT NOT NULL,
    amount INTEGER NOT NULL CONSTRAINT prefundings_amount CHECK (amount <> 0),
    currency TEXT NOT NULL,
    reason TEXT NOT NULL,
    entered_by TEXT NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT prefundings_once UNIQUE (provider, reference)
) STRICT;

CREATE TRIGGER prefundings_no_update BEFORE UPDATE ON prefundings BEGIN
    SELECT RAISE(ABORT, 'prefundings are append-only');
END;

CREATE TRIGGER prefundings_no_delete BEFORE DELETE ON prefundings BEGIN
    SELECT RAISE(ABORT, 'prefundings are append-only');
END;
