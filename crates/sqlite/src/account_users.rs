//! Users of accounts. They must be written through the one writer, like accounts.

use crate::account_changes;
use crate::batches::{in_direction, integer};
use crate::error::{failed, wrote};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::access::{AccountUser, AccountUserId};
use domain::account::AccountId;
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::account_users::{
    AccountUsers, SealedStep, SealedUser, StepOutcome, UserCreation, UserPage,
};
use ports::batches::PageOf;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use std::time::Duration;
use storage_sql::record::{
    UserObstacles, UserRow, UserStepRow, unless_unreadable, user_number, user_obstacle,
    users_with_steps,
};

/// Where in a row of a user beside a step the step begins.
const STEP: usize = 9;

/// What stands in the way of inviting a user: no such account, its number, its address; how many
/// users are not disabled, and how many were invited since.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = ?1),
        EXISTS (SELECT 1 FROM account_users WHERE account = ?1 AND id = ?2),
        EXISTS (
            SELECT 1 FROM account_users AS u
            WHERE u.account = ?1 AND u.email = ?3 AND NOT EXISTS (
                SELECT 1 FROM account_user_steps AS s
                WHERE s.account = u.account AND s.id = u.id AND s.kind = 'disabled'
            )
        ),
        (
            SELECT count(*) FROM account_users AS u
            WHERE u.account = ?1 AND NOT EXISTS (
                SELECT 1 FROM account_user_steps AS s
                WHERE s.account = u.account AND s.id = u.id AND s.kind = 'disabled'
            )
        ),
        (SELECT count(*) FROM account_users
            WHERE account = ?1 AND created_at > ?4 AND created_at <= ?5)";

