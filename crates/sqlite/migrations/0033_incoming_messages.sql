-- Messages that people sent to the senders of accounts. `message` is the sealed document of all of it;
-- the other columns are what is searched for. What a provider calls a message is unique for the
-- provider: a message that is reported again is there already. Rows are forgotten with time, so they
-- refer to nothing.

CREATE TABLE incoming_messages (
    account TEXT NOT NULL,
    number INTEGER NOT NULL,
    provider TEXT NOT NULL,
    message_id TEXT NOT NULL,
    channel TEXT NOT NULL CONSTRAINT incoming_messages_channel CHECK (
        channel IN ('sms', 'whatsapp')
    ),
    phone TEXT NOT NULL,
    sender TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    message TEXT NOT NULL,
    CONSTRAINT incoming_messages_number PRIMARY KEY (account, number),
    CONSTRAINT incoming_messages_once UNIQUE (provider, message_id)
) STRICT, WITHOUT ROWID;

-- Pages of an account.
CREATE INDEX incoming_messages_listed ON incoming_messages (account, recorded_at, number);

-- The last message of a conversation.
CREATE INDEX incoming_messages_conversation
ON incoming_messages (account, channel, phone, sender, received_at);

CREATE INDEX incoming_messages_recorded ON incoming_messages (recorded_at);

CREATE TRIGGER incoming_messages_immutable BEFORE UPDATE ON incoming_messages BEGIN
    SELECT RAISE(ABORT, 'what a person sent is never changed');
END;

-- Whose a message is that was sent to a name.
CREATE INDEX senders_named ON senders (name COLLATE NOCASE) WHERE status = 'approved';
