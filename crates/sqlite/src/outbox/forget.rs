//! Forgetting what need not be kept. What goes is looked for beside the writer, which must never be
//! given more than a bounded number of rows: payments wait for it.

use crate::error::failed;
use crate::rows::json;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::PortError;
use ports::webhooks::StorageExcess;
use std::num::NonZeroU32;
use storage_sql::record::excess as excess_of;

/// At most `?1` deliveries to endpoints that were removed.
pub(crate) const OF_REMOVED: &str = "
    SELECT d.id FROM endpoints AS e
    CROSS JOIN deliveries AS d ON d.account = e.account AND d.endpoint = e.id
    WHERE e.removed_at IS NOT NULL
    ORDER BY e.removed_at, e.account, e.id LIMIT ?1";

/// At most `?1` deliveries that were made before `?2`, longest ago first.
pub(crate) const DELIVERED: &str = "
    SELECT d.id FROM deliveries AS d
    CROSS JOIN endpoints AS e
        ON e.account = d.account AND e.id = d.endpoint AND e.removed_at IS NULL
    WHERE d.delivered_at < ?2
    ORDER BY d.delivered_at, d.id LIMIT ?1";

/// Endpoints that were removed before `?2` with nothing left for them, at most `?1`.
pub(crate) const EMPTY: &str = "
    SELECT e.account, e.id FROM endpoints AS e
    WHERE e.removed_at < ?2 AND NOT EXISTS (
        SELECT 1 FROM deliveries AS d WHERE d.account = e.account AND d.endpoint = e.id
    )
    ORDER BY e.removed_at LIMIT ?1";

/// At most `?1` deliveries of account `?3` of events before `?2`, the oldest first.
pub(crate) const OF_EXCESS: &str = "
    SELECT id FROM deliveries WHERE account = ?3 AND at < ?2 ORDER BY at, id LIMIT ?1";

/// Of each account that has so many, the moment of its delivery that `?1` newer ones follow.
/// It counts in an index of every account, up to the quota, and is asked once an hour.
pub(crate) const EXCESS: &str = "
    SELECT * FROM (
        SELECT a.id, (
            SELECT d.at FROM deliveries AS d WHERE d.account = a.id
            ORDER BY d.at DESC LIMIT 1 OFFSET ?1
        ) AS at
        FROM accounts AS a
    )
    WHERE at IS NOT NULL ORDER BY id";

/// Forgets the deliveries of a list that a condition still names, with their attempts, which go
/// first.
macro_rules! forget {
    ($which:literal) => {
        [
            concat!(
                "DELETE FROM delivery_attempts WHERE delivery_id IN (
                    SELECT d.id FROM json_each(?1) AS wanted
                    CROSS JOIN deliveries AS d ON d.id = wanted.value
                    CROSS JOIN endpoints AS e ON e.account = d.account AND e.id = d.endpoint
                    WHERE ",
                $which,
                ")"
            ),
            concat!(
                "DELETE FROM deliveries WHERE id IN (
                    SELECT d.id FROM json_each(?1) AS wanted
                    CROSS JOIN deliveries AS d ON d.id = wanted.value
                    CROSS JOIN endpoints AS e ON e.account = d.account AND e.id = d.endpoint
                    WHERE ",
                $which,
                ")"
            ),
        ]
    };
}

/// What was asked for again since it was looked for stays.
pub(crate) const FORGET: [&str; 2] = forget!("d.delivered_at < ?2 OR e.removed_at IS NOT NULL");

pub(crate) const FORGET_EXCESS: [&str; 2] = forget!("d.at < ?2 AND d.account = ?3");

/// Nothing is ever recorded for an endpoint that was removed, so those that were empty still are.
pub(crate) const FORGET_ENDPOINTS: &str = "
    DELETE FROM endpoints WHERE (account, id) IN (
        SELECT value ->> 0, value ->> 1 FROM json_each(?1)
    )";

