//! What was changed of accounts. A row must be written by the step of the change that it describes.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::error::{failed, wrote};
use crate::rows::bigint;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::account_change::{AccountChangesQuery, ChangeAction};
use domain::time::Timestamp;
use ports::PortError;
use ports::account_changes::{AccountChanges, AccountChangesPage, ChainedChange, SealedChange};
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use storage_sql::record::{AccountChangeRow, last_change};

/// The columns that [`change_row`] reads.
macro_rules! change_columns {
    () => {
        "account, number, actor, key, user_id, action, target, before, after, address, request_id,
        at, seal, previous, hash"
    };
}

/// Which of the changes of an account are asked for.
macro_rules! asked_for {
    () => {
        " FROM account_changes WHERE account = $1
        AND ($2::bigint IS NULL OR at >= $2) AND ($3::bigint IS NULL OR at < $3)
        AND ($4::text IS NULL OR action = $4)"
    };
}

const PAGES: [&str; 2] = [
    concat!(
        "SELECT ",
        change_columns!(),
        asked_for!(),
        " ORDER BY number LIMIT $6 OFFSET $5"
    ),
    concat!(
        "SELECT ",
        change_columns!(),
        asked_for!(),
        " ORDER BY number DESC LIMIT $6 OFFSET $5"
    ),
];

const FOUND: &str = concat!("SELECT count(*)", asked_for!());

/// The number of the last change of an account, which is how many there are.
const TOTAL: &str = "SELECT coalesce(max(number), 0) FROM account_changes WHERE account = $1";

const LAST: &str = "
    SELECT number, hash FROM account_changes WHERE account = $1 ORDER BY number DESC LIMIT 1";

const ALL: &str = concat!(
    "SELECT ",
    change_columns!(),
    " FROM account_changes ORDER BY account, number"
);

const INSERT: &str = "
    INSERT INTO account_changes (
        account, number, actor, key, user_id, action, target, before, after, address, request_id,
        at, seal, previous, hash
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 6] = [FOUND, INSERT, LAST, PAGES[0], PAGES[1], TOTAL];

#[async_trait]
impl AccountChanges for PostgresStore {
    async fn account_changes(
        &self,
        account: &AccountId,
        query: &AccountChangesQuery,
    ) -> Result<AccountChangesPage, PortError> {
        let (from, before) = (query.from, query.before);
        let (from, before) = (
            from.map(Timestamp::as_millis),
            before.map(Timestamp::as_millis),
        );
        let action = query.action.map(ChangeAction::code);
        let rows = sqlx::query(in_direction(PAGES, query.sort))
            .bind(account.as_str())
            .bind(from)
            .bind(before)
            .bind(action)
            .bind(bigint(query.offset))
            .bind(i64::from(query.length))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the changes of an account"))?;
        let found: i64 = sqlx::query_scalar(FOUND)
            .bind(account.as_str())
            .bind(from)
            .bind(before)
            .bind(action)
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the changes that are asked for"))?;
        let total: i64 = sqlx::query_scalar(TOTAL)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the changes of an account"))?;
        Ok(AccountChangesPage {
            changes: rows.iter().map(restored).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
            found: u64::try_from(found).unwrap_or_default(),
        })
    }

    async fn audited_changes(&self) -> Result<Vec<Result<ChainedChange, PortError>>, PortError> {
        let rows = sqlx::query(ALL)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the changes of accounts"))?;
        Ok(rows.iter().map(restored).collect())
    }
}

/// Records a change, after the last one of its account, in the step that makes it, which has
/// locked the account.
pub(crate) async fn append(
    step: &mut PgConnection,
    sealed: &SealedChange,
) -> Result<(), PortError> {
    let last: Option<(i64, Vec<u8>)> = sqlx::query_as(LAST)
        .bind(sealed.change.account.as_str())
        .fetch_optional(&mut *step)
        .await
        .map_err(failed("find the last change of an account"))?;
    let row = AccountChangeRow::of(&ChainedChange::after(last_change(last)?, sealed.clone()));
    let inserted = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(row.number)
        .bind(&row.actor)
        .bind(row.key)
        .bind(row.user_id)
        .bind(&row.action)
        .bind(&row.target)
        .bind(&row.before)
        .bind(&row.after)
        .bind(&row.address)
        .bind(&row.request_id)
        .bind(row.at)
        .bind(&row.seal)
        .bind(&row.previous)
        .bind(&row.hash)
        .execute(step)
        .await
        .map_err(failed("insert a change of an account"))?;
    wrote(inserted.rows_affected(), 1, "insert a change of an account")
}

fn restored(row: &PgRow) -> Result<ChainedChange, PortError> {
    change_row(row)
        .map_err(failed("read a change of an account"))?
        .restore()
}

fn change_row(row: &PgRow) -> Result<AccountChangeRow, sqlx::Error> {
    Ok(AccountChangeRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        actor: row.try_get(2)?,
        key: row.try_get(3)?,
        user_id: row.try_get(4)?,
        action: row.try_get(5)?,
        target: row.try_get(6)?,
        before: row.try_get(7)?,
        after: row.try_get(8)?,
        address: row.try_get(9)?,
        request_id: row.try_get(10)?,
        at: row.try_get(11)?,
        seal: row.try_get(12)?,
        previous: row.try_get(13)?,
        hash: row.try_get(14)?,
    })
}
