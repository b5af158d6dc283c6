//! Allowlists of keys. Every change must be published to every instance by the commit that makes
//! it, as those of keys are.

use crate::account_changes;
use crate::accounts::notify_change;
use crate::connection::StatementAnswer;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{failed, wrote};
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::access::KeyAllowlist;
use domain::account::AccountId;
use domain::credential::KeyId;
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::allowlists::{AllowlistChange, Allowlists, SealedAllowlist, StoredAllowlist};
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgPool, PgRow};
use std::time::Duration;
use storage_sql::record::{AllowlistObstacles, AllowlistRow, allowlist_obstacle};

/// The columns that [`allowlist_row`] reads.
macro_rules! allowlist_columns {
    () => {
        "a.account, a.key, a.version, a.entries, a.created_at, a.made_by, a.seal"
    };
}

/// The latest version of the allowlist of each key of an account that works.
const LATEST: &str = concat!(
    "SELECT ",
    allowlist_columns!(),
    " FROM (
        SELECT id AS key FROM api_keys WHERE account = ANY (ARRAY[$1::text]) AND revoked_at IS NULL
        UNION ALL
        SELECT id FROM access_keys_live WHERE account = ANY (ARRAY[$1::text])
    ) AS wanted
    JOIN allowlists AS a ON a.account = $1 AND a.key = wanted.key
        AND a.version = (
            SELECT max(m.version) FROM allowlists AS m WHERE m.account = $1 AND m.key = wanted.key
        )"
);

const ALL: &str = concat!(
    "SELECT ",
    allowlist_columns!(),
    " FROM allowlists AS a ORDER BY a.account, a.key, a.version"
);

/// Whether there is no such account, the latest version of a list, and how many were changed since
/// a moment.
const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        (SELECT coalesce(max(version), 0) FROM allowlists
            WHERE account = $1 AND key = $2)::bigint,
        (SELECT count(*) FROM allowlists
            WHERE account = $1 AND created_at > $3 AND created_at <= $4)";

/// The latest version of a list; 0 where there is none.
const VERSION: &str =
    "SELECT coalesce(max(version), 0)::bigint FROM allowlists WHERE account = $1 AND key = $2";

const INSERT: &str = "
    INSERT INTO allowlists (account, key, version, entries, created_at, made_by, seal)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 4] = [INSERT, LATEST, OBSTACLES, VERSION];

#[async_trait]
impl Allowlists for PostgresStore {
    async fn set_allowlist(
        &self,
        list: &SealedAllowlist,
        noted: &SealedChange,
    ) -> Result<AllowlistChange, PortError> {
        let (sealed, noted) = (list.clone(), noted.clone());
        self.alone(&list.list.account, move |writer| {
            Box::pin(writer.set_allowlist(sealed, noted))
        })
        .await
    }

    async fn allowlist_versions(&self) -> Result<Vec<StoredAllowlist>, PortError> {
        let rows = sqlx::query(ALL)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the allowlists of keys"))?;
        restored(&rows)
    }
}

impl PostgresWriter {
    async fn set_allowlist(
        &mut self,
        sealed: SealedAllowlist,
        noted: SealedChange,
    ) -> Result<AllowlistChange, PortError> {
        let account = &sealed.list.account;
        let message = self.changed(account)?;
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found = obstacles(&mut step, &sealed.list).await?;
        if let Some(obstacle) = allowlist_obstacle(&sealed.list, found) {
            return Ok(obstacle);
        }
        insert(&mut step, &sealed).await?;
        account_changes::append(&mut step, &noted).await?;
        notify_change(&mut step, &message).await?;
        step.commit()
            .await
            .map_err(failed("commit an allowlist of a key"))?;
        Ok(AllowlistChange::Done)
    }
}

/// The latest version of the allowlist of each key of an account that works.
pub(crate) async fn latest(
    reads: &PgPool,
    account: &AccountId,
) -> Result<Vec<StoredAllowlist>, PortError> {
    let rows = sqlx::query(LATEST)
        .bind(account.as_str())
        .fetch_all(reads)
        .in_time()
        .await
        .map_err(failed("find the allowlists of an account"))?;
    restored(&rows)
}

/// The latest version of the list of a key; 0 where it has none.
pub(crate) async fn version(
    connection: &mut PgConnection,
    account: &AccountId,
    key: KeyId,
) -> Result<u32, PortError> {
    let version: i64 = sqlx::query_scalar(VERSION)
        .bind(account.as_str())
        .bind(key.0)
        .fetch_one(connection)
        .await
        .map_err(failed("look for the allowlist of a key"))?;
    Ok(u32::try_from(version).unwrap_or(u32::MAX))
}

async fn obstacles(
    connection: &mut PgConnection,
    list: &KeyAllowlist,
) -> Result<AllowlistObstacles, PortError> {
    let since = list.created_at.minus(Duration::from_hours(24));
    sqlx::query_as(OBSTACLES)
        .bind(list.account.as_str())
        .bind(list.key.0)
        .bind(since.as_millis())
        .bind(list.created_at.as_millis())
        .fetch_one(connection)
        .await
        .map_err(failed("look for allowlists of an account"))
}

pub(crate) async fn insert(
    connection: &mut PgConnection,
    sealed: &SealedAllowlist,
) -> Result<(), PortError> {
    let row = AllowlistRow::of(sealed);
    let inserted = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(row.key)
        .bind(i32::try_from(row.version).unwrap_or(i32::MAX))
        .bind(&row.entries)
        .bind(row.created_at)
        .bind(row.made_by)
        .bind(&row.seal)
        .execute(connection)
        .await
        .map_err(failed("insert an allowlist of a key"))?;
    wrote(inserted.rows_affected(), 1, "insert an allowlist of a key")
}

fn restored(rows: &[PgRow]) -> Result<Vec<StoredAllowlist>, PortError> {
    let read = |row| allowlist_row(row).map_err(failed("read an allowlist of a key"));
    rows.iter().map(|row| Ok(read(row)?.restore())).collect()
}

fn allowlist_row(row: &PgRow) -> Result<AllowlistRow, sqlx::Error> {
    Ok(AllowlistRow {
        account: row.try_get(0)?,
        key: row.try_get(1)?,
        version: row.try_get::<i32, _>(2)?.into(),
        entries: row.try_get(3)?,
        created_at: row.try_get(4)?,
        made_by: row.try_get(5)?,
        seal: row.try_get(6)?,
    })
}
