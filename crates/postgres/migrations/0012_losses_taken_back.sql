-- A provider may take back what it delivered after the price was given back. The loss that was booked
-- is undone then, once for each attempt.

ALTER TABLE attempts_ended ADD COLUMN taken_back_at bigint;

ALTER TABLE transfers
DROP CONSTRAINT transfers_step,
DROP CONSTRAINT transfers_part,
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
        ELSE -1
    END
),
ADD CONSTRAINT transfers_part CHECK (
    part = CASE WHEN kind IN ('fund', 'loss', 'loss_reversal') THEN id ELSE 0 END
);

CREATE OR REPLACE VIEW audit.attempts AS
SELECT account || '/' || transaction AS transaction_id, number, state, NULL AS evidence,
    provider_reference, started_at, NULL::bigint AS ended_at, NULL::bigint AS contradicted_at,
    NULL::bigint AS taken_back_at
FROM attempts_open
UNION ALL
SELECT account || '/' || transaction, number, state, evidence, provider_reference, started_at,
    ended_at, contradicted_at, taken_back_at
FROM attempts_ended;
