-- What providers call messages and their parts, so that a delivery receipt finds its attempt after a
-- restart. A part that is NULL stands for the whole message. Rows are forgotten after a time.

CREATE TABLE message_ids (
    provider TEXT NOT NULL,
    id TEXT NOT NULL,
    reference TEXT NOT NULL,
    part INTEGER,
    parts INTEGER NOT NULL CONSTRAINT message_ids_parts CHECK (parts BETWEEN 1 AND 255),
    whole INTEGER NOT NULL CONSTRAINT message_ids_whole CHECK (whole IN (0, 1)),
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (provider, id),
    CONSTRAINT message_ids_part CHECK (part >= 0 AND part < parts)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_ids_reference ON message_ids (reference);

CREATE INDEX message_ids_noted ON message_ids (noted_at);