pub(super) async fn forget(
    store: &SqliteStore,
    before: Timestamp,
    most: u32,
) -> Result<u64, PortError> {
    let mut ids: Vec<i64> = Vec::new();
    for statement in [OF_REMOVED, DELIVERED] {
        let left = usize::try_from(most).unwrap_or(usize::MAX) - ids.len();
        let found: Vec<i64> = sqlx::query_scalar(statement)
            .bind(i64::try_from(left).unwrap_or(i64::MAX))
            .bind(before.as_millis())
            .fetch_all(&store.reads)
            .await
            .map_err(failed("look for what need not be kept"))?;
        ids.extend(found);
    }
    let forgotten = if ids.is_empty() {
        0
    } else {
        let alone = store.writer.alone(move |writer| {
            Box::pin(async move { writer.forget_deliveries(&ids, (before, None)).await })
        });
        alone.await??
    };
    let empty: Vec<(String, i64)> = sqlx::query_as(EMPTY)
        .bind(i64::from(most))
        .bind(before.as_millis())
        .fetch_all(&store.reads)
        .await
        .map_err(failed("look for endpoints that were removed"))?;
    if !empty.is_empty() {
        let alone = store
            .writer
            .alone(move |writer| Box::pin(async move { writer.forget_endpoints(&empty).await }));
        alone.await??;
    }
    Ok(forgotten)
}

pub(super) async fn excess(
    store: &SqliteStore,
    kept: NonZeroU32,
) -> Result<Vec<StorageExcess>, PortError> {
    let rows: Vec<(String, i64)> = sqlx::query_as(EXCESS)
        .bind(i64::from(kept.get()) - 1)
        .fetch_all(&store.pages)
        .await
        .map_err(failed("count deliveries of accounts"))?;
    excess_of(rows)
}

pub(super) async fn forget_excess(
    store: &SqliteStore,
    excess: &StorageExcess,
    most: u32,
) -> Result<u64, PortError> {
    let StorageExcess { account, before } = excess.clone();
    let ids: Vec<i64> = sqlx::query_scalar(OF_EXCESS)
        .bind(i64::from(most))
        .bind(before.as_millis())
        .bind(account.as_str())
        .fetch_all(&store.reads)
        .await
        .map_err(failed("look for deliveries beyond the quota"))?;
    if ids.is_empty() {
        return Ok(0);
    }
    let alone = store.writer.alone(move |writer| {
        Box::pin(async move {
            writer
                .forget_deliveries(&ids, (before, Some(account)))
                .await
        })
    });
    alone.await?
}

impl SqliteWriter {
    async fn forget_deliveries(
        &mut self,
        ids: &[i64],
        (before, only): (Timestamp, Option<AccountId>),
    ) -> Result<u64, PortError> {
        let wanted = json(&ids)?;
        let statements = if only.is_some() {
            FORGET_EXCESS
        } else {
            FORGET
        };
        let mut step = self.step().await?;
        let mut forgotten = 0;
        for statement in statements {
            let mut query = sqlx::query(statement)
                .bind(&wanted)
                .bind(before.as_millis());
            if let Some(account) = &only {
                query = query.bind(account.as_str());
            }
            let done = query
                .execute(&mut *step)
                .await
                .map_err(failed("forget deliveries"))?;
            // The last statement removes the deliveries themselves.
            forgotten = done.rows_affected();
        }
        step.commit()
            .await
            .map_err(failed("commit what was forgotten"))?;
        // Their rows may become those of others.
        self.suspended().let_go(ids);
        Ok(forgotten)
    }

    async fn forget_endpoints(&mut self, empty: &[(String, i64)]) -> Result<(), PortError> {
        let mut step = self.step().await?;
        sqlx::query(FORGET_ENDPOINTS)
            .bind(json(&empty)?)
            .execute(&mut *step)
            .await
            .map_err(failed("forget endpoints that were removed"))?;
        step.commit()
            .await
            .map_err(failed("commit what was forgotten"))?;
        Ok(())
    }
}
