//! Whether every transaction can still be reported: its records are read back as a report would
//! read them. Rows must be taken page by page; there may be more of them than memory holds.

use crate::error::failed;
use crate::rows::{TRANSACTION_COLUMNS, stored, transaction_columns};
use ports::PortError;
use ports::audit::OFFENCES_MAX;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use storage_sql::audit::outcome::{self, Repeated};
use storage_sql::field_cipher::FieldCipher;

/// A page of rows after account `$1` and number `$2`.
const PAGE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", t.service, t.currency, t.amount, t.price, t.cost, t.fee, t.vat, t.levy
    FROM public.transactions AS t WHERE (t.account, t.number) > ($1, $2)
    ORDER BY t.account, t.number LIMIT 500"
);

/// The transactions that cannot be read back, or whose columns say otherwise than their records.
pub(super) async fn unreadable(
    snapshot: &mut PgConnection,
    cipher: &FieldCipher,
) -> Result<Vec<String>, PortError> {
    let mut offences = Vec::new();
    let mut after = (String::new(), 0_i64);
    while offences.len() < OFFENCES_MAX {
        let page = sqlx::query(PAGE)
            .bind(&after.0)
            .bind(after.1)
            .fetch_all(&mut *snapshot)
            .await;
        let page = page.map_err(failed("read the transactions"))?;
        for row in &page {
            let row_stored = stored(row)?.opened(cipher);
            offences.extend(outcome::unreadable(&row_stored, &repeated(row)?));
            after = (row_stored.account, row_stored.number);
        }
        if page.is_empty() {
            break;
        }
    }
    Ok(offences)
}

fn repeated(row: &PgRow) -> Result<Repeated, PortError> {
    let at = |offset: usize| TRANSACTION_COLUMNS + offset;
    let read = || {
        Ok(Repeated {
            service: row.try_get(at(0))?,
            currency: row.try_get(at(1))?,
            sums: [
                row.try_get(at(2))?,
                row.try_get(at(3))?,
                row.try_get(at(4))?,
                row.try_get(at(5))?,
                row.try_get(at(6))?,
                row.try_get(at(7))?,
            ],
        })
    };
    read().map_err(failed("read a transaction"))
}
