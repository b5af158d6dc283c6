//! What providers call messages and their parts. It must be written through the one writer, and
//! nothing that money rests on may be among it.

use crate::error::failed;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::provider::{ProviderId, ProviderTransactionId};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::PortError;
use ports::receipts::{AcceptedMessage, KnownPart, MessageIds};
use storage_sql::record::{MessageIdRow, message_ids, parts_of};

pub(crate) const REMEMBER: &str = "
    INSERT INTO message_ids (provider, id, reference, part, parts, whole, noted_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (provider, id) DO UPDATE SET
        reference = excluded.reference, part = excluded.part, parts = excluded.parts,
        whole = excluded.whole, noted_at = excluded.noted_at";

pub(crate) const KNOWN: &str = "
    SELECT reference, part, parts, whole FROM message_ids WHERE provider = ?1 AND id = ?2";

pub(crate) const WHOLE: &str = "
    SELECT parts FROM message_ids WHERE reference = ?2 AND provider = ?1 AND whole = 1 LIMIT 1";

pub(crate) const FORGET: &str = "
    DELETE FROM message_ids WHERE (provider, id) IN (
        SELECT provider, id FROM message_ids WHERE noted_at < ?1 ORDER BY noted_at LIMIT ?2
    )";

#[async_trait]
impl MessageIds for SqliteStore {
    async fn remember(
        &self,
        provider: &ProviderId,
        message: &AcceptedMessage,
        now: Timestamp,
    ) -> Result<(), PortError> {
        let rows = message_ids(provider, message);
        self.writer
            .alone(move |writer| Box::pin(writer.remember(rows, now)))
            .await?
    }

    async fn known_part(
        &self,
        provider: &ProviderId,
        id: &ProviderTransactionId,
    ) -> Result<Option<KnownPart>, PortError> {
        let found: Option<(String, Option<i64>, i64, bool)> = sqlx::query_as(KNOWN)
            .bind(provider.as_str())
            .bind(id.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("find a message by its provider's identity"))?;
        found.map(MessageIdRow::restore).transpose()
    }

    async fn accepted_whole(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Result<Option<u8>, PortError> {
        let found: Option<i64> = sqlx::query_scalar(WHOLE)
            .bind(provider.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("find the parts of a message"))?;
        found.map(parts_of).transpose()
    }

    async fn forget(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        self.writer
            .alone(move |writer| Box::pin(writer.forget(before, most)))
            .await?
    }
}

impl SqliteWriter {
    async fn remember(&mut self, rows: Vec<MessageIdRow>, now: Timestamp) -> Result<(), PortError> {
        let mut step = self.step().await?;
        for row in rows {
            sqlx::query(REMEMBER)
                .bind(row.provider)
                .bind(row.id)
                .bind(row.reference)
                .bind(row.part)
                .bind(row.parts)
                .bind(row.whole)
                .bind(now.as_millis())
                .execute(&mut *step)
                .await
                .map_err(failed("store what a provider calls a message"))?;
        }
        step.commit()
            .await
            .map_err(failed("commit what a provider calls a message"))
    }

    async fn forget(&mut self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let mut step = self.step().await?;
        let forgotten = sqlx::query(FORGET)
            .bind(before.as_millis())
            .bind(i64::from(most))
            .execute(&mut *step)
            .await
            .map_err(failed("forget what providers called messages"))?;
        step.commit()
            .await
            .map_err(failed("commit what was forgotten of messages"))?;
        Ok(forgotten.rows_affected())
    }
}
