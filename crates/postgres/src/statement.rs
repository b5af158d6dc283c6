//! Pages of a statement. Lines are numbered per wallet, so a page is a range of numbers: it must
//! cost the same at the beginning and far inside.

use crate::connection::StatementAnswer;
use crate::error::failed;
use domain::account::AccountId;
use domain::statement::{Direction, Sort, StatementQuery};
use ports::PortError;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use storage_sql::record::{LineRow, direction_code};
use storage_sql::statement::{FoundPage, offset};

/// What a line is read from; a funding has no transaction.
macro_rules! line_columns {
    () => {
        "w.debits, w.credits, f.id, t.number, t.reference, f.direction, f.narration, f.amount, \
         f.currency, f.available_after, f.at, f.position"
    };
}

/// Lines `$3 + 1` to `$3 + $4` of the wallet in currency `$2`, counted from the newest where `$5`
/// is true. The counters come with them, from the same moment; without any line there is one row
/// with the counters alone. The lines are asked for in their order, so that a plan for tables that
/// were empty takes the index which has them so.
pub(crate) const LINES: &str = concat!(
    "SELECT ",
    line_columns!(),
    " FROM wallets AS w
    LEFT JOIN LATERAL (
        SELECT * FROM transfers AS l
        WHERE l.account = $1 COLLATE \"POSIX\" AND l.currency = $2 AND l.position IS NOT NULL
            AND l.position > CASE WHEN $5 THEN w.debits + w.credits - $3 - $4 ELSE $3 END
            AND l.position <= CASE WHEN $5 THEN w.debits + w.credits - $3 ELSE $3 + $4 END
        ORDER BY l.position LIMIT $4
    ) AS f ON true
    LEFT JOIN transactions AS t ON t.account = ANY (ARRAY[f.account])
        AND t.number = f.transaction
    WHERE w.account = $1 AND w.currency = $2
    ORDER BY f.position"
);

/// The same of one direction alone, whose counter is named; `$6` is the word of the direction.
macro_rules! lines_of {
    ($counter:literal) => {
        concat!(
            "SELECT ",
            line_columns!(),
            " FROM wallets AS w
            LEFT JOIN LATERAL (
                SELECT * FROM transfers AS l
                WHERE l.account = $1 COLLATE ucs_basic AND l.currency = $2
                    AND l.position IS NOT NULL AND l.direction = $6
                    AND l.nth > CASE WHEN $5 THEN w.",
            $counter,
            " - $3 - $4 ELSE $3 END
                    AND l.nth <= CASE WHEN $5 THEN w.",
            $counter,
            " - $3 ELSE $3 + $4 END
                ORDER BY l.nth LIMIT $4
            ) AS f ON true
            LEFT JOIN transactions AS t ON t.account = ANY (ARRAY[f.account])
                AND t.number = f.transaction
            WHERE w.account = $1 AND w.currency = $2
            ORDER BY f.nth"
        )
    };
}

pub(crate) const DEBITS: &str = lines_of!("debits");

pub(crate) const CREDITS: &str = lines_of!("credits");

/// All lines of the transaction with reference `$3` in currency `$2`: three at most.
pub(crate) const OF_TRANSACTION: &str = concat!(
    "SELECT ",
    line_columns!(),
    " FROM wallets AS w
    LEFT JOIN transactions AS t ON t.account = $1 COLLATE \"POSIX\" AND t.reference = $3
    LEFT JOIN LATERAL (
        SELECT * FROM transfers AS l
        WHERE l.account = t.account AND l.transaction = t.number
            AND l.currency = $2 AND l.position IS NOT NULL
        ORDER BY l.step, l.part
    ) AS f ON true
    WHERE w.account = $1 AND w.currency = $2
    ORDER BY f.id"
);

/// What there is for a page; an unknown account has nothing.
pub(crate) async fn found(
    reads: &mut PgConnection,
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
    reads: &mut PgConnection,
    account: &AccountId,
    query: &StatementQuery,
) -> Result<Vec<PgRow>, sqlx::Error> {
    let currency = query.currency.code();
    if let Some(reference) = &query.reference {
        return sqlx::query(OF_TRANSACTION)
            .bind(account.as_str())
            .bind(currency)
            .bind(reference.as_str())
            .fetch_all(reads)
            .in_time()
            .await;
    }
    let lines = match query.direction {
        None => LINES,
        Some(Direction::Debit) => DEBITS,
        Some(Direction::Credit) => CREDITS,
    };
    let page = sqlx::query(lines)
        .bind(account.as_str())
        .bind(currency)
        .bind(offset(query))
        .bind(i64::from(query.length))
        .bind(query.sort == Sort::Descending);
    match query.direction {
        None => page.fetch_all(reads).in_time().await,
        Some(direction) => {
            page.bind(direction_code(direction))
                .fetch_all(reads)
                .in_time()
                .await
        }
    }
}

/// The line in a row; none in the row that has the counters alone.
fn line(row: &PgRow) -> Result<Option<LineRow>, sqlx::Error> {
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
