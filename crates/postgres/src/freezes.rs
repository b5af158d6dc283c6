//! Freezes. Every change must be made under the locks of the wallets, so that what moves money
//! waits for it or is waited for, and be published to every instance by the commit that makes it.

use crate::account_changes;
use crate::accounts::notify_change;
use crate::connection::StatementAnswer;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{failed, wrote};
use crate::rows::wallet_row;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::freeze::{Freeze, FrozenServices};
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::freezes::{AuditedFreezes, FreezeChange, Freezes, SealedFreeze, StoredFreeze};
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgPool, PgRow};
use std::sync::Arc;
use std::time::Duration;
use storage_sql::record::{
    AccountRow, FreezeObstacles, FreezeRow, freeze_obstacle, freeze_target, frozen_key_targets,
    frozen_targets, frozen_wallets,
};

/// The columns that [`freeze_row`] reads.
macro_rules! freeze_columns {
    () => {
        "f.account, f.target, f.key, f.version, f.frozen, f.reason, f.created_at, f.made_by, f.seal"
    };
}

/// The latest version of each freeze of an account, but those of keys that work no longer.
const LATEST: &str = concat!(
    "SELECT ",
    freeze_columns!(),
    " FROM (
        SELECT unnest($2::text[]) AS target, 0::bigint AS key
        UNION ALL
        SELECT words.target, keys.id FROM (
            SELECT id FROM api_keys
            WHERE account = ANY (ARRAY[$1::text]) AND revoked_at IS NULL
            UNION ALL
            SELECT id FROM access_keys_live WHERE account = ANY (ARRAY[$1::text])
        ) AS keys, unnest($3::text[]) AS words (target)
    ) AS wanted
    JOIN freezes AS f ON f.account = $1 AND f.target = wanted.target AND f.key = wanted.key
        AND f.version = (
            SELECT max(m.version) FROM freezes AS m
            WHERE m.account = $1 AND m.target = wanted.target AND m.key = wanted.key
        )"
);

const ALL: &str = concat!(
    "SELECT ",
    freeze_columns!(),
    " FROM freezes AS f ORDER BY f.account, f.target, f.key, f.version"
);

const WALLETS: &str = "SELECT account, frozen FROM wallets ORDER BY account";

/// The latest version of a freeze, and how many the merchant lifted since a moment.
const OBSTACLES: &str = "
    SELECT
        (SELECT coalesce(max(version), 0) FROM freezes
            WHERE account = $1 AND target = $2 AND key = $3)::bigint,
        (SELECT count(*) FROM freezes
            WHERE account = $1 AND NOT frozen AND created_at > $4 AND created_at <= $5
                AND made_by <> 0)";

const INSERT: &str = "
    INSERT INTO freezes (
        account, target, key, version, frozen, reason, created_at, made_by, seal
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// The wallets of an account, which are locked in the order that all writers lock them in.
const LOCK_TO_FREEZE: &str = "
    SELECT w.account, a.environment, w.currency, w.available, w.held, w.debits, w.credits,
        w.counted_from, w.spent, w.frozen, w.mac
    FROM wallets AS w JOIN accounts AS a ON a.id = w.account WHERE w.account = $1
    ORDER BY w.account COLLATE \"C\", w.currency COLLATE \"C\" FOR NO KEY UPDATE OF w";

/// What of an account is frozen: the same in each of its wallets, which are locked in the order
/// that all writers lock them in.
pub(crate) const LOCK_WALLETS: &str = "
    SELECT frozen FROM wallets WHERE account = $1
    ORDER BY account COLLATE \"C\", currency COLLATE \"C\" FOR NO KEY UPDATE";

const SET_FROZEN: &str =
    "UPDATE wallets SET frozen = $3, mac = $4 WHERE account = $1 AND currency = $2";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 6] = [
    INSERT,
    LATEST,
    LOCK_TO_FREEZE,
    LOCK_WALLETS,
    OBSTACLES,
    SET_FROZEN,
];

#[async_trait]
impl Freezes for PostgresStore {
    async fn set_freeze(
        &self,
        freeze: &SealedFreeze,
        noted: &SealedChange,
    ) -> Result<FreezeChange, PortError> {
        let (sealed, noted) = (freeze.clone(), noted.clone());
        self.alone(&freeze.freeze.account, move |writer| {
            Box::pin(writer.set_freeze(sealed, noted))
        })
        .await
    }

    async fn audited_freezes(&self) -> Result<AuditedFreezes, PortError> {
        let rows = sqlx::query(ALL)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the freezes of accounts"))?;
        let wallets = sqlx::query_as(WALLETS)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list what wallets are frozen for"))?;
        Ok(AuditedFreezes {
            versions: restored(&rows)?,
            wallets: frozen_wallets(wallets)?,
        })
    }
}

