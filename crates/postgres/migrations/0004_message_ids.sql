-- What providers call messages and their parts, so that a delivery receipt finds its attempt after a
-- restart and on every instance. A part that is NULL stands for the whole message. Rows are
-- forgotten after a time.

CREATE TABLE message_ids (
    provider text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    reference text COLLATE "C" NOT NULL,
    part smallint,
    parts smallint NOT NULL,
    whole boolean NOT NULL,
    noted_at bigint NOT NULL,
    CONSTRAINT message_ids_id PRIMARY KEY (provider, id),
    CONSTRAINT message_ids_parts CHECK (parts BETWEEN 1 AND 255),
    CONSTRAINT message_ids_part CHECK (part >= 0 AND part < parts)
);

CREATE INDEX message_ids_reference ON message_ids (reference);

CREATE INDEX message_ids_noted ON message_ids (noted_at);
