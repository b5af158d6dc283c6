//! Writing invoices: what opens one gives it its number and makes its collection in the same step.
//! The account must be locked before its last number is read, so that no other writer gives the
//! next.

use super::PostgresWriter;
use super::collecting::insert;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{failed, wrote};
use crate::invoices::{
    CHANGE, CLOSE, INSERT, IS_PAID, LAST_NUMBER, OBSTACLES, OBSTACLES_TO_OPENING,
};
use domain::invoice::{Invoice, OpenedInvoice};
use ports::PortError;
use ports::invoices::{InvoiceOpening, InvoiceWrite};
use sqlx::postgres::PgConnection;
use storage_sql::record::{
    CollectionRow, InvoiceObstacles, InvoiceOpeningObstacles, InvoiceRow, invoice_obstacle,
    invoice_opening_obstacle, opened_after,
};

impl PostgresWriter {
    pub(crate) async fn create_invoice(
        &mut self,
        draft: Invoice,
        opening: Option<InvoiceOpening>,
    ) -> Result<InvoiceWrite, PortError> {
        let row = InvoiceRow::of(&draft);
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(&row.account)
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found: InvoiceObstacles = sqlx::query_as(OBSTACLES)
            .bind(&row.account)
            .bind(row.id)
            .bind(&row.reference)
            .bind(opening.as_ref().map(|it| it.payable.as_str()))
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for an invoice"))?;
        if let Some(obstacle) = invoice_obstacle(found) {
            return Ok(obstacle);
        }
        let created = match opening {
            None => draft,
            Some(opening) => draft.created_open(given(&mut step, &draft, opening).await?),
        };
        write(&mut step, &created).await?;
        if !billed(&mut step, &created).await? {
            return Ok(InvoiceWrite::NumberTaken);
        }
        step.commit().await.map_err(failed("commit an invoice"))?;
        Ok(InvoiceWrite::Done(Box::new(created)))
    }

    pub(crate) async fn open_invoice(
        &mut self,
        draft: Invoice,
        opening: InvoiceOpening,
    ) -> Result<InvoiceWrite, PortError> {
        let row = InvoiceRow::of(&draft);
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(&row.account)
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found: InvoiceOpeningObstacles = sqlx::query_as(OBSTACLES_TO_OPENING)
            .bind(&row.account)
            .bind(row.id)
            .bind(&row.reference)
            .bind(opening.payable.as_str())
            .bind(row.version)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for what keeps an invoice from being opened"))?;
        if let Some(obstacle) = invoice_opening_obstacle(found) {
            return Ok(obstacle);
        }
        let opened = draft.opened(given(&mut step, &draft, opening).await?);
        if !changed(&mut step, &opened).await? {
            return Ok(InvoiceWrite::Conflict);
        }
        if !billed(&mut step, &opened).await? {
            return Ok(InvoiceWrite::NumberTaken);
        }
        step.commit()
            .await
            .map_err(failed("commit an opened invoice"))?;
        Ok(InvoiceWrite::Done(Box::new(opened)))
    }

    pub(crate) async fn void_invoice(
        &mut self,
        invoice: Invoice,
    ) -> Result<InvoiceWrite, PortError> {
        let row = InvoiceRow::of(&invoice);
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(&row.account)
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let is_paid: bool = sqlx::query_scalar(IS_PAID)
            .bind(&row.account)
            .bind(row.id)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for payments of an invoice"))?;
        if is_paid && row.serial.is_some() {
            return Ok(InvoiceWrite::Paid);
        }
        let voided = invoice.voided();
        if !changed(&mut step, &voided).await? {
            return Ok(InvoiceWrite::Conflict);
        }
        if row.serial.is_some() {
            let closed = sqlx::query(CLOSE)
                .bind(&row.account)
                .bind(row.id)
                .execute(&mut *step)
                .await
                .map_err(failed("close the collection of an invoice"))?;
            wrote(
                closed.rows_affected(),
                1,
                "close the collection of an invoice",
            )?;
        }
        step.commit()
            .await
            .map_err(failed("commit a void invoice"))?;
        Ok(InvoiceWrite::Done(Box::new(voided)))
    }
}

/// What an invoice is opened with, after the last one of its account.
async fn given(
    connection: &mut PgConnection,
    draft: &Invoice,
    opening: InvoiceOpening,
) -> Result<OpenedInvoice, PortError> {
    let last: Option<(i64, i64)> = sqlx::query_as(LAST_NUMBER)
        .bind(draft.account.as_str())
        .fetch_optional(connection)
        .await
        .map_err(failed("read the last number of an invoice"))?;
    opened_after(last, opening)
}

async fn write(connection: &mut PgConnection, invoice: &Invoice) -> Result<(), PortError> {
    let row = InvoiceRow::of(invoice);
    let written = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(row.id)
        .bind(&row.reference)
        .bind(&row.customer)
        .bind(&row.email)
        .bind(&row.phone)
        .bind(&row.items)
        .bind(row.total)
        .bind(row.vat)
        .bind(&row.currency)
        .bind(row.due_at)
        .bind(&row.stage)
        .bind(row.serial)
        .bind(row.opened_at)
        .bind(row.version)
        .bind(row.created_at)
        .execute(connection)
        .await
        .map_err(failed("insert an invoice"))?;
    wrote(written.rows_affected(), 1, "insert an invoice")
}

/// Writes how far an invoice has come; `false` where it has another version.
async fn changed(connection: &mut PgConnection, invoice: &Invoice) -> Result<bool, PortError> {
    let row = InvoiceRow::of(invoice);
    let changed = sqlx::query(CHANGE)
        .bind(&row.account)
        .bind(row.id)
        .bind(&row.stage)
        .bind(row.serial)
        .bind(row.opened_at)
        .bind(row.version)
        .execute(connection)
        .await
        .map_err(failed("change an invoice"))?;
    Ok(changed.rows_affected() == 1)
}

/// Makes the collection of an invoice, where it has one; `false` where what its payer would name is
/// in use.
async fn billed(connection: &mut PgConnection, invoice: &Invoice) -> Result<bool, PortError> {
    match invoice.bill() {
        None => Ok(true),
        Some(bill) => insert(connection, &CollectionRow::of(&bill)).await,
    }
}
