//! Writing collections, and payments to them in the step that credits them. Each must run inside a
//! step, which shuts out every other writer.

use super::SqliteWriter;
use crate::collections::{CHANGE, INSERT, OBSTACLES, collected_columns, collected_row};
use crate::error::{failed, refused, wrote};
use crate::rows::json;
use domain::collection::{BankSession, CollectedPayment, Collection, CollectionSource};
use ports::PortError;
use ports::collections::{CollectionChange, CollectionCreation};
use sqlx::sqlite::SqliteConnection;
use std::collections::BTreeSet;
use storage_sql::group_commit::CommitError;
use storage_sql::record::{CollectedRow, CollectionObstacles, CollectionRow, collection_obstacle};

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

/// Inserts a collection; `false` where what payers type is in use; here it was looked for before.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
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
        .bind(row.version)
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
    wrote(inserted.rows_affected(), 1, "insert a collection")?;
    Ok(true)
}

impl SqliteWriter {
    pub(crate) async fn create_collection(
        &mut self,
        collection: Collection,
    ) -> Result<CollectionCreation, PortError> {
        let row = CollectionRow::of(&collection);
        let mut step = self.step().await?;
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
            .bind(row.version)
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
