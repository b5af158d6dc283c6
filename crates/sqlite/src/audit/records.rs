//! Whether every transaction can still be reported: its records are read back as a report would
//! read them. Rows must be taken page by page; there may be more of them than memory holds.

use crate::error::failed;
use crate::rows::{transaction_columns, transaction_row};
use domain::money::Money;
use ports::PortError;
use ports::audit::OFFENCES_MAX;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use std::error::Error;

/// A page of rows after `?1`.
const PAGE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", t.service, t.currency, t.amount, t.price, t.cost, t.fee, t.vat, t.levy
    FROM transactions AS t WHERE t.id > ?1 ORDER BY t.id LIMIT 500"
);

/// The transactions that cannot be read back, or whose columns say otherwise than their records.
pub(super) async fn unreadable(snapshot: &mut SqliteConnection) -> Result<Vec<String>, PortError> {
    let mut offences = Vec::new();
    let mut after = 0;
    while offences.len() < OFFENCES_MAX {
        let page = sqlx::query(PAGE)
            .bind(after)
            .fetch_all(&mut *snapshot)
            .await;
        let page = page.map_err(failed("read the transactions"))?;
        for row in &page {
            after = row.try_get(0).map_err(failed("read a transaction"))?;
            offences.extend(offence(row)?);
        }
        if page.is_empty() {
            break;
        }
    }
    Ok(offences)
}

fn offence(row: &SqliteRow) -> Result<Option<String>, PortError> {
    let stored = transaction_row(row, 0).map_err(failed("read a transaction"))?;
    let tx = match stored.restore() {
        Ok(tx) => tx,
        Err(error) => {
            let cause = error.source().map(ToString::to_string).unwrap_or_default();
            return Ok(Some(format!("{}: {cause}", error.what)));
        }
    };
    let columns = || {
        let words: (String, String) = (row.try_get(14)?, row.try_get(15)?);
        let sums: [i64; 6] = [
            row.try_get(16)?,
            row.try_get(17)?,
            row.try_get(18)?,
            row.try_get(19)?,
            row.try_get(20)?,
            row.try_get(21)?,
        ];
        Ok((words, sums))
    };
    let ((service, currency), sums) = columns().map_err(failed("read a transaction"))?;
    let quote = &tx.quote;
    let quoted = [
        quote.amount,
        quote.price,
        quote.cost,
        quote.fee,
        quote.vat,
        quote.levy,
    ];
    let quoted = quoted.map(Money::minor);
    let alike = service == tx.order.service().code()
        && currency == quote.price.currency().code()
        && sums == quoted;
    let say = || {
        format!(
            "transaction {}: its columns differ from its records",
            tx.number
        )
    };
    Ok((!alike).then(say))
}
