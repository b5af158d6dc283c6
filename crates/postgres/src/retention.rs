//! Erasing meter tokens, and forgetting requests and incoming messages. What is being settled at
//! the moment must never be waited for.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::incoming_messages;
use crate::request_log::FORGET_OLD;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::PortError;
use ports::retention::RetentionStore;

/// Of at most `$2` transactions that were opened before `$1`.
pub(crate) const ERASE_TOKENS: &str = "
    WITH old AS MATERIALIZED (
        SELECT account, number FROM transactions WHERE token IS NOT NULL AND opened_at < $1
        ORDER BY opened_at LIMIT $2
        FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE transactions AS t SET token = NULL
    FROM old
    WHERE t.account = ANY (ARRAY[old.account]) AND t.number = old.number";

#[async_trait]
impl RetentionStore for PostgresStore {
    async fn erase_tokens(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let erased = sqlx::query(ERASE_TOKENS)
            .bind(before.as_millis())
            .bind(i64::from(most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("erase meter tokens"))?;
        Ok(erased.rows_affected())
    }

    async fn forget_requests(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let forgotten = sqlx::query(FORGET_OLD)
            .bind(before.as_millis())
            .bind(i64::from(most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("forget old requests"))?;
        Ok(forgotten.rows_affected())
    }

    async fn forget_incoming(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let forgotten = sqlx::query(incoming_messages::FORGET_OLD)
            .bind(before.as_millis())
            .bind(i64::from(most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("forget old incoming messages"))?;
        Ok(forgotten.rows_affected())
    }

    async fn forget_excess_incoming(&self, kept: u32, most: u32) -> Result<u64, PortError> {
        let forgotten = sqlx::query(incoming_messages::FORGET_EXCESS)
            .bind(i64::from(kept))
            .bind(i64::from(most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("forget incoming messages beyond what is kept"))?;
        Ok(forgotten.rows_affected())
    }
}
