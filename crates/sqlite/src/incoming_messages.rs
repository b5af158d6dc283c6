//! Incoming messages. A message and its event must be written in one step: there is neither after a
//! crash, or both.

use crate::batches::{in_direction, integer};
use crate::error::failed;
use crate::outbox::ANNOUNCE;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
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
use sqlx::sqlite::SqliteRow;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::{IncomingRow, incoming_message};

/// Records a message unless it, or its number, is there.
const RECORD: &str = "
    INSERT INTO incoming_messages (
        account, number, provider, message_id, channel, phone, sender, received_at, recorded_at,
        message
    )
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING";

const IS_THERE: &str = "
    SELECT EXISTS (SELECT 1 FROM incoming_messages WHERE provider = ?1 AND message_id = ?2)";

/// Which of the messages of an account are asked for.
macro_rules! asked_for {
    () => {
        " FROM incoming_messages WHERE account = ?1
        AND (?2 IS NULL OR channel = ?2) AND (?3 IS NULL OR phone = ?3)"
    };
}

const PAGES: [&str; 2] = [
    concat!(
        "SELECT account, number, message",
        asked_for!(),
        " ORDER BY recorded_at, number LIMIT ?5 OFFSET ?4"
    ),
    concat!(
        "SELECT account, number, message",
        asked_for!(),
        " ORDER BY recorded_at DESC, number DESC LIMIT ?5 OFFSET ?4"
    ),
];

const FOUND: &str = concat!("SELECT count(*)", asked_for!());

const TOTAL: &str = "SELECT count(*) FROM incoming_messages WHERE account = ?1";

const LAST: &str = "
    SELECT received_at FROM incoming_messages
    WHERE account = ?1 AND channel = ?2 AND phone = ?3 AND sender = ?4
    ORDER BY received_at DESC LIMIT 1";

/// Whether the event of message `m` is listed for any endpoint.
macro_rules! is_listed {
    () => {
        "EXISTS (
            SELECT 1 FROM endpoints AS e
            JOIN deliveries AS d ON d.account = e.account AND d.endpoint = e.id
                AND d.number = m.number AND d.sequence = 0 AND d.currency = ''
            WHERE e.account = m.account
        )"
    };
}

/// At most `?2` of the messages that were recorded before `?1`.
pub(crate) const FORGET_OLD: &str = concat!(
    "DELETE FROM incoming_messages WHERE (account, number) IN (
        SELECT m.account, m.number FROM incoming_messages AS m
        WHERE m.recorded_at < ?1 AND NOT ",
    is_listed!(),
    " ORDER BY m.recorded_at LIMIT ?2
    )"
);

/// Of each account with so many messages, the newest that `?1` newer ones follow.
pub(crate) const EXCESS: &str = "
    SELECT a.id, x.recorded_at, x.number FROM accounts AS a
    JOIN incoming_messages AS x ON x.account = a.id AND x.number = (
        SELECT y.number FROM incoming_messages AS y WHERE y.account = a.id
        ORDER BY y.recorded_at DESC, y.number DESC LIMIT 1 OFFSET ?1
    )
    ORDER BY a.id";

/// At most `?4` of the messages of account `?1` up to one, the oldest first.
pub(crate) const FORGET_EXCESS: &str = concat!(
    "DELETE FROM incoming_messages WHERE account = ?1 AND number IN (
        SELECT m.number FROM incoming_messages AS m
        WHERE m.account = ?1 AND (m.recorded_at, m.number) <= (?2, ?3) AND NOT ",
    is_listed!(),
    " ORDER BY m.recorded_at, m.number LIMIT ?4
    )"
);

/// Every statement that is run while payments are, for the tests of how `SQLite` runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 9] = [
    FORGET_EXCESS,
    FORGET_OLD,
    FOUND,
    IS_THERE,
    LAST,
    PAGES[0],
    PAGES[1],
    RECORD,
    TOTAL,
];

#[async_trait]
impl IncomingMessages for SqliteStore {
    async fn record_incoming(
        &self,
        message: &IncomingMessage,
    ) -> Result<IncomingRecording, PortError> {
        let row = IncomingRow::of(message, &self.cipher)?;
        self.writer
            .alone(move |writer| Box::pin(writer.record_incoming(row)))
            .await?
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
            .bind(integer(query.offset))
            .bind(i64::from(query.length))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("list incoming messages"))?;
        let found: i64 = sqlx::query_scalar(FOUND)
            .bind(account.as_str())
            .bind(channel)
            .bind(number)
            .fetch_one(&self.pages)
            .await
            .map_err(failed("count the incoming messages that are asked for"))?;
        let total: i64 = sqlx::query_scalar(TOTAL)
            .bind(account.as_str())
            .fetch_one(&self.pages)
            .await
            .map_err(failed("count incoming messages"))?;
        let messages = rows.iter().map(|row| restored(row, &self.cipher));
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
            .await
            .map_err(failed("look for the last message of a conversation"))?;
        Ok(last.map(Timestamp::from_millis))
    }
}

impl SqliteWriter {
    async fn record_incoming(&mut self, row: IncomingRow) -> Result<IncomingRecording, PortError> {
        let mut step = self.step().await?;
        let recorded = sqlx::query(RECORD)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.provider)
            .bind(&row.message_id)
            .bind(&row.channel)
            .bind(&row.phone)
            .bind(&row.sender)
            .bind(row.received_at)
            .bind(row.recorded_at)
            .bind(&row.message)
            .execute(&mut *step)
            .await
            .map_err(failed("record an incoming message"))?;
        if recorded.rows_affected() == 0 {
            let is_there: bool = sqlx::query_scalar(IS_THERE)
                .bind(&row.provider)
                .bind(&row.message_id)
                .fetch_one(&mut *step)
                .await
                .map_err(failed("look for an incoming message"))?;
            return Ok(if is_there {
                IncomingRecording::Repeated
            } else {
                IncomingRecording::NumberTaken
            });
        }
        sqlx::query(ANNOUNCE)
            .bind(&row.account)
            .bind(None::<i64>)
            .bind(false)
            .bind(Topic::MessageReceived.code())
            .bind(row.number)
            .bind(row.recorded_at)
            .bind(None::<i64>)
            .bind(false)
            .execute(&mut *step)
            .await
            .map_err(failed("record the event of an incoming message"))?;
        let done = step.commit().await;
        done.map_err(failed("commit an incoming message"))?;
        Ok(IncomingRecording::Recorded)
    }
}

fn restored(row: &SqliteRow, cipher: &FieldCipher) -> Result<IncomingMessage, PortError> {
    let read = || Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
    let read: Result<(String, i64, String), sqlx::Error> = read();
    let (account, number, message) = read.map_err(failed("read an incoming message"))?;
    incoming_message((&account, number), message, cipher)
}
