//! Deleting what need not be kept, a bounded number of rows at a time. Rows that another writer is
//! changing must be left: they are there the next time.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::store::PostgresStore;
use domain::time::Timestamp;
use ports::PortError;
use ports::webhooks::StorageExcess;
use std::num::NonZeroU32;
use storage_sql::record::excess as excess_of;

/// Forgets the deliveries that `old` names, with their attempts and leases.
macro_rules! forget {
    ($old:literal) => {
        concat!(
            "WITH old AS MATERIALIZED (",
            $old,
            "),
            forgotten AS (
                DELETE FROM deliveries AS d USING old
                WHERE d.account = ANY (ARRAY[old.account]) AND d.endpoint = old.endpoint
                    AND d.number = old.number AND d.sequence = old.sequence
                    AND d.currency = old.currency
                RETURNING 1
            ),
            attempts AS (
                DELETE FROM delivery_attempts AS a USING old
                WHERE a.account = ANY (ARRAY[old.account]) AND a.endpoint = old.endpoint
                    AND a.number = old.number AND a.sequence = old.sequence
                    AND a.currency = old.currency
            ),
            leases AS (
                DELETE FROM delivery_leases AS l USING old
                WHERE l.account = ANY (ARRAY[old.account]) AND l.endpoint = old.endpoint
                    AND l.number = old.number AND l.sequence = old.sequence
                    AND l.currency = old.currency
            )
            SELECT count(*) FROM forgotten"
        )
    };
}

/// At most `$1` deliveries to endpoints that were removed, whenever that was: `$2` is the first of
/// all moments.
pub(crate) const OF_REMOVED: &str = forget!(
    "SELECT d.account, d.endpoint, d.number, d.sequence, d.currency
    FROM (
        SELECT account, id FROM endpoints WHERE removed_at >= $2
        ORDER BY removed_at, account, id
    ) AS e
    CROSS JOIN LATERAL (
        SELECT account, endpoint, number, sequence, currency FROM deliveries AS x
        WHERE x.account = ANY (ARRAY[e.account]) AND x.endpoint = e.id
        LIMIT $1
        FOR UPDATE SKIP LOCKED
    ) AS d
    LIMIT $1"
);

/// At most `$1` deliveries that were made before `$2`, longest ago first.
pub(crate) const DELIVERED: &str = forget!(
    "SELECT account, endpoint, number, sequence, currency FROM deliveries
    WHERE delivered_at < $2 ORDER BY delivered_at LIMIT $1
    FOR UPDATE SKIP LOCKED"
);

/// At most `$1` deliveries of account `$3` of events before `$2`, the oldest first.
pub(crate) const OF_EXCESS: &str = forget!(
    "SELECT account, endpoint, number, sequence, currency FROM deliveries
    WHERE account = $3 COLLATE \"POSIX\" AND at < $2
    ORDER BY account COLLATE \"POSIX\", at LIMIT $1
    FOR UPDATE SKIP LOCKED"
);

/// Of each account that has so many, the moment of its delivery that `$1` newer ones follow.
/// It counts in an index of every account, up to the quota, and is asked once an hour.
pub(crate) const EXCESS: &str = "
    SELECT a.id, kept.at FROM accounts AS a CROSS JOIN LATERAL (
        SELECT d.at FROM deliveries AS d
        WHERE d.account = a.id COLLATE \"POSIX\"
        ORDER BY d.account COLLATE \"POSIX\" DESC, d.at DESC LIMIT 1 OFFSET $1
    ) AS kept
    ORDER BY a.id";

/// Forgets endpoints that were removed before `$1` with nothing left for them. Whatever read one
/// before it was removed has ended long ago. Attempts that were recorded while their delivery went
/// go with them.
pub(crate) const ENDPOINTS: &str = "
    WITH gone AS (
        DELETE FROM endpoints AS e
        WHERE e.removed_at < $1 AND NOT EXISTS (
            SELECT 1 FROM deliveries AS d
            WHERE d.account = ANY (ARRAY[e.account]) AND d.endpoint = e.id
        )
        RETURNING e.account, e.id
    )
    DELETE FROM delivery_attempts AS a USING gone
    WHERE a.account = ANY (ARRAY[gone.account]) AND a.endpoint = gone.id";

pub(super) async fn forget(
    store: &PostgresStore,
    before: Timestamp,
    most: u32,
) -> Result<u64, PortError> {
    let mut forgotten = 0;
    for (statement, moment) in [(OF_REMOVED, i64::MIN), (DELIVERED, before.as_millis())] {
        let gone: i64 = sqlx::query_scalar(statement)
            .bind(i64::from(most).saturating_sub(forgotten))
            .bind(moment)
            .fetch_one(&store.steps)
            .in_time()
            .await
            .map_err(failed("forget deliveries"))?;
        forgotten = forgotten.saturating_add(gone);
    }
    sqlx::query(ENDPOINTS)
        .bind(before.as_millis())
        .execute(&store.steps)
        .in_time()
        .await
        .map_err(failed("forget endpoints that were removed"))?;
    Ok(u64::try_from(forgotten).unwrap_or_default())
}

pub(super) async fn excess(
    store: &PostgresStore,
    kept: NonZeroU32,
) -> Result<Vec<StorageExcess>, PortError> {
    let rows: Vec<(String, i64)> = sqlx::query_as(EXCESS)
        .bind(i64::from(kept.get()) - 1)
        .fetch_all(&store.pages)
        .in_time()
        .await
        .map_err(failed("count deliveries of accounts"))?;
    excess_of(rows)
}

pub(super) async fn forget_excess(
    store: &PostgresStore,
    excess: &StorageExcess,
    most: u32,
) -> Result<u64, PortError> {
    let gone: i64 = sqlx::query_scalar(OF_EXCESS)
        .bind(i64::from(most))
        .bind(excess.before.as_millis())
        .bind(excess.account.as_str())
        .fetch_one(&store.steps)
        .in_time()
        .await
        .map_err(failed("forget deliveries beyond the quota"))?;
    Ok(u64::try_from(gone).unwrap_or_default())
}
