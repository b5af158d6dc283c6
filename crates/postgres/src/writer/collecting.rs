//! Writing collections, and payments to them in the step that credits them. The wallets must be
//! locked before a payment is read: what is read is what the writers before left.

use super::PostgresWriter;
use crate::collections::{CHANGE, INSERT, OBSTACLES, collected_columns, collected_row};
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{PART, failed, refused};
use domain::collection::{BankSession, CollectedPayment, Collection, CollectionSource};
use ports::PortError;
use ports::collections::{CollectionChange, CollectionCreation};
use sqlx::postgres::PgConnection;
use std::collections::BTreeSet;
use storage_sql::group_commit::CommitError;
use storage_sql::record::{CollectedRow, CollectionObstacles, CollectionRow, collection_obstacle};

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

/// Inserts a collection; `false` where what payers type is in use. It is one number for all
/// accounts: another account may have taken it now.
pub(super) async fn insert(
    connection: &mut PgConnection,
    row: &CollectionRow,
) -> Result<bool, PortError> {
    let inserted = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(row.number)
        .bind(&row.reference)
        .bind(&row.kind)
        .bind(&row.payee)
        .bind(&row.payer)
        .bind(row.amount)
        .bind(&row.currency)
        .bind(row.expires_at)
        .bind(&row.admission)
        .bind(i32::try_from(row.version).unwrap_or(i32::MAX))
        .bind(row.created_at)
        .bind(&row.bank)
        .bind(&row.email)
        .bind(&row.phone)
        .bind(&row.register)
        .bind(&row.identity)
        .bind(row.single)
        .bind(&row.purpose)
        .bind(row.in_parts)
        .bind(&row.redirect)
        .bind(&row.items)
        .execute(connection)
        .await
        .map_err(failed("insert a collection"))?;
    Ok(inserted.rows_affected() == 1)
}

impl PostgresWriter {
    pub(crate) async fn create_collection(
        &mut self,
        collection: Collection,
    ) -> Result<CollectionCreation, PortError> {
        let row = CollectionRow::of(&collection);
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(&row.account)
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found: CollectionObstacles = sqlx::query_as(OBSTACLES)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.reference)
            .bind(&row.payee)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a collection"))?;
        if let Some(obstacle) = collection_obstacle(found, &collection) {
            return Ok(obstacle);
        }
        if !insert(&mut step, &row).await? {
            return Ok(CollectionCreation::NumberTaken);
        }
        step.commit().await.map_err(failed("commit a collection"))?;
        Ok(CollectionCreation::Done)
    }

    pub(crate) async fn change_collection(
        &mut self,
        collection: Collection,
    ) -> Result<CollectionChange, PortError> {
        let row = CollectionRow::of(&collection);
        let mut step = self.step().await?;
        let changed = sqlx::query(CHANGE)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.admission)
            .bind(i32::try_from(row.version).unwrap_or(i32::MAX))
            .execute(&mut *step)
            .await
            .map_err(failed("change a collection"))?;
        if changed.rows_affected() == 0 {
            return Ok(CollectionChange::Conflict);
        }
        step.commit().await.map_err(failed("commit a collection"))?;
        Ok(CollectionChange::Done)
    }
}
