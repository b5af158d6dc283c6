//! Erasing meter tokens, and forgetting requests. The writer must never be given more than a
//! bounded number of rows: payments wait for it.

use crate::error::failed;
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
}
