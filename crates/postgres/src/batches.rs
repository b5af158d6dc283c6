//! Reading batches. How far one has come is counted from where its transactions stand.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::rows::{batch_columns, batch_row, bigint, transaction, transaction_columns};
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::batch::{Batch, BatchKind, BatchNumber, BatchProgress};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::transaction::Transaction;
use ports::PortError;
use ports::batches::{BatchPage, Batches, PageOf};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::counted_batches;

/// Batches, each with its row and how many of its payments are in each state, a row for each.
/// `OFFSET 0` keeps the parts apart: each is found by its key, and in no order that would be of use
/// to the next.
macro_rules! batches {
    ($which:literal) => {
        concat!(
            "SELECT ",
            batch_columns!(),
            ", s.state, s.payments
            FROM (SELECT * FROM batches ",
            $which,
            ") AS b
            CROSS JOIN LATERAL (
                SELECT t.state, count(*) AS payments
                FROM (
                    SELECT transaction FROM batch_items AS i
                    WHERE i.account = ANY (ARRAY[b.account]) AND i.batch = b.number OFFSET 0
                ) AS i
                CROSS JOIN LATERAL (
                    SELECT state FROM transactions AS t
                    WHERE t.account = ANY (ARRAY[b.account]) AND t.number = i.transaction OFFSET 0
                ) AS t
                GROUP BY t.state
            ) AS s
            ORDER BY b.opened_at, b.number"
        )
    };
}

pub(crate) const BY_REFERENCE: &str =
    batches!("WHERE account = ANY (ARRAY[$1::text COLLATE \"POSIX\"]) AND reference = $2 OFFSET 0");

const PAGES: [&str; 2] = [
    batches!("WHERE kind = $2 AND account = $1 ORDER BY opened_at, number LIMIT $4 OFFSET $3"),
    batches!(
        "WHERE kind = $2 AND account = $1 ORDER BY opened_at DESC, number DESC LIMIT $4 OFFSET $3"
    ),
];

const COUNT: &str = "SELECT count(*) FROM batches WHERE kind = $2 AND account = $1";

/// Transactions of a batch, in one of both directions.
macro_rules! items {
    ($direction:literal) => {
        concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM (
                SELECT * FROM batch_items AS i
                WHERE i.account = ANY (ARRAY[$1::text]) AND i.batch = $2 OFFSET 0
            ) AS i
            JOIN transactions AS t ON t.account = ANY (ARRAY[i.account])
                AND t.number = i.transaction
            ORDER BY i.position ",
            $direction,
            " LIMIT $4 OFFSET $3"
        )
    };
}

pub(crate) const ITEMS: [&str; 2] = [items!("ASC"), items!("DESC")];

/// Those of some transactions, by their places in the list, whose batch is to stop with a failure
/// and has one. The payments of a batch are looked for by the number of the row that says whether
/// it is to stop: a planner must not read them before.
pub(crate) const STOPPED: &str = "
    SELECT wanted.nth - 1
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (account, transaction, nth)
    CROSS JOIN LATERAL (
        SELECT batch FROM batch_items AS i
        WHERE i.transaction = wanted.transaction
            AND i.account = wanted.account COLLATE \"POSIX\" OFFSET 0
    ) AS i
    CROSS JOIN LATERAL (
        SELECT number, on_failure FROM batches AS b
        WHERE b.account = ANY (ARRAY[wanted.account]) AND b.number = i.batch OFFSET 0
    ) AS b
    WHERE b.on_failure = 'stop' AND EXISTS (
        SELECT 1 FROM (
            SELECT transaction FROM batch_items AS o
            WHERE o.account = ANY (ARRAY[wanted.account]) AND o.batch = b.number OFFSET 0
        ) AS o
        CROSS JOIN LATERAL (
            SELECT state FROM transactions AS t
            WHERE t.account = ANY (ARRAY[wanted.account]) AND t.number = o.transaction OFFSET 0
        ) AS t
        WHERE t.state = 'failed'
    )
    ORDER BY 1";

#[async_trait]
impl Batches for PostgresStore {
    async fn batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<(Batch, BatchProgress)>, PortError> {
        let rows = sqlx::query(BY_REFERENCE)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a batch by reference"))?;
        Ok(counted(&rows)?.pop())
    }

    async fn batch_items(
        &self,
        account: &AccountId,
        batch: BatchNumber,
        page: PageOf,
    ) -> Result<Vec<Transaction>, PortError> {
        let rows = sqlx::query(in_direction(ITEMS, page.sort))
            .bind(account.as_str())
            .bind(bigint(batch.get()))
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.pages)
            .in_time()
            .await
            .map_err(failed("read the payments of a batch"))?;
        let rows = rows.iter();
        rows.map(|row| transaction(row, self.cipher())).collect()
    }

    async fn batches(
        &self,
        account: &AccountId,
        kind: BatchKind,
        page: PageOf,
    ) -> Result<BatchPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(kind.code())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.pages)
            .in_time()
            .await
            .map_err(failed("list the batches of an account"))?;
        // Read after the page: what was opened in between is counted, and on no page yet.
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .bind(kind.code())
            .fetch_one(&self.pages)
            .in_time()
            .await
            .map_err(failed("count the batches of an account"))?;
        let mut batches = counted(&rows)?;
        if page.sort == Sort::Descending {
            batches.reverse();
        }
        Ok(BatchPage {
            batches,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }

    async fn stopped(
        &self,
        transactions: &[(AccountId, TransactionNumber)],
    ) -> Result<Vec<usize>, PortError> {
        let wanted = transactions.iter();
        let wanted = wanted.map(|(account, number)| (account.as_str(), bigint(number.get())));
        let (accounts, numbers): (Vec<&str>, Vec<i64>) = wanted.unzip();
        let places: Vec<i64> = sqlx::query_scalar(STOPPED)
            .bind(accounts)
            .bind(numbers)
            .fetch_all(&self.steps)
            .in_time()
            .await
            .map_err(failed("look which batches stopped"))?;
        let places = places.into_iter();
        Ok(places.filter_map(|it| it.try_into().ok()).collect())
    }
}

pub(crate) const fn in_direction(
    [ascending, descending]: [&'static str; 2],
    sort: Sort,
) -> &'static str {
    match sort {
        Sort::Ascending => ascending,
        Sort::Descending => descending,
    }
}

/// Batches in the order of their rows, each with the counts that follow it.
fn counted(rows: &[PgRow]) -> Result<Vec<(Batch, BatchProgress)>, PortError> {
    let read = |row: &PgRow| {
        let count: (String, i64) = (row.try_get(12)?, row.try_get(13)?);
        Ok((batch_row(row, 0)?, count))
    };
    let rows = rows.iter().map(read).collect::<Result<Vec<_>, _>>();
    counted_batches(&rows.map_err(failed("read a batch"))?)
}
