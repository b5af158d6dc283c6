-- Templates of texts and flows of calls that merchants keep. An item never changes: it is made and
-- removed.

CREATE TABLE messaging_library (
    account TEXT NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('template', 'flow')),
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
