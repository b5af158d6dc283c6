//! Reading batches. How far one has come is counted from where its transactions stand.

use crate::error::failed;
use crate::rows::{batch_columns, batch_row, json, transaction, transaction_columns};
use crate::store::SqliteStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::batch::{Batch, BatchKind, BatchNumber, BatchProgress};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::transaction::Transaction;
use ports::PortError;
use ports::batches::{BatchPage, Batches, PageOf};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::record::counted_batches;

/// Batches, each with its row and how many of its payments are in each state, a row for each.
macro_rules! batches {
    ($which:literal) => {
        concat!(
            "SELECT ",
            batch_columns!(),
            ", t.state, count(*)
            FROM (",
            $which,
            ") AS b
            CROSS JOIN batch_items AS i ON i.batch_id = b.id
            CROSS JOIN transactions AS t ON t.id = i.transaction_id
            GROUP BY b.id, t.state ORDER BY b.id"
        )
    };
}

pub(crate) const BY_REFERENCE: &str =
    batches!("SELECT * FROM batches WHERE account = ?1 AND reference = ?2");

pub(crate) const PAGES: [&str; 2] = [
    batches!(
        "SELECT * FROM batches WHERE account = ?1 AND kind = ?2 ORDER BY id LIMIT ?4 OFFSET ?3"
    ),
    batches!(
        "SELECT * FROM batches WHERE account = ?1 AND kind = ?2
        ORDER BY id DESC LIMIT ?4 OFFSET ?3"
    ),
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM batches WHERE account = ?1 AND kind = ?2";

/// Transactions of a batch, in one of both directions.
macro_rules! items {
    ($direction:literal) => {
        concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM batches AS b
            CROSS JOIN batch_items AS i ON i.batch_id = b.id
            CROSS JOIN transactions AS t ON t.id = i.transaction_id
            WHERE b.account = ?1 AND b.number = ?2
            ORDER BY i.position ",
            $direction,
            " LIMIT ?4 OFFSET ?3"
        )
    };
}

pub(crate) const ITEMS: [&str; 2] = [items!("ASC"), items!("DESC")];

/// Those of some transactions, by their places in the list, whose batch is to stop with a failure
/// and has one. The payments of a batch are looked for by the id of the row that says whether it is
/// to stop: a planner must not read them before.
pub(crate) const STOPPED: &str = "
    SELECT wanted.key FROM json_each(?1) AS wanted
    CROSS JOIN transactions AS t
        ON t.account = wanted.value ->> 0 AND t.number = wanted.value ->> 1
    CROSS JOIN batch_items AS i ON i.transaction_id = t.id
    CROSS JOIN batches AS b ON b.id = i.batch_id AND b.on_failure = 'stop'
    WHERE EXISTS (
        SELECT 1 FROM batch_items AS o CROSS JOIN transactions AS f ON f.id = o.transaction_id
        WHERE o.batch_id = b.id AND f.state = 'failed'
    )
    ORDER BY 1";

#[async_trait]
impl Batches for SqliteStore {
    async fn batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<(Batch, BatchProgress)>, PortError> {
        let rows = sqlx::query(BY_REFERENCE)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_all(&self.reads)
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
            .bind(integer(batch.get()))
            .bind(integer(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("read the payments of a batch"))?;
        let rows = rows.iter();
        rows.map(|row| transaction(row, &self.cipher)).collect()
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
            .bind(integer(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("list the batches of an account"))?;
        // Read after the page: what was opened in between is counted, and on no page yet.
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .bind(kind.code())
            .fetch_one(&self.pages)
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
        let wanted: Vec<_> = wanted
            .map(|(account, number)| (account.as_str(), number.get()))
            .collect();
        let places: Vec<i64> = sqlx::query_scalar(STOPPED)
            .bind(json(&wanted)?)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("look which batches stopped"))?;
        Ok(places
            .into_iter()
            .filter_map(|it| it.try_into().ok())
            .collect())
    }
}

/// A number below 2^53, or the largest there is.
pub(crate) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
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
fn counted(rows: &[SqliteRow]) -> Result<Vec<(Batch, BatchProgress)>, PortError> {
    let read = |row: &SqliteRow| {
        let count: (String, i64) = (row.try_get(12)?, row.try_get(13)?);
        Ok((batch_row(row, 0)?, count))
    };
    let rows = rows.iter().map(read).collect::<Result<Vec<_>, _>>();
    counted_batches(&rows.map_err(failed("read a batch"))?)
}
