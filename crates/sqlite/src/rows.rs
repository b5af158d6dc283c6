//! Rows of the database as rows of the shared records, by position. The columns and their positions
//! must be read side by side.

use crate::error::{PART, failed};
use domain::transaction::Transaction;
use ports::PortError;
use serde::Serialize;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::record::{AccountRow, BatchRow, TransactionRow};
use storage_sql::row_macs::RowAuthenticity;

/// The columns of [`transaction`], of a table or alias `t`.
macro_rules! transaction_columns {
    () => {
        "t.id, t.number, t.account, t.reference, t.idempotency_key, t.request_fingerprint, \
        t.provider, \
         t.state, t.purchase, t.progress, t.version, t.sequence, t.opened_at, t.updated_at, \
         t.token, t.purchase_mac, t.progress_mac"
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
pub(crate) const TRANSACTION_COLUMNS: usize = 17;

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
        purchase_mac: row.try_get(first + 15)?,
        progress_mac: row.try_get(first + 16)?,
        authenticity: RowAuthenticity::Unchecked,
    })
}

pub(crate) fn transaction(row: &SqliteRow, cipher: &FieldCipher) -> Result<Transaction, PortError> {
    transaction_row(row, 0)
        .map_err(failed("read a transaction"))?
        .opened(cipher)
        .restore()
}

/// The same, to be acted on: one that was altered is refused.
pub(crate) fn authentic_transaction(
    row: &SqliteRow,
    cipher: &FieldCipher,
) -> Result<Transaction, PortError> {
    transaction_row(row, 0)
        .map_err(failed("read a transaction"))?
        .authenticated(cipher)
        .restore()
}

/// Rows as the one JSON parameter that a statement takes apart again.
pub(crate) fn json<T: Serialize + ?Sized>(rows: &T) -> Result<String, PortError> {
    serde_json::to_string(rows).map_err(|error| PortError::caused(PART, "encode rows", error))
}

/// The wallet with its authentication code in a row that begins with the columns of both.
pub(crate) fn wallet_row(row: &SqliteRow) -> Result<AccountRow, PortError> {
    let read = || {
        Ok(AccountRow {
            id: row.try_get(0)?,
            environment: row.try_get(1)?,
            currency: row.try_get(2)?,
            available: row.try_get(3)?,
            held: row.try_get(4)?,
            debits: row.try_get(5)?,
            credits: row.try_get(6)?,
            counted_from: row.try_get(7)?,
            spent: row.try_get(8)?,
            frozen: row.try_get(9)?,
            mac: row.try_get(10)?,
            ..AccountRow::default()
        })
    };
    read().map_err(failed("read a wallet with its code"))
}
