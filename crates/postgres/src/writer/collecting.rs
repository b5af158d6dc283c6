//! Reading and writing payments to collections in the step that credits them. The wallets must be
//! locked before: what is read here is what the writers before left.

use crate::collections::{collected_columns, collected_row};
use crate::error::{PART, failed, refused};
use domain::collection::{BankSession, CollectedPayment, CollectionSource};
use ports::PortError;
use sqlx::postgres::PgConnection;
use std::collections::BTreeSet;
use storage_sql::group_commit::CommitError;
use storage_sql::record::CollectedRow;

/// The payments of some sessions.
pub(crate) const SESSIONS: &str = concat!(
    "SELECT ",
    collected_columns!(),
    " FROM unnest($1::text[], $2::text[]) AS wanted (source, session)
    JOIN collected_payments AS p ON p.source = ANY (ARRAY[wanted.source])
        AND p.session = wanted.session"
);

/// The same session may be reported of two accounts at once: then one of them is written.
pub(crate) const COLLECT: &str = "
    INSERT INTO collected_payments (
        account, number, collection, reference, source, session, amount, currency, charge, vat,
        payer_name, payer_bank, payer_account, paid_at, at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    ON CONFLICT DO NOTHING";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 2] = [COLLECT, SESSIONS];

/// Reads the payments of sessions. Few batches have any.
pub(super) async fn read(
    connection: &mut PgConnection,
    sessions: &BTreeSet<(CollectionSource, &BankSession)>,
) -> Result<Vec<CollectedRow>, CommitError> {
    if sessions.is_empty() {
        return Ok(Vec::new());
    }
    let names = sessions.iter();
    let (sources, sessions): (Vec<&str>, Vec<&str>) = names
        .map(|(source, session)| (source.code(), session.as_str()))
        .unzip();
    let query = sqlx::query(SESSIONS).bind(sources).bind(sessions);
    let found = query.fetch_all(connection).await;
    let found = found.map_err(refused("read the payments of sessions"))?;
    let rows: Result<Vec<_>, _> = found.iter().map(collected_row).collect();
    let rows = rows.map_err(failed("read a payment to a collection"));
    rows.map_err(CommitError::Refused)
}

/// Writes payments, where there are any.
pub(super) async fn write(
    connection: &mut PgConnection,
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
        if written.rows_affected() != 1 {
            let what = "another writer has recorded the session or the number of a payment";
            return Err(CommitError::Conflict(PortError::new(PART, what)));
        }
    }
    Ok(())
}
