-- The transfers that settle money of an account, by time. Setting aside and giving back are none of
-- them, so a payment adds one entry to the index. The account is an expression in it, so that it
-- serves the one statement which has it so: any other finds a transfer by its key.

CREATE INDEX transfers_settled ON transfers ((account || ''), at, id)
WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit'
);

-- Reports as files. One run of an account is under way at a time; `claim` counts the claims, and
-- what a writer with an older one writes is refused.

CREATE TABLE report_runs (
    account text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    request text NOT NULL,
    as_of bigint NOT NULL,
    state text NOT NULL,
    row_count bigint NOT NULL DEFAULT 0,
    byte_count bigint NOT NULL DEFAULT 0,
    part_count integer NOT NULL DEFAULT 0,
    sha256 bytea,
    claim integer NOT NULL DEFAULT 0,
    due_at bigint,
    created_at bigint NOT NULL,
    expires_at bigint,
    CONSTRAINT report_runs_id PRIMARY KEY (account, id),
    CONSTRAINT report_runs_state CHECK (state IN ('pending', 'ready', 'failed')),
    CONSTRAINT report_runs_ready CHECK ((state = 'ready') = (sha256 IS NOT NULL)),
    CONSTRAINT report_runs_pending CHECK (
        (state = 'pending') = (due_at IS NOT NULL) AND (state = 'pending') = (expires_at IS NULL)
    )
);

CREATE UNIQUE INDEX report_runs_under_way ON report_runs (account) WHERE state = 'pending';

CREATE INDEX report_runs_due ON report_runs (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX report_runs_expired ON report_runs (expires_at) WHERE expires_at IS NOT NULL;

-- Parts are written once and soon deleted: compressing them would not pay, and sealed text does not
-- become smaller.
CREATE TABLE report_parts (
    account text COLLATE "C" NOT NULL,
    run bigint NOT NULL,
    part integer NOT NULL,
    content text NOT NULL,
    CONSTRAINT report_parts_part PRIMARY KEY (account, run, part)
);

ALTER TABLE report_parts ALTER COLUMN content SET STORAGE EXTERNAL;
