-- What a provider took for a delivery is booked where it differs from the quote, as often as it
-- reports another cost.

ALTER TABLE transfers
    DROP CONSTRAINT transfers_step,
    DROP CONSTRAINT transfers_part;

-- The rows that are there hold to the stricter rules before: they are not read again.
ALTER TABLE transfers
    ADD CONSTRAINT transfers_step CHECK (
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
            WHEN 'loss_reversal' THEN 13
            WHEN 'settlement' THEN 14
            WHEN 'settlement_loss' THEN 15
            WHEN 'cost_difference' THEN 16
            ELSE -1
        END
    ) NOT VALID,
    ADD CONSTRAINT transfers_part CHECK (
        part = CASE
            WHEN kind IN (
                'fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss', 'cost_difference'
            ) THEN id
            ELSE 0
        END
    ) NOT VALID;

-- Money that was paid to a provider, or paid back by it: out of its float account, to the outside
-- world. It belongs to no merchant, so it is no transfer.

CREATE TABLE prefundings (
    number bigint NOT NULL,
    provider text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    entered_by text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT prefundings_number PRIMARY KEY (number),
    CONSTRAINT prefundings_from_one CHECK (number > 0),
    CONSTRAINT prefundings_once UNIQUE (provider, reference),
    CONSTRAINT prefundings_amount CHECK (amount <> 0)
);

CREATE TRIGGER prefundings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON prefundings
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
