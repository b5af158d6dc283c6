-- What no instance has of our money at a provider, in kobo, and when it was counted; NULL where it
-- must be counted anew.

CREATE TABLE float_reserves (
    provider text COLLATE "C" NOT NULL,
    free bigint NOT NULL,
    counted_at bigint,
    CONSTRAINT float_reserves_once PRIMARY KEY (provider)
);

-- What each instance may sell of it until a moment.

CREATE TABLE float_tranches (
    provider text COLLATE "C" NOT NULL,
    holder bigint NOT NULL,
    amount bigint NOT NULL,
    until bigint NOT NULL,
    CONSTRAINT float_tranches_once PRIMARY KEY (provider, holder),
    CONSTRAINT float_tranches_amount CHECK (amount >= 0)
);
