//! Pages of a statement. Lines are numbered per wallet, so a page is a range of numbers: it must
//! cost the same at the beginning and far inside.

use crate::error::failed;
use domain::account::AccountId;
use domain::statement::{Sort, StatementQuery};
use ports::PortError;
use sqlx::Row;
use sqlx::sqlite::{SqlitePool, SqliteRow};
use storage_sql::record::{LineRow, direction_code};
use storage_sql::statement::{FoundPage, offset};

/// Lines `?2 + 1` to `?2 + ?3` of the wallet in currency `?6`, counted from the newest where `?4`
/// is true. The counters come with them, from the same moment; without any line there is one row
/// with the counters alone.
pub(crate) const LINES: &str = "
    SELECT w.debits, w.credits, f.id, t.number, t.reference, f.direction, f.narration, f.amount,
        f.currency, f.available_after, f.at, f.position
    FROM wallets AS w
    LEFT JOIN transfers AS f ON f.account = w.account AND f.currency = w.currency
        AND f.position > CASE WHEN ?4 THEN w.debits + w.credits - ?2 - ?3 ELSE ?2 END
        AND f.position <= CASE WHEN ?4 THEN w.debits + w.credits - ?2 ELSE ?2 + ?3 END
    LEFT JOIN transactions AS t ON t.id = f.transaction_id
    WHERE w.account = ?1 AND w.currency = ?6
    ORDER BY f.position";

/// The same of the lines in direction `?5` alone.
pub(crate) const LINES_OF_DIRECTION: &str = "
    WITH w AS MATERIALIZED (
        SELECT account, currency, debits, credits,
            CASE ?5 WHEN 'debit' THEN debits ELSE credits END AS found
        FROM wallets WHERE account = ?1 AND currency = ?6
    )
    SELECT w.debits, w.credits, f.id, t.number, t.reference, f.direction, f.narration, f.amount,
        f.currency, f.available_after, f.at, f.position
    FROM w
    LEFT JOIN transfers AS f ON f.account = w.account AND f.currency = w.currency
        AND f.direction = ?5
        AND f.nth > CASE WHEN ?4 THEN w.found - ?2 - ?3 ELSE ?2 END
        AND f.nth <= CASE WHEN ?4 THEN w.found - ?2 ELSE ?2 + ?3 END
    LEFT JOIN transactions AS t ON t.id = f.transaction_id
    ORDER BY f.nth";

/// All lines of the transaction with reference `?2` in currency `?3`: three at most. The plus keeps
/// the search on the transaction: the account alone would mean its whole statement.
pub(crate) const LINES_OF_TRANSACTION: &str = "
    SELECT w.debits, w.credits, f.id, t.number, t.reference, f.direction, f.narration, f.amount,
        f.currency, f.available_after, f.at, f.position
    FROM wallets AS w
    LEFT JOIN transactions AS t ON t.account = w.account AND t.reference = ?2
    LEFT JOIN transfers AS f ON f.transaction_id = t.id AND +f.account = w.account
        AND +f.currency = w.currency
    WHERE w.account = ?1 AND w.currency = ?3
    ORDER BY f.id";

/// What there is for a page; an unknown account has nothing.
pub(crate) async fn found(
    reads: &SqlitePool,
    account: &AccountId,
    query: &StatementQuery,
) -> Result<FoundPage, PortError> {
    let rows = rows(reads, account, query)
        .await
        .map_err(failed("read a statement"))?;
    let read = || {
        let mut found = FoundPage::default();
        for row in &rows {
            (found.debits, found.credits) = (row.try_get(0)?, row.try_get(1)?);
            found.lines.extend(line(row)?);
        }
        Ok(found)
    };
    read().map_err(failed("read a line of a statement"))
}

async fn rows(
    reads: &SqlitePool,
    account: &AccountId,
    query: &StatementQuery,
) -> Result<Vec<SqliteRow>, sqlx::Error> {
    if let Some(reference) = &query.reference {
        return sqlx::query(LINES_OF_TRANSACTION)
            .bind(account.as_str())
            .bind(reference.as_str())
            .bind(query.currency.code())
            .fetch_all(reads)
            .await;
    }
    let lines = match query.direction {
        None => LINES,
        Some(_) => LINES_OF_DIRECTION,
    };
    sqlx::query(lines)
        .bind(account.as_str())
        .bind(offset(query))
        .bind(i64::from(query.length))
        .bind(query.sort == Sort::Descending)
        .bind(query.direction.map(direction_code))
        .bind(query.currency.code())
        .fetch_all(reads)
        .await
}

/// The line in a row; none in the row that has the counters alone.
fn line(row: &SqliteRow) -> Result<Option<LineRow>, sqlx::Error> {
    let Some(id) = row.try_get(2)? else {
        return Ok(None);
    };
    let transaction = match (row.try_get(3)?, row.try_get(4)?) {
        (Some(number), Some(reference)) => Some((number, reference)),
        (_, _) => None,
    };
    Ok(Some(LineRow {
        id,
        transaction,
        direction: row.try_get(5)?,
        narration: row.try_get(6)?,
        amount: row.try_get(7)?,
        currency: row.try_get(8)?,
        available_after: row.try_get(9)?,
        at: row.try_get(10)?,
        position: row.try_get(11)?,
    }))
}
