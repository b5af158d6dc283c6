//! Reading and writing payments to collections in the step that credits them. It must run inside
//! that step, which shuts out every other writer.

use crate::collections::{collected_columns, collected_row};
use crate::error::{failed, refused, wrote};
use crate::rows::json;
use domain::collection::{BankSession, CollectedPayment, CollectionSource};
use ports::PortError;
use sqlx::sqlite::SqliteConnection;
use std::collections::BTreeSet;
use storage_sql::group_commit::CommitError;
use storage_sql::record::CollectedRow;

/// The payments of some sessions.
pub(crate) const SESSIONS: &str = concat!(
    "SELECT ",
    collected_columns!(),
    " FROM json_each(?) AS wanted
    CROSS JOIN collected_payments AS p
        ON p.source = wanted.value ->> 0 AND p.session = wanted.value ->> 1"
);

pub(crate) const COLLECT: &str = "
    INSERT INTO collected_payments (
        account, number, collection, reference, source, session, amount, currency, charge, vat,
        payer_name, payer_bank, payer_account, paid_at, at
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";

/// Reads the payments of sessions. Few batches have any.
pub(super) async fn read(
    connection: &mut SqliteConnection,
    sessions: &BTreeSet<(CollectionSource, &BankSession)>,
) -> Result<Vec<CollectedRow>, PortError> {
    if sessions.is_empty() {
        return Ok(Vec::new());
    }
    let names = sessions.iter();
    let names: Vec<_> = names
        .map(|(source, session)| (source.code(), session.as_str()))
        .collect();
    let found = sqlx::query(SESSIONS)
        .bind(json(&names)?)
        .fetch_all(connection)
        .await
        .map_err(failed("read the payments of sessions"))?;
    let rows: Result<Vec<_>, _> = found.iter().map(collected_row).collect();
    rows.map_err(failed("read a payment to a collection"))
}

/// Writes payments, where there are any.
pub(super) async fn write(
    connection: &mut SqliteConnection,
    payments: &[&CollectedPayment],
) -> Result<(), CommitError> {
    for payment in payments {
        let row = CollectedRow::of(payment);
        let written = sqlx::query(COLLECT)
            .bind(&row.account)
            .bind(row.number)
            .bind(row.collection)
            .bind(&row.reference)
            .bind(&row.source)
            .bind(&row.session)
            .bind(row.amount)
            .bind(&row.currency)
            .bind(row.charge)
            .bind(row.vat)
            .bind(&row.payer_name)
            .bind(&row.payer_bank)
            .bind(&row.payer_account)
            .bind(row.paid_at)
            .bind(row.at)
            .execute(&mut *connection)
            .await
            .map_err(refused("write a payment to a collection"))?;
        wrote(
            written.rows_affected(),
            1,
            "write a payment to a collection",
        )
        .map_err(CommitError::Refused)?;
    }
    Ok(())
}
