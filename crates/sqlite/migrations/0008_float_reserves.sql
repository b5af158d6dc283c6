-- What no instance has of our money at a provider, in kobo, and when it was counted; NULL where it
-- must be counted anew.

CREATE TABLE float_reserves (
    provider TEXT NOT NULL CONSTRAINT float_reserves_once PRIMARY KEY,
    free INTEGER NOT NULL,
    counted_at INTEGER
) STRICT, WITHOUT ROWID;

-- What each instance may sell of it until a moment.

CREATE TABLE float_tranches (
    provider TEXT NOT NULL,
    holder INTEGER NOT NULL,
    amount INTEGER NOT NULL CONSTRAINT float_tranches_amount CHECK (amount >= 0),
    until INTEGER NOT NULL,
    CONSTRAINT float_tranches_once PRIMARY KEY (provider, holder)
) STRICT, WITHOUT ROWID;
