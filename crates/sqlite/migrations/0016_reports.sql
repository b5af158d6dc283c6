-- The transfers that settle money of an account, by time. Setting aside and giving back are none of
-- them, so a payment adds one entry to the index.

CREATE INDEX transfers_settled ON transfers (
    CASE
        WHEN kind IN ('capture', 'transfer_out', 'settlement') THEN debit_holder
        ELSE credit_holder
    END, at
) WHERE kind IN (
    'capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in', 'user_credit'
);

-- Reports as files. One run of an account is under way at a time; `claim` counts the claims, and
-- what a writer with an older one writes is refused.

CREATE TABLE report_runs (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    request TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    state TEXT NOT NULL CONSTRAINT report_runs_state CHECK (
        state IN ('pending', 'ready', 'failed')
    ),
    row_count INTEGER NOT NULL DEFAULT 0,
    byte_count INTEGER NOT NULL DEFAULT 0,
    part_count INTEGER NOT NULL DEFAULT 0,
    sha256 BLOB,
    claim INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (account, id),
    CONSTRAINT report_runs_ready CHECK ((state = 'ready') = (sha256 IS NOT NULL)),
    CONSTRAINT report_runs_pending CHECK (
        (state = 'pending') = (due_at IS NOT NULL) AND (state = 'pending') = (expires_at IS NULL)
    )
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX report_runs_under_way ON report_runs (account) WHERE state = 'pending';

CREATE INDEX report_runs_due ON report_runs (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX report_runs_expired ON report_runs (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE report_parts (
    account TEXT NOT NULL,
    run INTEGER NOT NULL,
    part INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (account, run, part),
    FOREIGN KEY (account, run) REFERENCES report_runs (account, id)
) STRICT;
