//! Whether every transaction can still be reported: its records are read back as a report would
//! read them. Rows must be taken page by page; there may be more of them than memory holds.

use crate::error::failed;
use crate::rows::{transaction_columns, transaction_row};
use ports::PortError;
use ports::audit::OFFENCES_MAX;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use storage_sql::audit::outcome::{self, Repeated};
use storage_sql::field_cipher::FieldCipher;

/// A page of rows after `?1`.
const PAGE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", t.service, t.currency, t.amount, t.price, t.cost, t.fee, t.vat, t.levy
    FROM transactions AS t WHERE t.id > ?1 ORDER BY t.id LIMIT 500"
);

/// The transactions that cannot be read back, or whose columns say otherwise than their records.
pub(super) async fn unreadable(
    snapshot: &mut SqliteConnection,
    cipher: &FieldCipher,
) -> Result<Vec<String>, PortError> {
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
            offences.extend(offence(row, cipher)?);
        }
        if page.is_empty() {
            break;
        }
    }
    Ok(offences)
}

fn offence(row: &SqliteRow, cipher: &FieldCipher) -> Result<Option<String>, PortError> {
    let read = || {
        let stored = transaction_row(row, 0)?;
        let columns = Repeated {
            service: row.try_get(15)?,
            currency: row.try_get(16)?,
            sums: [
                row.try_get(17)?,
                row.try_get(18)?,
                row.try_get(19)?,
                row.try_get(20)?,
                row.try_get(21)?,
                row.try_get(22)?,
            ],
        };
        Ok((stored, columns))
    };
    let (stored, columns) = read().map_err(failed("read a transaction"))?;
    Ok(outcome::unreadable(&stored.opened(cipher), &columns))
}
