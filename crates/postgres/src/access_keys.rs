//! Keys that merchants make. Every change must be published to every instance by the commit that
//! makes it, as those of accounts are.

mod replacing;

#[cfg(test)]
pub(crate) use replacing::{END, EXPIRED, IS_REPLACEABLE};

use crate::account_changes;
use crate::account_users::{step_row, user_row};
use crate::accounts::notify_change;
use crate::connection::StatementAnswer;
use crate::error::{failed, wrote};
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::access::AccessKey;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::time::Timestamp;
use ports::PortError;
use ports::access_keys::{
    AccessKeyCreation, AccessKeyRevocation, AccessKeys, AuditedRow, KeyRotation, LiveAccessKey,
    SealedAccessKey,
};
use ports::account_changes::SealedChange;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgPool, PgRow};
use std::time::Duration;
use storage_sql::record::{
    AccessKeyRow, KeyObstacles, LiveKeyRow, account_environment, key_obstacle, live_access_keys,
    users_with_steps,
};

/// The columns that [`key_row`] reads.
macro_rules! key_columns {
    () => {
        "k.account, k.id, k.name, k.hint, k.hash, k.scopes, k.networks, k.expires_at, k.user_id,
        k.created_at, k.made_by, k.seal, k.is_signed"
    };
}

/// Where in the rows of keys beside others the user begins, and the step.
const LIVE_USER: usize = 13;
const LIVE_STEP: usize = 22;
const LIVE_ENDS: usize = 26;

/// The keys of an account that are not revoked, oldest first, one row for each step of their users.
pub(crate) const LIVE: &str = concat!(
    "SELECT ",
    key_columns!(),
    ", u.account, u.id, u.email, u.name, u.role, u.code, u.created_at, u.made_by, u.seal,
        s.number, s.kind, s.at, s.seal, e.ends_at
    FROM access_keys_live AS l
    JOIN access_keys AS k ON k.account = l.account AND k.id = l.id
    LEFT JOIN access_key_ends AS e ON e.account = l.account AND e.id = l.id
    LEFT JOIN account_users AS u ON u.account = k.account AND u.id = k.user_id
    LEFT JOIN account_user_steps AS s ON s.account = u.account AND s.id = u.id
    WHERE l.account = $1 AND NOT EXISTS (
        SELECT 1 FROM access_key_revocations AS r WHERE r.account = k.account AND r.id = k.id
    )
    ORDER BY k.created_at, k.id, s.number"
);

pub(crate) const ONE: &str = concat!(
    "SELECT ",
    key_columns!(),
    " FROM access_keys AS k WHERE k.account = $1 AND k.id = $2"
);

/// Every key, with the environment of its account.
const ALL: &str = concat!(
    "SELECT ",
    key_columns!(),
    ", a.environment FROM access_keys AS k JOIN accounts AS a ON a.id = k.account
    ORDER BY k.account, k.id"
);

const ALL_USERS: &str = "
    SELECT u.account, u.id, u.email, u.name, u.role, u.code, u.created_at, u.made_by, u.seal,
        s.number, s.kind, s.at, s.seal
    FROM account_users AS u
    LEFT JOIN account_user_steps AS s ON s.account = u.account AND s.id = u.id
    ORDER BY u.account, u.id, s.number";

/// Of the keys of an account, those that are not revoked and have neither expired nor ended.
macro_rules! working {
    () => {
        "access_keys_live AS l
        JOIN access_keys AS k ON k.account = l.account AND k.id = l.id
        LEFT JOIN access_key_ends AS e ON e.account = l.account AND e.id = l.id
        WHERE l.account = $1 AND (k.expires_at IS NULL OR k.expires_at > $5)
            AND (e.ends_at IS NULL OR e.ends_at > $5)"
    };
}

