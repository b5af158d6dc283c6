-- Groups of bank accounts that merchants pay together. A change counts the version on, so that none
-- overwrites one that its author has not seen.

CREATE TABLE payout_groups (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    name TEXT NOT NULL,
    member_count INTEGER NOT NULL CHECK (member_count BETWEEN 1 AND 1000),
    members TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
