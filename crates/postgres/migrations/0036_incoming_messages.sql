-- Messages that people sent to the senders of accounts. `message` is the sealed document of all of it;
-- the other columns are what is searched for. What a provider calls a message is unique for the
-- provider: a message that is reported again is there already. Rows are forgotten with time, so they
-- refer to nothing: no payment waits for the lock of a row that a reference would take.

CREATE TABLE incoming_messages (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    provider text COLLATE "C" NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    phone text COLLATE "C" NOT NULL,
    sender text COLLATE "C" NOT NULL,
    received_at bigint NOT NULL,
    recorded_at bigint NOT NULL,
    message text NOT NULL,
    CONSTRAINT incoming_messages_number PRIMARY KEY (account, number),
    CONSTRAINT incoming_messages_once UNIQUE (provider, message_id),
    CONSTRAINT incoming_messages_channel CHECK (channel IN ('sms', 'whatsapp'))
);

-- Pages of an account.
CREATE INDEX incoming_messages_listed ON incoming_messages (account, recorded_at, number);

-- The last message of a conversation.
CREATE INDEX incoming_messages_conversation
ON incoming_messages (account, channel, phone, sender, received_at);

CREATE INDEX incoming_messages_recorded ON incoming_messages (recorded_at);

CREATE TRIGGER incoming_messages_immutable BEFORE UPDATE OR TRUNCATE ON incoming_messages
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whose a message is that was sent to a name.
CREATE INDEX senders_named ON senders (lower(name)) WHERE status = 'approved';
