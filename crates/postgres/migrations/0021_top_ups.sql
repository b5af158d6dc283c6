-- What merchants say they will pay in. A row says nothing of whether the money arrived: that is a
-- row of `fundings` under the reference 'topup:' with the number, which operators add. Rows are
-- added and never changed.

CREATE TABLE top_ups (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT top_ups_number PRIMARY KEY (account, number),
    CONSTRAINT top_ups_reference UNIQUE (account, reference),
    CONSTRAINT top_ups_positive CHECK (amount > 0),
    CONSTRAINT top_ups_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT top_ups_channel CHECK (channel IN ('transfer', 'manual')),
    CONSTRAINT top_ups_end CHECK (expires_at > created_at)
);

CREATE INDEX top_ups_created ON top_ups (account, created_at, number);
CREATE INDEX top_ups_ending ON top_ups (account, expires_at);

CREATE TRIGGER top_ups_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON top_ups
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
