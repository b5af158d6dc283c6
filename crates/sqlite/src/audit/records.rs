//! Whether every transaction can still be reported: its records are read back as a report would
//! read them. Rows must be taken page by page; there may be more of them than memory holds.

use crate::error::failed;
use crate::row_codes::WALLETS;
use crate::rows::{TRANSACTION_COLUMNS, transaction_columns, transaction_row, wallet_row};
use ports::PortError;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use storage_sql::audit::outcome::{BookedCosts, RecordFindings, Repeated};
use storage_sql::field_cipher::FieldCipher;

/// A page of rows after `?1`.
const PAGE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", t.service, t.currency, t.amount, t.price, t.cost, t.fee, t.vat, t.levy,
    coalesce((
        SELECT sum(CASE WHEN f.credit_holder = t.provider THEN f.amount
            WHEN f.debit_holder = t.provider THEN -f.amount ELSE 0 END)
        FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind = 'cost_difference'
    ), 0),
    coalesce((
        SELECT sum(CASE f.credit_kind WHEN 'float' THEN f.amount ELSE -f.amount END)
        FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind = 'cost_difference'
    ), 0),
    coalesce((
        SELECT sum(f.amount)
        FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind = 'transfer_in'
    ), 0),
    coalesce((
        SELECT sum(CASE f.credit_kind WHEN 'float' THEN -f.amount ELSE f.amount END)
        FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind = 'margin'
    ), 0),
    coalesce((
        SELECT sum(f.amount)
        FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind = 'unused'
    ), 0),
    (SELECT c.account FROM user_credits AS c WHERE c.transaction_id = t.id),
    (SELECT q.claim_email FROM queue AS q WHERE q.transaction_id = t.id),
    (SELECT q.claim_phone FROM queue AS q WHERE q.transaction_id = t.id)
    FROM transactions AS t WHERE t.id > ?1 ORDER BY t.id LIMIT 500"
);

/// What the records of all transactions say.
pub(super) async fn read(
    snapshot: &mut SqliteConnection,
    cipher: &FieldCipher,
) -> Result<RecordFindings, PortError> {
    let mut findings = RecordFindings::default();
    let mut after = 0;
    while !findings.is_full() {
        let page = sqlx::query(PAGE)
            .bind(after)
            .fetch_all(&mut *snapshot)
            .await;
        let page = page.map_err(failed("read the transactions"))?;
        for row in &page {
            after = row.try_get(0).map_err(failed("read a transaction"))?;
            take_in(&mut findings, row, cipher)?;
        }
        if page.is_empty() {
            break;
        }
    }
    let wallets = sqlx::query(WALLETS).fetch_all(snapshot).await;
    for row in &wallets.map_err(failed("read the wallets"))? {
        findings.authenticate_wallet(&wallet_row(row)?, cipher.macs());
    }
    Ok(findings)
}

fn take_in(
    findings: &mut RecordFindings,
    row: &SqliteRow,
    cipher: &FieldCipher,
) -> Result<(), PortError> {
    let read = || {
        let stored = transaction_row(row, 0)?;
        let columns = Repeated {
            service: row.try_get(TRANSACTION_COLUMNS)?,
            currency: row.try_get(TRANSACTION_COLUMNS + 1)?,
            sums: [
                row.try_get(TRANSACTION_COLUMNS + 2)?,
                row.try_get(TRANSACTION_COLUMNS + 3)?,
                row.try_get(TRANSACTION_COLUMNS + 4)?,
                row.try_get(TRANSACTION_COLUMNS + 5)?,
                row.try_get(TRANSACTION_COLUMNS + 6)?,
                row.try_get(TRANSACTION_COLUMNS + 7)?,
            ],
            payee: row.try_get(TRANSACTION_COLUMNS + 13)?,
            claim: (
                row.try_get(TRANSACTION_COLUMNS + 14)?,
                row.try_get(TRANSACTION_COLUMNS + 15)?,
            ),
        };
        let booked = BookedCosts {
            first: row.try_get(TRANSACTION_COLUMNS + 8)?,
            all: row.try_get(TRANSACTION_COLUMNS + 9)?,
            arrived: row.try_get(TRANSACTION_COLUMNS + 10)?,
            margin: row.try_get(TRANSACTION_COLUMNS + 11)?,
            unused: row.try_get(TRANSACTION_COLUMNS + 12)?,
        };
        Ok((stored, columns, booked))
    };
    let (stored, columns, booked) = read().map_err(failed("read a transaction"))?;
    findings.authenticate(&stored, cipher.macs());
    findings.take_in(&stored.opened(cipher), &columns, booked);
    Ok(())
}