pub(crate) const INSERT: &str = "
    INSERT INTO account_users (
        account, id, email, name, role, code, created_at, made_by, seal
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

/// Adds the step of a number where the one before is the last.
pub(crate) const ADD_STEP: &str = "
    INSERT INTO account_user_steps (account, id, number, kind, at, seal)
    SELECT u.account, u.id, ?3, ?4, ?5, ?6 FROM account_users AS u
    WHERE u.account = ?1 AND u.id = ?2 AND ?3 = 1 + (
        SELECT count(*) FROM account_user_steps WHERE account = ?1 AND id = ?2
    )";

pub(crate) const IS_KNOWN: &str =
    "SELECT EXISTS (SELECT 1 FROM account_users WHERE account = ?1 AND id = ?2)";

/// A user, one row for each step.
pub(crate) const ONE: &str = "
    SELECT u.account, u.id, u.email, u.name, u.role, u.code, u.created_at, u.made_by, u.seal,
        s.number, s.kind, s.at, s.seal
    FROM account_users AS u
    LEFT JOIN account_user_steps AS s ON s.account = u.account AND s.id = u.id
    WHERE u.account = ?1 AND u.id = ?2 ORDER BY s.number";

/// A part of the users of an account, one row for each step.
pub(crate) const PAGES: [&str; 2] = [
    "SELECT u.account, u.id, u.email, u.name, u.role, u.code, u.created_at, u.made_by, u.seal,
        s.number, s.kind, s.at, s.seal
    FROM (
        SELECT * FROM account_users WHERE account = ?1
        ORDER BY created_at, id LIMIT ?3 OFFSET ?2
    ) AS u
    LEFT JOIN account_user_steps AS s ON s.account = u.account AND s.id = u.id
    ORDER BY u.created_at, u.id, s.number",
    "SELECT u.account, u.id, u.email, u.name, u.role, u.code, u.created_at, u.made_by, u.seal,
        s.number, s.kind, s.at, s.seal
    FROM (
        SELECT * FROM account_users WHERE account = ?1
        ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?2
    ) AS u
    LEFT JOIN account_user_steps AS s ON s.account = u.account AND s.id = u.id
    ORDER BY u.created_at DESC, u.id DESC, s.number",
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM account_users WHERE account = ?1";

#[async_trait]
impl AccountUsers for SqliteStore {
    async fn invite_user(
        &self,
        user: &SealedUser,
        noted: &SealedChange,
    ) -> Result<UserCreation, PortError> {
        let (user, noted) = (user.clone(), noted.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.invite_user(user, noted)))
            .await?
    }

    async fn add_user_step(
        &self,
        (account, id): (&AccountId, AccountUserId),
        step: &SealedStep,
        noted: &SealedChange,
    ) -> Result<StepOutcome, PortError> {
        let (owner, step, noted) = (account.clone(), *step, noted.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.add_user_step((owner, id), step, noted)))
            .await?
    }

    async fn account_user(
        &self,
        account: &AccountId,
        id: AccountUserId,
    ) -> Result<Option<SealedUser>, PortError> {
        let rows = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(user_number(id))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("find a user"))?;
        let mut found = joined(&rows)?;
        let found = found.pop();
        found.map(|(user, steps)| user.restore(&steps)).transpose()
    }

    async fn account_users(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<UserPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(integer(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the users of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .await
            .map_err(failed("count the users of an account"))?;
        let users = joined(&rows)?.into_iter();
        let users = users.filter_map(|(user, steps)| unless_unreadable(user.restore(&steps)));
        Ok(UserPage {
            users: users.collect(),
            total: u64::try_from(total).unwrap_or_default(),
        })
    }
}

impl SqliteWriter {
    async fn invite_user(
        &mut self,
        sealed: SealedUser,
        noted: SealedChange,
    ) -> Result<UserCreation, PortError> {
        let mut step = self.step().await?;
        if let Some(obstacle) = obstacle(&mut step, &sealed.user).await? {
            return Ok(obstacle);
        }
        let row = UserRow::of(&sealed);
        let inserted = sqlx::query(INSERT)
            .bind(row.account)
            .bind(row.id)
            .bind(row.email)
            .bind(row.name)
            .bind(row.role)
            .bind(row.code)
            .bind(row.created_at)
            .bind(row.made_by)
            .bind(row.seal)
            .execute(&mut *step)
            .await
            .map_err(failed("insert a user"))?;
        wrote(inserted.rows_affected(), 1, "insert a user")?;
        account_changes::append(&mut step, &noted).await?;
        step.commit().await.map_err(failed("commit a user"))?;
        Ok(UserCreation::Done)
    }

    async fn add_user_step(
        &mut self,
        (account, id): (AccountId, AccountUserId),
        sealed: SealedStep,
        noted: SealedChange,
    ) -> Result<StepOutcome, PortError> {
        let row = UserStepRow::of(&sealed);
        let mut step = self.step().await?;
        let added = sqlx::query(ADD_STEP)
            .bind(account.as_str())
            .bind(user_number(id))
            .bind(row.number)
            .bind(row.kind)
            .bind(row.at)
            .bind(row.seal)
            .execute(&mut *step)
            .await
            .map_err(failed("add a step of a user"))?;
        if added.rows_affected() == 1 {
            account_changes::append(&mut step, &noted).await?;
            step.commit()
                .await
                .map_err(failed("commit a step of a user"))?;
            return Ok(StepOutcome::Done);
        }
        let is_known: bool = sqlx::query_scalar(IS_KNOWN)
            .bind(account.as_str())
            .bind(user_number(id))
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a user"))?;
        if is_known {
            return Ok(StepOutcome::NumberTaken);
        }
        Ok(StepOutcome::Unknown)
    }
}

async fn obstacle(
    connection: &mut SqliteConnection,
    user: &AccountUser,
) -> Result<Option<UserCreation>, PortError> {
    let since = user.created_at.minus(Duration::from_hours(24));
    let found: UserObstacles = sqlx::query_as(OBSTACLES)
        .bind(user.account.as_str())
        .bind(user_number(user.id))
        .bind(user.email.as_str())
        .bind(since.as_millis())
        .bind(user.created_at.as_millis())
        .fetch_one(connection)
        .await
        .map_err(failed("look for users"))?;
    Ok(user_obstacle(found))
}

fn joined(rows: &[SqliteRow]) -> Result<Vec<(UserRow, Vec<UserStepRow>)>, PortError> {
    let pair = |row| Ok((user_row(row, 0)?, step_row(row, STEP)?));
    let pairs: Result<Vec<_>, sqlx::Error> = rows.iter().map(pair).collect();
    Ok(users_with_steps(pairs.map_err(failed("read a user"))?))
}

/// The user in a row from a column on.
pub(crate) fn user_row(row: &SqliteRow, first: usize) -> Result<UserRow, sqlx::Error> {
    Ok(UserRow {
        account: row.try_get(first)?,
        id: row.try_get(first + 1)?,
        email: row.try_get(first + 2)?,
        name: row.try_get(first + 3)?,
        role: row.try_get(first + 4)?,
        code: row.try_get(first + 5)?,
        created_at: row.try_get(first + 6)?,
        made_by: row.try_get(first + 7)?,
        seal: row.try_get(first + 8)?,
    })
}

/// The step in a row from a column on; none where the user has none.
pub(crate) fn step_row(row: &SqliteRow, first: usize) -> Result<Option<UserStepRow>, sqlx::Error> {
    let Some(number) = row.try_get::<Option<i64>, _>(first)? else {
        return Ok(None);
    };
    Ok(Some(UserStepRow {
        number,
        kind: row.try_get(first + 1)?,
        at: row.try_get(first + 2)?,
        seal: row.try_get(first + 3)?,
    }))
}
