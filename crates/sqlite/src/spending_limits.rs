//! Limits on what accounts spend. They must be written through the one writer, like accounts.

use crate::account_changes;
use crate::batches::{in_direction, integer};
use crate::error::{failed, wrote};
use crate::rows::{json, transaction, transaction_columns};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::spending::SpendingLimit;
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::batches::PageOf;
use ports::spending_limits::{ApprovalPage, LimitChange, SealedLimit, SpendingLimits, StoredLimit};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqlitePool, SqliteRow};
use std::time::Duration;
use storage_sql::record::{LimitObstacles, LimitRow, limit_obstacle, limited_services};

/// The columns that [`limit_row`] reads.
macro_rules! limit_columns {
    () => {
        "l.account, l.services, l.version, l.currency, l.per_transaction, l.per_day,
        l.approval_above, l.created_at, l.made_by, l.seal"
    };
}

/// The latest version of each limit of an account.
pub(crate) const LATEST: &str = concat!(
    "SELECT ",
    limit_columns!(),
    " FROM json_each(?2) AS wanted
    JOIN spending_limits AS l ON l.account = ?1 AND l.services = wanted.value
        AND l.version = (
            SELECT max(m.version) FROM spending_limits AS m
            WHERE m.account = ?1 AND m.services = wanted.value
        )"
);

const ALL: &str = concat!(
    "SELECT ",
    limit_columns!(),
    " FROM spending_limits AS l ORDER BY l.account, l.services, l.version"
);

/// What stands in the way of a version: no such account, the latest one, and how many were set
/// since a moment.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = ?1),
        (SELECT coalesce(max(version), 0) FROM spending_limits
            WHERE account = ?1 AND services = ?2),
        (SELECT count(*) FROM spending_limits
            WHERE account = ?1 AND created_at > ?3 AND created_at <= ?4)";

pub(crate) const INSERT: &str = "
    INSERT INTO spending_limits (
        account, services, version, currency, per_transaction, per_day, approval_above, created_at,
        made_by, seal
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

/// The payments of an account that wait for an approval, in both directions.
pub(crate) const AWAITING: [&str; 2] = [
    concat!(
        "SELECT ",
        transaction_columns!(),
        "
            FROM queue AS q
            JOIN transactions AS t ON t.id = q.transaction_id
            WHERE q.awaits_approval = 1 AND t.account = ?1
            ORDER BY q.transaction_id LIMIT ?3 OFFSET ?2"
    ),
    concat!(
        "SELECT ",
        transaction_columns!(),
        "
            FROM queue AS q
            JOIN transactions AS t ON t.id = q.transaction_id
            WHERE q.awaits_approval = 1 AND t.account = ?1
            ORDER BY q.transaction_id DESC LIMIT ?3 OFFSET ?2"
    ),
];

pub(crate) const COUNT_AWAITING: &str = "
    SELECT count(*) FROM queue AS q JOIN transactions AS t ON t.id = q.transaction_id
    WHERE q.awaits_approval = 1 AND t.account = ?1";

#[async_trait]
impl SpendingLimits for SqliteStore {
    async fn set_spending_limit(
        &self,
        limit: &SealedLimit,
        noted: &SealedChange,
    ) -> Result<LimitChange, PortError> {
        let (sealed, noted) = (limit.clone(), noted.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.set_spending_limit(sealed, noted)))
            .await?
    }

    async fn spending_limit_versions(&self) -> Result<Vec<StoredLimit>, PortError> {
        let rows = sqlx::query(ALL)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the limits of accounts"))?;
        restored(&rows)
    }

    async fn awaiting_approval(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<ApprovalPage, PortError> {
        let rows = sqlx::query(in_direction(AWAITING, page.sort))
            .bind(account.as_str())
            .bind(integer(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("list what waits for an approval"))?;
        let total: i64 = sqlx::query_scalar(COUNT_AWAITING)
            .bind(account.as_str())
            .fetch_one(&self.pages)
            .await
            .map_err(failed("count what waits for an approval"))?;
        let rows = rows.iter();
        let payments = rows.map(|row| transaction(row, &self.cipher));
        Ok(ApprovalPage {
            payments: payments.collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }
}

impl SqliteWriter {
    async fn set_spending_limit(
        &mut self,
        sealed: SealedLimit,
        noted: SealedChange,
    ) -> Result<LimitChange, PortError> {
        let limit = &sealed.limit;
        let mut step = self.step().await?;
        let found = obstacles(&mut step, limit).await?;
        if let Some(obstacle) = limit_obstacle(limit, found) {
            return Ok(obstacle);
        }
        insert(&mut step, &LimitRow::of(&sealed)).await?;
        account_changes::append(&mut step, &noted).await?;
        step.commit()
            .await
            .map_err(failed("commit a limit of an account"))?;
        Ok(LimitChange::Done)
    }
}

/// The latest version of each limit of an account.
pub(crate) async fn latest(
    reads: &SqlitePool,
    account: &AccountId,
) -> Result<Vec<StoredLimit>, PortError> {
    let rows = sqlx::query(LATEST)
        .bind(account.as_str())
        .bind(json(&limited_services())?)
        .fetch_all(reads)
        .await
        .map_err(failed("find the limits of an account"))?;
    restored(&rows)
}

async fn obstacles(
    connection: &mut SqliteConnection,
    limit: &SpendingLimit,
) -> Result<LimitObstacles, PortError> {
    let since = limit.created_at.minus(Duration::from_hours(24));
    sqlx::query_as(OBSTACLES)
        .bind(limit.account.as_str())
        .bind(limit.services.code())
        .bind(since.as_millis())
        .bind(limit.created_at.as_millis())
        .fetch_one(connection)
        .await
        .map_err(failed("look for limits of an account"))
}

async fn insert(connection: &mut SqliteConnection, row: &LimitRow) -> Result<(), PortError> {
    let inserted = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(&row.services)
        .bind(row.version)
        .bind(&row.currency)
        .bind(row.per_transaction)
        .bind(row.per_day)
        .bind(row.approval_above)
        .bind(row.created_at)
        .bind(row.made_by)
        .bind(&row.seal)
        .execute(connection)
        .await
        .map_err(failed("insert a limit of an account"))?;
    wrote(inserted.rows_affected(), 1, "insert a limit of an account")
}

fn restored(rows: &[SqliteRow]) -> Result<Vec<StoredLimit>, PortError> {
    let read = |row| limit_row(row).map_err(failed("read a limit of an account"));
    rows.iter().map(|row| Ok(read(row)?.restore())).collect()
}

fn limit_row(row: &SqliteRow) -> Result<LimitRow, sqlx::Error> {
    Ok(LimitRow {
        account: row.try_get(0)?,
        services: row.try_get(1)?,
        version: row.try_get(2)?,
        currency: row.try_get(3)?,
        per_transaction: row.try_get(4)?,
        per_day: row.try_get(5)?,
        approval_above: row.try_get(6)?,
        created_at: row.try_get(7)?,
        made_by: row.try_get(8)?,
        seal: row.try_get(9)?,
    })
}