impl PostgresWriter {
    async fn set_freeze(
        &mut self,
        sealed: SealedFreeze,
        noted: SealedChange,
    ) -> Result<FreezeChange, PortError> {
        let freeze = &sealed.freeze;
        let message = self.changed(&freeze.account)?;
        let shared = Arc::clone(self.shared());
        let mut step = self.step().await?;
        // Before the wallets, in the order that others lock them in.
        sqlx::query(LOCK_ACCOUNT)
            .bind(freeze.account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let wallets = wallets_to_freeze(&mut step, &freeze.account).await?;
        let Some(wallet) = wallets.first() else {
            return Ok(FreezeChange::AccountUnknown);
        };
        let found = obstacles(&mut step, freeze).await?;
        if let Some(obstacle) = freeze_obstacle(freeze, found) {
            return Ok(obstacle);
        }
        insert(&mut step, &FreezeRow::of(&sealed)).await?;
        account_changes::append(&mut step, &noted).await?;
        let frozen = FrozenServices::from_record(wallet.frozen.as_deref());
        let frozen = frozen.with(freeze.setting());
        for wallet in &wallets {
            sqlx::query(SET_FROZEN)
                .bind(freeze.account.as_str())
                .bind(&wallet.currency)
                .bind(frozen.to_record())
                .bind(shared.sealing.fields().macs().frozen(wallet, &frozen)?)
                .execute(&mut *step)
                .await
                .map_err(failed("set what of an account is frozen"))?;
        }
        notify_change(&mut step, &message).await?;
        step.commit()
            .await
            .map_err(failed("commit a freeze of an account"))?;
        Ok(FreezeChange::Done)
    }
}

async fn wallets_to_freeze(
    connection: &mut PgConnection,
    account: &AccountId,
) -> Result<Vec<AccountRow>, PortError> {
    let rows = sqlx::query(LOCK_TO_FREEZE)
        .bind(account.as_str())
        .fetch_all(connection)
        .await;
    let rows = rows.map_err(failed("read what of an account is frozen"))?;
    rows.iter().map(wallet_row).collect()
}

/// The latest version of each freeze of an account.
pub(crate) async fn latest(
    reads: &PgPool,
    account: &AccountId,
) -> Result<Vec<StoredFreeze>, PortError> {
    let rows = sqlx::query(LATEST)
        .bind(account.as_str())
        .bind(frozen_targets())
        .bind(frozen_key_targets())
        .fetch_all(reads)
        .in_time()
        .await
        .map_err(failed("find the freezes of an account"))?;
    restored(&rows)
}

async fn obstacles(
    connection: &mut PgConnection,
    freeze: &Freeze,
) -> Result<FreezeObstacles, PortError> {
    let (target, key) = freeze_target(freeze.made_by.authority(), freeze.target);
    let since = freeze.created_at.minus(Duration::from_hours(24));
    sqlx::query_as(OBSTACLES)
        .bind(freeze.account.as_str())
        .bind(target)
        .bind(key)
        .bind(since.as_millis())
        .bind(freeze.created_at.as_millis())
        .fetch_one(connection)
        .await
        .map_err(failed("look for freezes of an account"))
}

async fn insert(connection: &mut PgConnection, row: &FreezeRow) -> Result<(), PortError> {
    let inserted = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(&row.target)
        .bind(row.key)
        .bind(i32::try_from(row.version).unwrap_or(i32::MAX))
        .bind(row.is_frozen)
        .bind(&row.reason)
        .bind(row.created_at)
        .bind(row.made_by)
        .bind(&row.seal)
        .execute(connection)
        .await
        .map_err(failed("insert a freeze of an account"))?;
    wrote(inserted.rows_affected(), 1, "insert a freeze of an account")
}

fn restored(rows: &[PgRow]) -> Result<Vec<StoredFreeze>, PortError> {
    let read = |row| freeze_row(row).map_err(failed("read a freeze of an account"));
    rows.iter().map(|row| Ok(read(row)?.restore())).collect()
}

fn freeze_row(row: &PgRow) -> Result<FreezeRow, sqlx::Error> {
    Ok(FreezeRow {
        account: row.try_get(0)?,
        target: row.try_get(1)?,
        key: row.try_get(2)?,
        version: row.try_get::<i32, _>(3)?.into(),
        is_frozen: row.try_get(4)?,
        reason: row.try_get(5)?,
        created_at: row.try_get(6)?,
        made_by: row.try_get(7)?,
        seal: row.try_get(8)?,
    })
}
