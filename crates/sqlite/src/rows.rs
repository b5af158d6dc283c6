//! Rows of the database as rows of the shared records, by position. The columns and their positions
//! must be read side by side.

use crate::error::{PART, failed};
use domain::transaction::Transaction;
use ports::PortError;
use serde::Serialize;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::record::{BatchRow, TransactionRow};

/// The columns of [`transaction`], of a table or alias `t`.
macro_rules! transaction_columns {
    () => {
        "t.id, t.number, t.account, t.reference, t.idempotency_key, t.request_fingerprint, \
        t.provider, \
         t.state, t.purchase, t.progress, t.version, t.sequence, t.opened_at, t.updated_at, t.token"
    };
}
pub(crate) use transaction_columns;

/// The columns of a batch, in the order that [`batch_row`] reads them.
macro_rules! batch_columns {
    () => {
        "b.account, b.number, b.reference, b.idempotency_key, b.request_fingerprint, b.kind, \
         b.on_failure, b.payments, b.currency, b.total, b.price, b.opened_at"
    };
}
pub(crate) use batch_columns;

/// The columns, from column `first` on.
pub(crate) fn batch_row(row: &SqliteRow, first: usize) -> Result<BatchRow, sqlx::Error> {
    Ok(BatchRow {
        account: row.try_get(first)?,
        number: row.try_get(first + 1)?,
        reference: row.try_get(first + 2)?,
        idempotency_key: row.try_get(first + 3)?,
        request_fingerprint: row.try_get(first + 4)?,
        kind: row.try_get(first + 5)?,
        on_failure: row.try_get(first + 6)?,
        payments: row.try_get(first + 7)?,
        currency: row.try_get(first + 8)?,
        total: row.try_get(first + 9)?,
        price: row.try_get(first + 10)?,
        opened_at: row.try_get(first + 11)?,
    })
}

/// How many columns those are.
pub(crate) const TRANSACTION_COLUMNS: usize = 15;

/// The columns, from column `first` on.
pub(crate) fn transaction_row(
    row: &SqliteRow,
    first: usize,
) -> Result<TransactionRow, sqlx::Error> {
    Ok(TransactionRow {
        id: row.try_get(first)?,
        number: row.try_get(first + 1)?,
        account: row.try_get(first + 2)?,
        reference: row.try_get(first + 3)?,
        idempotency_key: row.try_get(first + 4)?,
        request_fingerprint: row.try_get(first + 5)?,
        provider: row.try_get(first + 6)?,
        state: row.try_get(first + 7)?,
        purchase: row.try_get(first + 8)?,
        progress: row.try_get(first + 9)?,
        version: row.try_get(first + 10)?,
        sequence: row.try_get(first + 11)?,
        opened_at: row.try_get(first + 12)?,
        updated_at: row.try_get(first + 13)?,
        token: row.try_get(first + 14)?,
    })
}

pub(crate) fn transaction(row: &SqliteRow, cipher: &FieldCipher) -> Result<Transaction, PortError> {
    transaction_row(row, 0)
        .map_err(failed("read a transaction"))?
        .opened(cipher)
        .restore()
}

/// Rows as the one JSON parameter that a statement takes apart again.
pub(crate) fn json<T: Serialize + ?Sized>(rows: &T) -> Result<String, PortError> {
    serde_json::to_string(rows).map_err(|error| PortError::caused(PART, "encode rows", error))
}
