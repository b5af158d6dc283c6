//! What providers call messages and their parts. Nothing that money rests on may be among it: rows
//! are forgotten after a time.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::provider::{ProviderId, ProviderTransactionId};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::PortError;
use ports::receipts::{AcceptedMessage, KnownPart, MessageIds};
use storage_sql::record::{MessageIdRow, message_ids, parts_of};

/// Sorted, so that two statements with the same identities never wait for each other.
pub(crate) const REMEMBER: &str = "
    INSERT INTO message_ids (provider, id, reference, part, parts, whole, noted_at)
    SELECT $1, m.id, $2, m.part, $5, $6, $7
    FROM unnest($3::text[], $4::smallint[]) AS m (id, part) ORDER BY m.id
    ON CONFLICT (provider, id) DO UPDATE SET
        reference = excluded.reference, part = excluded.part, parts = excluded.parts,
        whole = excluded.whole, noted_at = excluded.noted_at";

pub(crate) const KNOWN: &str = "
    SELECT reference, part::bigint, parts::bigint, whole FROM message_ids
    WHERE provider = $1 AND id = $2";

pub(crate) const WHOLE: &str = "
    SELECT parts::bigint FROM message_ids WHERE reference = $2 AND provider = $1 AND whole
    LIMIT 1";

pub(crate) const FORGET: &str = "
    WITH old AS MATERIALIZED (
        SELECT provider, id FROM message_ids WHERE noted_at < $1 ORDER BY noted_at LIMIT $2
        FOR UPDATE SKIP LOCKED
    )
    DELETE FROM message_ids AS m USING old
    WHERE m.provider = ANY (ARRAY[old.provider]) AND m.id = ANY (ARRAY[old.id])";

#[async_trait]
impl MessageIds for PostgresStore {
    async fn remember(
        &self,
        provider: &ProviderId,
        message: &AcceptedMessage,
        now: Timestamp,
    ) -> Result<(), PortError> {
        let rows = message_ids(provider, message);
        let Some(first) = rows.first() else {
            return Ok(());
        };
        let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let parts: Vec<Option<i16>> = rows.iter().map(|row| row.part.map(i16::from)).collect();
        sqlx::query(REMEMBER)
            .bind(provider.as_str())
            .bind(&first.reference)
            .bind(ids)
            .bind(parts)
            .bind(i16::from(first.parts))
            .bind(first.whole)
            .bind(now.as_millis())
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("store what a provider calls a message"))?;
        Ok(())
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
            .in_time()
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
            .in_time()
            .await
            .map_err(failed("find the parts of a message"))?;
        found.map(parts_of).transpose()
    }

    async fn forget(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let forgotten = sqlx::query(FORGET)
            .bind(before.as_millis())
            .bind(i64::from(most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("forget what providers called messages"))?;
        Ok(forgotten.rows_affected())
    }
}
