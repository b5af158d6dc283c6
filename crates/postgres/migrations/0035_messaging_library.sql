-- Templates of texts and flows of calls that merchants keep. An item never changes: it is made and
-- removed.

CREATE TABLE messaging_library (
    account text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    content text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT messaging_library_id PRIMARY KEY (account, id),
    CONSTRAINT messaging_library_kind CHECK (kind IN ('template', 'flow'))
);
