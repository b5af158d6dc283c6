//! Groups of bank accounts. They must be written through the writer of their account.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{failed, wrote};
use crate::rows::bigint;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::bank::{GROUPS_MAX, Group, GroupId, GroupVersion};
use ports::PortError;
use ports::batches::PageOf;
use ports::groups::{GroupChange, GroupCreation, GroupPage, GroupUpdate, Groups};
use sqlx::postgres::PgRow;
use sqlx::{Postgres, Row, Transaction};
use storage_sql::record::{GroupRow, group_members};

/// The columns that [`group_row`] reads.
macro_rules! group_columns {
    () => {
        "account, id, version, name, member_count, created_at, updated_at"
    };
}

/// What stands in the way of making a group: no such account, too many, its number. One row.
/// The account is locked, so that others that are made see this one.
const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        (SELECT count(*) FROM payout_groups WHERE account = $1) >= $3,
        EXISTS (SELECT 1 FROM payout_groups WHERE account = $1 AND id = $2)";

pub(crate) const CREATE: &str = "
    INSERT INTO payout_groups (
        account, id, version, name, member_count, members, created_at, updated_at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

pub(crate) const UPDATE: &str = "
    UPDATE payout_groups SET
        version = version + 1, name = $4, member_count = $5, members = $6, updated_at = $7
    WHERE account = $1 AND id = $2 AND version = $3";

pub(crate) const REMOVE: &str = "
    DELETE FROM payout_groups WHERE account = $1 AND id = $2 AND version = $3";

pub(crate) const IS_KNOWN: &str =
    "SELECT EXISTS (SELECT 1 FROM payout_groups WHERE account = $1 AND id = $2)";

pub(crate) const ONE: &str = concat!(
    "SELECT ",
    group_columns!(),
    ", members FROM payout_groups WHERE account = $1 AND id = $2"
);

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        "SELECT ",
        group_columns!(),
        " FROM payout_groups WHERE account = $1 ORDER BY created_at, id LIMIT $3 OFFSET $2"
    ),
    concat!(
        "SELECT ",
        group_columns!(),
        " FROM payout_groups WHERE account = $1
        ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $2"
    ),
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM payout_groups WHERE account = $1";

#[async_trait]
impl Groups for PostgresStore {
    async fn create_group(&self, group: &Group) -> Result<GroupCreation, PortError> {
        let group = group.clone();
        self.alone(&group.account.clone(), move |writer| {
            Box::pin(writer.create_group(group))
        })
        .await
    }

    async fn update_group(
        &self,
        account: &AccountId,
        id: GroupId,
        update: &GroupUpdate,
    ) -> Result<GroupChange, PortError> {
        let (owner, update) = (account.clone(), update.clone());
        self.alone(account, move |writer| {
            Box::pin(writer.update_group(owner, id, update))
        })
        .await
    }

    async fn remove_group(
        &self,
        account: &AccountId,
        id: GroupId,
        version: GroupVersion,
    ) -> Result<GroupChange, PortError> {
        let owner = account.clone();
        self.alone(account, move |writer| {
            Box::pin(writer.remove_group(owner, id, version))
        })
        .await
    }

    async fn group(&self, account: &AccountId, id: GroupId) -> Result<Option<Group>, PortError> {
        let found = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a group"))?;
        let Some(found) = found else {
            return Ok(None);
        };
        let read = || Ok((group_row(&found)?, found.try_get::<String, _>(7)?));
        let (row, members) = read().map_err(failed("read a group"))?;
        row.restore(members, self.cipher()).map(Some)
    }

    async fn groups(&self, account: &AccountId, page: PageOf) -> Result<GroupPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the groups of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the groups of an account"))?;
        let summary = |row| group_row(row).map_err(failed("read a group"))?.summary();
        Ok(GroupPage {
            groups: rows.iter().map(summary).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }
}

impl PostgresWriter {
    async fn create_group(&mut self, group: Group) -> Result<GroupCreation, PortError> {
        let (members, count) = group_members(
            (&group.account, group.id),
            &group.content,
            self.shared().sealing.fields(),
        )?;
        let version = group.version;
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(group.account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let (account_unknown, too_many, id_taken): (bool, bool, bool) = sqlx::query_as(OBSTACLES)
            .bind(group.account.as_str())
            .bind(bigint(group.id.get()))
            .bind(i64::from(GROUPS_MAX))
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a group"))?;
        if account_unknown {
            return Ok(GroupCreation::AccountUnknown);
        }
        // A retry finds its group also where there is no room for another.
        if id_taken {
            return Ok(GroupCreation::IdTaken);
        }
        if too_many {
            return Ok(GroupCreation::TooMany);
        }
        let inserted = sqlx::query(CREATE)
            .bind(group.account.as_str())
            .bind(bigint(group.id.get()))
            .bind(i32::try_from(version.get()).unwrap_or(i32::MAX))
            .bind(group.content.name.as_str())
            .bind(i32::try_from(count).unwrap_or(i32::MAX))
            .bind(members)
            .bind(group.created_at.as_millis())
            .bind(group.updated_at.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("insert a group"))?;
        wrote(inserted.rows_affected(), 1, "insert a group")?;
        step.commit().await.map_err(failed("commit a group"))?;
        Ok(GroupCreation::Done)
    }

    async fn update_group(
        &mut self,
        account: AccountId,
        id: GroupId,
        update: GroupUpdate,
    ) -> Result<GroupChange, PortError> {
        let (members, count) = group_members(
            (&account, id),
            &update.content,
            self.shared().sealing.fields(),
        )?;
        let version = update.replaced;
        let mut step = self.step().await?;
        let written = sqlx::query(UPDATE)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .bind(i32::try_from(version.get()).unwrap_or(i32::MAX))
            .bind(update.content.name.as_str())
            .bind(i32::try_from(count).unwrap_or(i32::MAX))
            .bind(members)
            .bind(update.at.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("change a group"))?;
        changed(step, (&account, id), written.rows_affected()).await
    }

    async fn remove_group(
        &mut self,
        account: AccountId,
        id: GroupId,
        version: GroupVersion,
    ) -> Result<GroupChange, PortError> {
        let mut step = self.step().await?;
        let written = sqlx::query(REMOVE)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .bind(i32::try_from(version.get()).unwrap_or(i32::MAX))
            .execute(&mut *step)
            .await
            .map_err(failed("remove a group"))?;
        changed(step, (&account, id), written.rows_affected()).await
    }
}

/// Commits what changed the row of a group; where it changed none, says why.
async fn changed(
    mut step: Transaction<'_, Postgres>,
    (account, id): (&AccountId, GroupId),
    rows: u64,
) -> Result<GroupChange, PortError> {
    if rows == 1 {
        step.commit().await.map_err(failed("commit a group"))?;
        return Ok(GroupChange::Done);
    }
    let known = sqlx::query_scalar(IS_KNOWN)
        .bind(account.as_str())
        .bind(bigint(id.get()))
        .fetch_one(&mut *step)
        .await
        .map_err(failed("look for a group"))?;
    Ok(GroupChange::without_row(known))
}

fn group_row(row: &PgRow) -> Result<GroupRow, sqlx::Error> {
    Ok(GroupRow {
        account: row.try_get(0)?,
        id: row.try_get(1)?,
        version: row.try_get::<i32, _>(2).map(i64::from)?,
        name: row.try_get(3)?,
        member_count: row.try_get::<i32, _>(4).map(i64::from)?,
        created_at: row.try_get(5)?,
        updated_at: row.try_get(6)?,
    })
}