/// What stands in the way of making a key: no such account, its number, its first characters; how
/// many keys of its name work, how many names have keys that do, and how many were made since.
pub(crate) const OBSTACLES: &str = concat!(
    "SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        EXISTS (SELECT 1 FROM access_keys WHERE account = $1 AND id = $2),
        EXISTS (SELECT 1 FROM access_keys WHERE account = $1 AND hint = $3),
        (SELECT count(*) FROM ",
    working!(),
    " AND k.name = $4),
        (SELECT count(DISTINCT k.name) FROM ",
    working!(),
    "),
        (SELECT count(*) FROM access_keys
            WHERE account = $1 AND created_at > $6 AND created_at <= $5)"
);

pub(crate) const INSERT: &str = "
    INSERT INTO access_keys (
        account, id, name, hint, hash, scopes, networks, expires_at, user_id, created_at, made_by,
        seal, is_signed
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

pub(crate) const MAKE_LIVE: &str = "INSERT INTO access_keys_live (account, id) VALUES ($1, $2)";

/// Revokes a key that is not revoked.
pub(crate) const REVOKE: &str = "
    INSERT INTO access_key_revocations (account, id, at)
    SELECT account, id, $3::bigint FROM access_keys
    WHERE account = $1 AND id = $2 AND NOT EXISTS (
        SELECT 1 FROM access_key_revocations WHERE account = $1 AND id = $2
    )";

pub(crate) const REVOKED_AT: &str =
    "SELECT at FROM access_key_revocations WHERE account = $1 AND id = $2";

pub(crate) const END_LIVE: &str = "DELETE FROM access_keys_live WHERE account = $1 AND id = $2";

#[async_trait]
impl AccessKeys for PostgresStore {
    async fn make_access_key(
        &self,
        key: &SealedAccessKey,
        noted: &SealedChange,
    ) -> Result<AccessKeyCreation, PortError> {
        let (key, noted) = (key.clone(), noted.clone());
        self.alone(&key.key.account.clone(), move |writer| {
            Box::pin(writer.make_access_key((key, noted), None))
        })
        .await
    }

    async fn rotate_access_key(
        &self,
        rotation: &KeyRotation,
        noted: &SealedChange,
    ) -> Result<AccessKeyCreation, PortError> {
        let (rotation, noted) = (rotation.clone(), noted.clone());
        let account = rotation.sealed.key.account.clone();
        self.alone(&account, move |writer| {
            let sealed = rotation.sealed.clone();
            Box::pin(writer.make_access_key((sealed, noted), Some(rotation)))
        })
        .await
    }

    async fn access_key(
        &self,
        account: &AccountId,
        id: KeyId,
    ) -> Result<Option<SealedAccessKey>, PortError> {
        let found = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(id.0)
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a key of a merchant"))?;
        let row = found.as_ref().map(|row| key_row(row, 0)).transpose();
        let row = row.map_err(failed("read a key of a merchant"))?;
        row.map(|row| row.restore()).transpose()
    }

    async fn revoke_access_key(
        &self,
        account: &AccountId,
        (id, at): (KeyId, Timestamp),
        noted: &SealedChange,
    ) -> Result<AccessKeyRevocation, PortError> {
        let (owner, noted) = (account.clone(), noted.clone());
        self.alone(account, move |writer| {
            Box::pin(writer.revoke_access_key(owner, (id, at), noted))
        })
        .await
    }

    async fn audited_rows(&self) -> Result<Vec<AuditedRow>, PortError> {
        let keys = sqlx::query(ALL)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the keys of merchants"))?;
        let users = sqlx::query(ALL_USERS)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the users of accounts"))?;
        let mut audited = Vec::new();
        for row in &keys {
            let read = || Ok((key_row(row, 0)?, row.try_get::<String, _>(LIVE_USER)?));
            let (key, environment) = read().map_err(failed("read a key of a merchant"))?;
            let read = key.restore().and_then(|key| {
                let environment = account_environment(&environment)?;
                Ok(AuditedRow::Key(key, environment))
            });
            audited.push(read.unwrap_or_else(AuditedRow::Unreadable));
        }
        let pair = |row| Ok((user_row(row, 0)?, step_row(row, 9)?));
        let pairs: Result<Vec<_>, sqlx::Error> = users.iter().map(pair).collect();
        let pairs = pairs.map_err(failed("read a user of an account"))?;
        for (user, steps) in users_with_steps(pairs) {
            let read = user.restore(&steps).map(AuditedRow::User);
            audited.push(read.unwrap_or_else(AuditedRow::Unreadable));
        }
        Ok(audited)
    }
}

impl PostgresWriter {
    async fn make_access_key(
        &mut self,
        (sealed, noted): (SealedAccessKey, SealedChange),
        rotation: Option<KeyRotation>,
    ) -> Result<AccessKeyCreation, PortError> {
        let (key, now) = (&sealed.key, sealed.key.created_at);
        let message = self.changed(&key.account)?;
        let mut step = self.step().await?;
        replacing::lock(&mut step, &key.account).await?;
        if let Some(obstacle) = obstacle(&mut step, key).await? {
            return Ok(obstacle);
        }
        if let Some(rotation) = &rotation
            && let Some(obstacle) = replacing::obstacle(&mut step, rotation).await?
        {
            return Ok(obstacle);
        }
        for id in replacing::expired(&mut step, &key.account, now).await? {
            revoke(&mut step, &key.account, (KeyId(id), now)).await?;
        }
        insert(&mut step, &AccessKeyRow::of(&sealed)).await?;
        let live = sqlx::query(MAKE_LIVE)
            .bind(key.account.as_str())
            .bind(key.id.0)
            .execute(&mut *step)
            .await
            .map_err(failed("list a key as live"))?;
        wrote(live.rows_affected(), 1, "list a key as live")?;
        if let Some(rotation) = &rotation {
            replacing::end(&mut step, rotation).await?;
        }
        account_changes::append(&mut step, &noted).await?;
        notify_change(&mut step, &message).await?;
        step.commit()
            .await
            .map_err(failed("commit a key of a merchant"))?;
        Ok(AccessKeyCreation::Done)
    }

    async fn revoke_access_key(
        &mut self,
        account: AccountId,
        (id, at): (KeyId, Timestamp),
        noted: SealedChange,
    ) -> Result<AccessKeyRevocation, PortError> {
        let message = self.changed(&account)?;
        let mut step = self.step().await?;
        replacing::lock(&mut step, &account).await?;
        if revoke(&mut step, &account, (id, at)).await? {
            account_changes::append(&mut step, &noted).await?;
            notify_change(&mut step, &message).await?;
            step.commit().await.map_err(failed("commit a revocation"))?;
            return Ok(AccessKeyRevocation::Done);
        }
        let before: Option<i64> = sqlx::query_scalar(REVOKED_AT)
            .bind(account.as_str())
            .bind(id.0)
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("look for a revocation"))?;
        let before = before.map(Timestamp::from_millis);
        Ok(before.map_or(AccessKeyRevocation::Unknown, AccessKeyRevocation::Before))
    }
}

/// The keys of an account that are not revoked.
pub(crate) async fn live(
    reads: &PgPool,
    account: &AccountId,
) -> Result<Vec<LiveAccessKey>, PortError> {
    let rows = sqlx::query(LIVE)
        .bind(account.as_str())
        .fetch_all(reads)
        .in_time()
        .await
        .map_err(failed("find the keys of a merchant"))?;
    let read = |row| {
        Ok(LiveKeyRow {
            key: key_row(row, 0)?,
            user: match row.try_get::<Option<i64>, _>(LIVE_USER + 1)? {
                Some(_) => Some(user_row(row, LIVE_USER)?),
                None => None,
            },
            step: step_row(row, LIVE_STEP)?,
            ends_at: row.try_get(LIVE_ENDS)?,
        })
    };
    let rows: Result<Vec<_>, sqlx::Error> = rows.iter().map(read).collect();
    let rows = rows.map_err(failed("read the keys of a merchant"))?;
    Ok(live_access_keys(rows))
}

async fn obstacle(
    connection: &mut PgConnection,
    key: &AccessKey,
) -> Result<Option<AccessKeyCreation>, PortError> {
    let since = key.created_at.minus(Duration::from_hours(24));
    let found: KeyObstacles = sqlx::query_as(OBSTACLES)
        .bind(key.account.as_str())
        .bind(key.id.0)
        .bind(key.hint.as_str())
        .bind(key.name.as_str())
        .bind(key.created_at.as_millis())
        .bind(since.as_millis())
        .fetch_one(connection)
        .await
        .map_err(failed("look for keys of a merchant"))?;
    Ok(key_obstacle(found))
}

async fn insert(connection: &mut PgConnection, row: &AccessKeyRow) -> Result<(), PortError> {
    let inserted = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(row.id)
        .bind(&row.name)
        .bind(&row.hint)
        .bind(&row.hash)
        .bind(&row.scopes)
        .bind(&row.networks)
        .bind(row.expires_at)
        .bind(row.user_id)
        .bind(row.created_at)
        .bind(row.made_by)
        .bind(&row.seal)
        .bind(row.is_signed)
        .execute(connection)
        .await
        .map_err(failed("insert a key of a merchant"))?;
    wrote(inserted.rows_affected(), 1, "insert a key of a merchant")
}

/// Whether a key was revoked now.
async fn revoke(
    connection: &mut PgConnection,
    account: &AccountId,
    (id, at): (KeyId, Timestamp),
) -> Result<bool, PortError> {
    let revoked = sqlx::query(REVOKE)
        .bind(account.as_str())
        .bind(id.0)
        .bind(at.as_millis())
        .execute(&mut *connection)
        .await
        .map_err(failed("revoke a key of a merchant"))?;
    sqlx::query(END_LIVE)
        .bind(account.as_str())
        .bind(id.0)
        .execute(connection)
        .await
        .map_err(failed("list a key as live no longer"))?;
    Ok(revoked.rows_affected() == 1)
}

fn key_row(row: &PgRow, first: usize) -> Result<AccessKeyRow, sqlx::Error> {
    Ok(AccessKeyRow {
        account: row.try_get(first)?,
        id: row.try_get(first + 1)?,
        name: row.try_get(first + 2)?,
        hint: row.try_get(first + 3)?,
        hash: row.try_get(first + 4)?,
        scopes: row.try_get(first + 5)?,
        networks: row.try_get(first + 6)?,
        expires_at: row.try_get(first + 7)?,
        user_id: row.try_get(first + 8)?,
        created_at: row.try_get(first + 9)?,
        made_by: row.try_get(first + 10)?,
        seal: row.try_get(first + 11)?,
        is_signed: row.try_get(first + 12)?,
    })
}
