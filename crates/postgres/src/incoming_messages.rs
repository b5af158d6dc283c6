//! Incoming messages. A message and its event must be written by one statement: there is neither
//! after a crash, or both.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::rows::bigint;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::messaging::{
    Conversation, IncomingMessage, IncomingMessagesQuery, MessageChannel, ProviderMessageId,
};
use domain::phone::PhoneNumber;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::webhook::Topic;
use ports::PortError;
use ports::incoming_messages::{IncomingMessages, IncomingMessagesPage, IncomingRecording};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::{IncomingRow, incoming_message};

/// Records a message unless it is there, and its event of topic `$11` for every endpoint of its
/// account that subscribes to it; answers how many rows were recorded, and whether the message was
/// there before.
const RECORD: &str = "
    WITH recorded AS (
        INSERT INTO incoming_messages (
            account, number, provider, message_id, channel, phone, sender, received_at,
            recorded_at, message
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT DO NOTHING
        RETURNING number
    ),
    announced AS (
        INSERT INTO deliveries (account, endpoint, number, sequence, topic, at, due_at)
        SELECT e.account, e.id, recorded.number, 0, $11, $9, $9
        FROM recorded CROSS JOIN endpoints AS e
        WHERE e.account = $1 AND e.disabled_at IS NULL
            AND (e.topics IS NULL OR $11 = ANY (string_to_array(e.topics, ' ')))
        ON CONFLICT (account, endpoint, number, sequence, currency) DO NOTHING
    )
    SELECT (SELECT count(*) FROM recorded), EXISTS (
        SELECT 1 FROM incoming_messages WHERE provider = $3 AND message_id = $4
    )";

const IS_THERE: &str = "
    SELECT EXISTS (SELECT 1 FROM incoming_messages WHERE provider = $1 AND message_id = $2)";

/// Which of the messages of an account are asked for.
macro_rules! asked_for {
    () => {
        " FROM incoming_messages WHERE account = $1
        AND ($2::text IS NULL OR channel = $2) AND ($3::text IS NULL OR phone = $3)"
    };
}

const PAGES: [&str; 2] = [
    concat!(
        "SELECT account, number, message",
        asked_for!(),
        " ORDER BY recorded_at, number LIMIT $5 OFFSET $4"
    ),
    concat!(
        "SELECT account, number, message",
        asked_for!(),
        " ORDER BY recorded_at DESC, number DESC LIMIT $5 OFFSET $4"
    ),
];

const FOUND: &str = concat!("SELECT count(*)", asked_for!());

const TOTAL: &str = "SELECT count(*) FROM incoming_messages WHERE account = $1";

const LAST: &str = "
    SELECT received_at FROM incoming_messages
    WHERE account = $1 AND channel = $2 AND phone = $3 AND sender = $4
    ORDER BY received_at DESC LIMIT 1";

/// Whether the event of message `m` is listed for any endpoint.
macro_rules! is_listed {
    () => {
        "EXISTS (
            SELECT 1 FROM endpoints AS e
            JOIN deliveries AS d ON d.account = ANY (ARRAY[e.account]) AND d.endpoint = e.id
                AND d.number = m.number AND d.sequence = 0 AND d.currency = ''
            WHERE e.account = ANY (ARRAY[m.account])
        )"
    };
}

/// At most `$2` of the messages that were recorded before `$1`. Another instance may do the same.
pub(crate) const FORGET_OLD: &str = concat!(
    "WITH old AS MATERIALIZED (
        SELECT m.account, m.number FROM incoming_messages AS m
        WHERE m.recorded_at < $1 AND NOT ",
    is_listed!(),
    " ORDER BY m.recorded_at LIMIT $2
    )
    DELETE FROM incoming_messages AS m USING old
    WHERE m.account = ANY (ARRAY[old.account]) AND m.number = ANY (ARRAY[old.number])"
);

/// At most `$2` of the messages that `$1` newer ones of their account follow.
pub(crate) const FORGET_EXCESS: &str = concat!(
    "WITH excess AS MATERIALIZED (
        SELECT m.account, m.number FROM accounts AS a CROSS JOIN LATERAL (
            SELECT x.account, x.number FROM incoming_messages AS x
            WHERE x.account = ANY (ARRAY[a.id])
            ORDER BY x.recorded_at DESC, x.number DESC OFFSET $1
        ) AS m
        WHERE NOT ",
    is_listed!(),
    " LIMIT $2
    )
    DELETE FROM incoming_messages AS m USING excess
    WHERE m.account = ANY (ARRAY[excess.account]) AND m.number = ANY (ARRAY[excess.number])"
);

