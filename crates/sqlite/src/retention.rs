//! Erasing meter tokens, and forgetting requests and incoming messages. The writer must never be
//! given more than a bounded number of rows: payments wait for it.

use crate::error::failed;
use crate::incoming_messages;
use crate::request_log::FORGET_OLD;
use crate::store::SqliteStore;
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::PortError;
use ports::retention::RetentionStore;

/// Of at most `?2` transactions that were opened before `?1`.
pub(crate) const ERASE_TOKENS: &str = "
    UPDATE transactions SET token = NULL WHERE id IN (
        SELECT id FROM transactions WHERE token IS NOT NULL AND opened_at < ?1
        ORDER BY opened_at LIMIT ?2
    )";

#[async_trait]
impl RetentionStore for SqliteStore {
    async fn erase_tokens(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let erased = self.writer.alone(move |writer| {
            let erased = sqlx::query(ERASE_TOKENS)
                .bind(before.as_millis())
                .bind(i64::from(most))
                .execute(writer.connection());
            Box::pin(erased)
        });
        let erased = erased.await?.map_err(failed("erase meter tokens"))?;
        Ok(erased.rows_affected())
    }

    async fn forget_requests(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let forgotten = self.writer.alone(move |writer| {
            let forgotten = sqlx::query(FORGET_OLD)
                .bind(before.as_millis())
                .bind(i64::from(most))
                .execute(writer.connection());
            Box::pin(forgotten)
        });
        let forgotten = forgotten.await?.map_err(failed("forget old requests"))?;
        Ok(forgotten.rows_affected())
    }

    async fn forget_incoming(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let forgotten = self.writer.alone(move |writer| {
            let forgotten = sqlx::query(incoming_messages::FORGET_OLD)
                .bind(before.as_millis())
                .bind(i64::from(most))
                .execute(writer.connection());
            Box::pin(forgotten)
        });
        let forgotten = forgotten.await?;
        let forgotten = forgotten.map_err(failed("forget old incoming messages"))?;
        Ok(forgotten.rows_affected())
    }

    async fn forget_excess_incoming(&self, kept: u32, most: u32) -> Result<u64, PortError> {
        // Looked for beside the writer.
        let excess: Vec<(String, i64, i64)> = sqlx::query_as(incoming_messages::EXCESS)
            .bind(i64::from(kept))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("look for incoming messages beyond what is kept"))?;
        let mut count = 0_u64;
        for (account, recorded_at, number) in excess {
            let left = i64::from(most).saturating_sub(i64::try_from(count).unwrap_or(i64::MAX));
            let forgotten = self.writer.alone(move |writer| {
                Box::pin(async move {
                    sqlx::query(incoming_messages::FORGET_EXCESS)
                        .bind(account)
                        .bind(recorded_at)
                        .bind(number)
                        .bind(left)
                        .execute(writer.connection())
                        .await
                })
            });
            let forgotten = forgotten.await?;
            let forgotten = forgotten.map_err(failed("forget incoming messages"))?;
            count = count.saturating_add(forgotten.rows_affected());
        }
        Ok(count)
    }
}
