//! Invoices of accounts. Invoices must be written through the writer of their account, so that
//! their numbers have no gap.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::rows::bigint;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::invoice::{Invoice, InvoiceState};
use ports::PortError;
use ports::batches::PageOf;
use ports::invoices::{InvoiceName, InvoiceOpening, InvoicePage, InvoiceWrite, Invoices};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::InvoiceRow;

/// The columns that [`invoice_row`] reads, each invoice with what its payer names and what was
/// paid.
macro_rules! invoices {
    () => {
        "SELECT i.account, i.number, i.reference, i.customer, i.email, i.phone, i.items, i.total,
            i.vat, i.currency, i.due_at, i.stage, i.serial, i.opened_at, i.version, i.created_at,
            (SELECT c.payee FROM collections AS c
                WHERE c.account = i.account AND c.number = i.number AND c.kind = 'bill'),
            (SELECT coalesce(sum(p.amount), 0)::bigint FROM collected_payments AS p
                WHERE p.account = i.account AND p.collection = i.number
                    AND i.serial IS NOT NULL)
        FROM invoices AS i"
    };
}

/// What stands in the way of an invoice: no such account, its number or the one that its payer
/// would name, its reference among invoices and among collections. One row.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        EXISTS (SELECT 1 FROM invoices WHERE account = $1 AND number = $2)
            OR EXISTS (SELECT 1 FROM collections WHERE account = $1 AND number = $2)
            OR EXISTS (SELECT 1 FROM collections WHERE payee = $4),
        EXISTS (SELECT 1 FROM invoices WHERE account = $1 AND reference = $3),
        EXISTS (SELECT 1 FROM collections WHERE account = $1 AND reference = $3)";

/// What stands in the way of opening one: another version, and what collections have. One row.
pub(crate) const OBSTACLES_TO_OPENING: &str = "
    SELECT
        NOT EXISTS (
            SELECT 1 FROM invoices WHERE account = $1 AND number = $2 AND version = $5
        ),
        EXISTS (SELECT 1 FROM collections WHERE account = $1 AND number = $2)
            OR EXISTS (SELECT 1 FROM collections WHERE payee = $4),
        EXISTS (SELECT 1 FROM collections WHERE account = $1 AND reference = $3)";

/// The last number that was given to an invoice of an account, and when.
pub(crate) const LAST_NUMBER: &str = "
    SELECT serial, opened_at FROM invoices WHERE account = $1 AND serial IS NOT NULL
    ORDER BY serial DESC LIMIT 1";

pub(crate) const INSERT: &str = "
    INSERT INTO invoices (
        account, number, reference, customer, email, phone, items, total, vat, currency, due_at,
        stage, serial, opened_at, version, created_at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

/// Opens or voids.
pub(crate) const CHANGE: &str = "
    UPDATE invoices SET stage = $3, serial = $4, opened_at = $5, version = $6
    WHERE account = $1 AND number = $2 AND version = $6 - 1";

/// Whether something was paid to the collection of an invoice.
pub(crate) const IS_PAID: &str = "
    SELECT EXISTS (SELECT 1 FROM collected_payments WHERE account = $1 AND collection = $2)";

/// Closes the collection of an invoice.
pub(crate) const CLOSE: &str = "
    UPDATE collections SET admission = 'closed', version = version + 1
    WHERE account = $1 AND number = $2 AND kind = 'bill' AND admission = 'active'";

pub(crate) const BY_REFERENCE: &str =
    concat!(invoices!(), " WHERE i.account = $1 AND i.reference = $2");

pub(crate) const BY_NUMBER: &str = concat!(invoices!(), " WHERE i.account = $1 AND i.number = $2");

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        invoices!(),
        " WHERE i.account = $1 ORDER BY i.created_at, i.number LIMIT $3 OFFSET $2"
    ),
    concat!(
        invoices!(),
        " WHERE i.account = $1 ORDER BY i.created_at DESC, i.number DESC LIMIT $3 OFFSET $2"
    ),
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM invoices WHERE account = $1";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 12] = [
    BY_NUMBER,
    BY_REFERENCE,
    CHANGE,
    CLOSE,
    COUNT,
    INSERT,
    IS_PAID,
    LAST_NUMBER,
    OBSTACLES,
    OBSTACLES_TO_OPENING,
    PAGES[0],
    PAGES[1],
];

#[async_trait]
impl Invoices for PostgresStore {
    async fn create_invoice(
        &self,
        draft: &Invoice,
        opening: Option<&InvoiceOpening>,
    ) -> Result<InvoiceWrite, PortError> {
        let (draft, opening) = (draft.clone(), opening.cloned());
        self.alone(&draft.account.clone(), move |writer| {
            Box::pin(writer.create_invoice(draft, opening))
        })
        .await
    }

    async fn open_invoice(
        &self,
        draft: &Invoice,
        opening: &InvoiceOpening,
    ) -> Result<InvoiceWrite, PortError> {
        let (draft, opening) = (draft.clone(), opening.clone());
        self.alone(&draft.account.clone(), move |writer| {
            Box::pin(writer.open_invoice(draft, opening))
        })
        .await
    }

    async fn void_invoice(&self, invoice: &Invoice) -> Result<InvoiceWrite, PortError> {
        let draft = invoice.clone();
        self.alone(&draft.account.clone(), move |writer| {
            Box::pin(writer.void_invoice(draft))
        })
        .await
    }

    async fn invoice(
        &self,
        account: &AccountId,
        name: InvoiceName<'_>,
    ) -> Result<Option<InvoiceState>, PortError> {
        let found = match name {
            InvoiceName::Reference(reference) => sqlx::query(BY_REFERENCE)
                .bind(account.as_str())
                .bind(reference.as_str()),
            InvoiceName::Number(number) => sqlx::query(BY_NUMBER)
                .bind(account.as_str())
                .bind(bigint(number.get())),
        };
        let found = found.fetch_optional(&self.reads).in_time().await;
        let found = found.map_err(failed("find an invoice"))?;
        found.as_ref().map(restored).transpose()
    }

    async fn invoices(&self, account: &AccountId, page: PageOf) -> Result<InvoicePage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the invoices of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the invoices of an account"))?;
        Ok(InvoicePage {
            invoices: rows.iter().map(restored).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }
}

fn restored(row: &PgRow) -> Result<InvoiceState, PortError> {
    let row = invoice_row(row).map_err(failed("read an invoice"))?;
    row.restore()
}

fn invoice_row(row: &PgRow) -> Result<InvoiceRow, sqlx::Error> {
    Ok(InvoiceRow {
        account: row.try_get(0)?,
        id: row.try_get(1)?,
        reference: row.try_get(2)?,
        customer: row.try_get(3)?,
        email: row.try_get(4)?,
        phone: row.try_get(5)?,
        items: row.try_get(6)?,
        total: row.try_get(7)?,
        vat: row.try_get(8)?,
        currency: row.try_get(9)?,
        due_at: row.try_get(10)?,
        stage: row.try_get(11)?,
        serial: row.try_get(12)?,
        opened_at: row.try_get(13)?,
        version: row.try_get(14)?,
        created_at: row.try_get(15)?,
        payable: row.try_get(16)?,
        paid: row.try_get(17)?,
    })
}