/// Every statement that is run while payments are, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 8] = [
    FORGET_OLD, FOUND, IS_THERE, LAST, PAGES[0], PAGES[1], RECORD, TOTAL,
];

#[async_trait]
impl IncomingMessages for PostgresStore {
    async fn record_incoming(
        &self,
        message: &IncomingMessage,
    ) -> Result<IncomingRecording, PortError> {
        let row = IncomingRow::of(message, self.cipher())?;
        let (recorded, was_there): (i64, bool) = sqlx::query_as(RECORD)
            .bind(row.account)
            .bind(row.number)
            .bind(row.provider)
            .bind(row.message_id)
            .bind(row.channel)
            .bind(row.phone)
            .bind(row.sender)
            .bind(row.received_at)
            .bind(row.recorded_at)
            .bind(row.message)
            .bind(Topic::MessageReceived.code())
            .fetch_one(&self.steps)
            .in_time()
            .await
            .map_err(failed("record an incoming message"))?;
        // Where another instance recorded the message at the same time, neither is seen: the same
        // message under another number finds it.
        Ok(match (recorded, was_there) {
            (0, true) => IncomingRecording::Repeated,
            (0, false) => IncomingRecording::NumberTaken,
            (_, _) => IncomingRecording::Recorded,
        })
    }

    async fn has_incoming(
        &self,
        provider: &ProviderId,
        id: &ProviderMessageId,
    ) -> Result<bool, PortError> {
        let is_there = sqlx::query_scalar(IS_THERE)
            .bind(provider.as_str())
            .bind(id.as_str())
            .fetch_one(&self.reads)
            .in_time()
            .await;
        is_there.map_err(failed("look for a message of a provider"))
    }

    async fn incoming_messages(
        &self,
        account: &AccountId,
        query: &IncomingMessagesQuery,
    ) -> Result<IncomingMessagesPage, PortError> {
        let channel = query.channel.map(MessageChannel::code);
        let number = query.number.as_ref().map(PhoneNumber::digits);
        let rows = sqlx::query(in_direction(PAGES, query.sort))
            .bind(account.as_str())
            .bind(channel)
            .bind(number)
            .bind(bigint(query.offset))
            .bind(i64::from(query.length))
            .fetch_all(&self.pages)
            .in_time()
            .await
            .map_err(failed("list incoming messages"))?;
        let found: i64 = sqlx::query_scalar(FOUND)
            .bind(account.as_str())
            .bind(channel)
            .bind(number)
            .fetch_one(&self.pages)
            .in_time()
            .await
            .map_err(failed("count the incoming messages that are asked for"))?;
        let total: i64 = sqlx::query_scalar(TOTAL)
            .bind(account.as_str())
            .fetch_one(&self.pages)
            .in_time()
            .await
            .map_err(failed("count incoming messages"))?;
        let messages = rows.iter().map(|row| restored(row, self.cipher()));
        Ok(IncomingMessagesPage {
            // One that cannot be read must not hide the others.
            messages: readable(messages, "an incoming message cannot be shown").collect(),
            total: u64::try_from(total).unwrap_or_default(),
            found: u64::try_from(found).unwrap_or_default(),
        })
    }

    async fn last_incoming(
        &self,
        account: &AccountId,
        conversation: Conversation<'_>,
    ) -> Result<Option<Timestamp>, PortError> {
        let last: Option<i64> = sqlx::query_scalar(LAST)
            .bind(account.as_str())
            .bind(conversation.channel.code())
            .bind(conversation.number.digits())
            .bind(conversation.sender.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("look for the last message of a conversation"))?;
        Ok(last.map(Timestamp::from_millis))
    }
}

fn restored(row: &PgRow, cipher: &FieldCipher) -> Result<IncomingMessage, PortError> {
    let read = || Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
    let read: Result<(String, i64, String), sqlx::Error> = read();
    let (account, number, message) = read.map_err(failed("read an incoming message"))?;
    incoming_message((&account, number), message, cipher)
}
