//! Top-ups that merchants announce. They must be written through the writer of their
//! account.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{failed, wrote};
use crate::rows::bigint;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::top_up::{AccountTopUp, TopUpState};
use ports::PortError;
use ports::batches::PageOf;
use ports::top_ups::{TopUpCreation, TopUpPage, TopUps, UnconfirmedTopUps};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::{TopUpObstacles, TopUpRow, top_up_obstacle};

/// The columns that [`top_up_row`] reads, each top-up with the funding that confirms it.
macro_rules! top_ups {
    () => {
        "SELECT t.account, t.number, t.reference, t.amount, t.currency, t.channel, t.created_at,
            t.expires_at, f.amount, f.at
        FROM top_ups AS t
        LEFT JOIN fundings AS f ON f.account = t.account AND f.reference = 'topup:' || t.number"
    };
}

/// What stands in the way of a top-up: no such account, its number, its reference, and how many are
/// open. One row. The account is locked, so that others that are made see this one.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        EXISTS (SELECT 1 FROM top_ups WHERE account = $1 AND number = $2),
        EXISTS (SELECT 1 FROM top_ups WHERE account = $1 AND reference = $3),
        (SELECT count(*) FROM top_ups AS t
            WHERE t.account = $1 AND t.expires_at > $4 AND NOT EXISTS (
                SELECT 1 FROM fundings AS f
                WHERE f.account = t.account AND f.reference = 'topup:' || t.number
            ))";

pub(crate) const INSERT: &str = "
    INSERT INTO top_ups (
        account, number, reference, amount, currency, channel, created_at, expires_at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

pub(crate) const BY_REFERENCE: &str =
    concat!(top_ups!(), " WHERE t.account = $1 AND t.reference = $2");

pub(crate) const BY_NUMBER: &str = concat!(top_ups!(), " WHERE t.account = $1 AND t.number = $2");

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        top_ups!(),
        " WHERE t.account = $1 ORDER BY t.created_at, t.number LIMIT $3 OFFSET $2"
    ),
    concat!(
        top_ups!(),
        " WHERE t.account = $1 ORDER BY t.created_at DESC, t.number DESC LIMIT $3 OFFSET $2"
    ),
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM top_ups WHERE account = $1";

/// Those that are not confirmed, of one account or all. Operators ask for them, now and then.
const UNCONFIRMED: &str = concat!(
    top_ups!(),
    " WHERE ($1::text IS NULL OR t.account = $1) AND t.expires_at > $2 AND f.account IS NULL
    ORDER BY t.expires_at, t.account, t.number LIMIT $3"
);

#[async_trait]
impl TopUps for PostgresStore {
    async fn create_top_up(&self, top_up: &AccountTopUp) -> Result<TopUpCreation, PortError> {
        let top_up = top_up.clone();
        self.alone(&top_up.account.clone(), move |writer| {
            Box::pin(writer.create_top_up(top_up))
        })
        .await
    }

    async fn top_up(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<TopUpState>, PortError> {
        let found = sqlx::query(BY_REFERENCE)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a top-up"))?;
        found.as_ref().map(restored).transpose()
    }

    async fn numbered_top_up(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<TopUpState>, PortError> {
        let found = sqlx::query(BY_NUMBER)
            .bind(account.as_str())
            .bind(bigint(number.get()))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a top-up by its number"))?;
        found.as_ref().map(restored).transpose()
    }

    async fn top_ups(&self, account: &AccountId, page: PageOf) -> Result<TopUpPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the top-ups of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the top-ups of an account"))?;
        Ok(TopUpPage {
            top_ups: rows.iter().map(restored).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }

    async fn unconfirmed_top_ups(
        &self,
        wanted: UnconfirmedTopUps<'_>,
    ) -> Result<Vec<TopUpState>, PortError> {
        let rows = sqlx::query(UNCONFIRMED)
            .bind(wanted.account.map(AccountId::as_str))
            .bind(wanted.ending_after.as_millis())
            .bind(i64::from(wanted.limit))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the top-ups that are not confirmed"))?;
        rows.iter().map(restored).collect()
    }
}

impl PostgresWriter {
    async fn create_top_up(&mut self, top_up: AccountTopUp) -> Result<TopUpCreation, PortError> {
        let row = TopUpRow::of(&top_up);
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(&row.account)
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found: TopUpObstacles = sqlx::query_as(OBSTACLES)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.reference)
            .bind(row.created_at)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a top-up"))?;
        if let Some(obstacle) = top_up_obstacle(found) {
            return Ok(obstacle);
        }
        let inserted = sqlx::query(INSERT)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.reference)
            .bind(row.amount)
            .bind(&row.currency)
            .bind(&row.channel)
            .bind(row.created_at)
            .bind(row.expires_at)
            .execute(&mut *step)
            .await
            .map_err(failed("insert a top-up"))?;
        wrote(inserted.rows_affected(), 1, "insert a top-up")?;
        step.commit().await.map_err(failed("commit a top-up"))?;
        Ok(TopUpCreation::Done)
    }
}

fn restored(row: &PgRow) -> Result<TopUpState, PortError> {
    top_up_row(row).map_err(failed("read a top-up"))?.restore()
}

fn top_up_row(row: &PgRow) -> Result<TopUpRow, sqlx::Error> {
    let (amount, at): (Option<i64>, Option<i64>) = (row.try_get(8)?, row.try_get(9)?);
    Ok(TopUpRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        reference: row.try_get(2)?,
        amount: row.try_get(3)?,
        currency: row.try_get(4)?,
        channel: row.try_get(5)?,
        created_at: row.try_get(6)?,
        expires_at: row.try_get(7)?,
        confirmed: amount.zip(at),
    })
}
