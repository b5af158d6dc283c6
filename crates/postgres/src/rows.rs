//! Rows of the database as rows of the shared records, by position. The columns and their positions
//! must be read side by side.

use crate::error::failed;
use domain::ledger::Wallet;
use domain::reference::TransactionNumber;
use domain::transaction::Transaction;
use ports::PortError;
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::record::{AccountRow, BatchRow, TransactionRow};
use storage_sql::row_macs::RowAuthenticity;

/// The columns of [`transaction`], of a table or alias `t`.
macro_rules! transaction_columns {
    () => {
        "t.number, t.account, t.reference, t.idempotency_key, t.request_fingerprint, \
        t.provider, t.state, \
         t.purchase, t.progress, t.version, t.sequence, t.opened_at, t.updated_at, \
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
pub(crate) fn batch_row(row: &PgRow, first: usize) -> Result<BatchRow, sqlx::Error> {
    Ok(BatchRow {
        account: row.try_get(first)?,
        number: row.try_get(first + 1)?,
        reference: row.try_get(first + 2)?,
        idempotency_key: row.try_get(first + 3)?,
        request_fingerprint: row.try_get(first + 4)?,
        kind: row.try_get(first + 5)?,
        on_failure: row.try_get(first + 6)?,
        payments: i64::from(row.try_get::<i32, _>(first + 7)?),
        currency: row.try_get(first + 8)?,
        total: row.try_get(first + 9)?,
        price: row.try_get(first + 10)?,
        opened_at: row.try_get(first + 11)?,
    })
}

/// A number as the database keeps it; it is below 2^53, so nothing is lost.
pub(crate) fn key(number: TransactionNumber) -> i64 {
    bigint(number.get())
}

/// A count or number of ours; all stay far below the limit of the column.
pub(crate) fn bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The same in a narrower column.
pub(crate) fn integer(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// How many columns those are.
pub(crate) const TRANSACTION_COLUMNS: usize = 16;

/// The columns, from column `first` on.
pub(crate) fn transaction_row(row: &PgRow, first: usize) -> Result<TransactionRow, sqlx::Error> {
    Ok(TransactionRow {
        id: 0,
        number: row.try_get(first)?,
        account: row.try_get(first + 1)?,
        reference: row.try_get(first + 2)?,
        idempotency_key: row.try_get(first + 3)?,
        request_fingerprint: row.try_get(first + 4)?,
        provider: row.try_get(first + 5)?,
        state: row.try_get(first + 6)?,
        purchase: row.try_get(first + 7)?,
        progress: row.try_get(first + 8)?,
        version: i64::from(row.try_get::<i32, _>(first + 9)?),
        sequence: i64::from(row.try_get::<i32, _>(first + 10)?),
        opened_at: row.try_get(first + 11)?,
        updated_at: row.try_get(first + 12)?,
        token: row.try_get(first + 13)?,
        purchase_mac: row.try_get(first + 14)?,
        progress_mac: row.try_get(first + 15)?,
        authenticity: RowAuthenticity::Unchecked,
    })
}

/// The stored form of a transaction in a row that begins with its columns.
pub(crate) fn stored(row: &PgRow) -> Result<TransactionRow, PortError> {
    transaction_row(row, 0).map_err(failed("read a transaction"))
}

/// The transaction in a row that begins with its columns.
pub(crate) fn transaction(row: &PgRow, cipher: &FieldCipher) -> Result<Transaction, PortError> {
    stored(row)?.opened(cipher).restore()
}

/// The same, to be acted on: one that was altered is refused.
pub(crate) fn authentic_transaction(
    row: &PgRow,
    cipher: &FieldCipher,
) -> Result<Transaction, PortError> {
    stored(row)?.authenticated(cipher).restore()
}

/// The wallet in a row that has identity, status, currency and balances from column `first` on.
pub(crate) fn wallet(row: &PgRow, first: usize) -> Result<Wallet, PortError> {
    let read = || {
        Ok(AccountRow {
            id: row.try_get(first)?,
            status: row.try_get(first + 1)?,
            currency: row.try_get(first + 2)?,
            available: row.try_get(first + 3)?,
            held: row.try_get(first + 4)?,
            low_balance_threshold: row.try_get(first + 5)?,
            counted_from: row.try_get(first + 6)?,
            spent: row.try_get(first + 7)?,
            ..AccountRow::default()
        })
    };
    let stored = read().map_err(failed("read a wallet"))?;
    let unreadable = |error| {
        let what = format!("the wallet of {} cannot be read", stored.id);
        PortError::caused(crate::error::PART, what, error)
    };
    stored.wallet().map_err(unreadable)
}

/// The wallet with its authentication code in a row that begins with the columns of both.
pub(crate) fn wallet_row(row: &PgRow) -> Result<AccountRow, PortError> {
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
