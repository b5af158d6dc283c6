//! Invoices of accounts. The number of an invoice must be given in the commit that opens it, so
//! that the numbers of an account have no gap, and its collection must be made in the same commit.

use crate::PortError;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::collection::PaymentReference;
use domain::invoice::{Invoice, InvoiceState};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;

/// What an invoice is opened with, beside the number that the store gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceOpening {
    /// The number that its payer will name, drawn for it.
    pub payable: PaymentReference,
    /// The moment.
    pub at: Timestamp,
}

/// What became of writing an invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceWrite {
    /// Written, and the invoice as it is stored now.
    Done(Box<Invoice>),
    /// The number is in use by another invoice or a collection, or what its payer would name is.
    NumberTaken,
    /// The account made another invoice under the reference.
    ReferenceTaken,
    /// The account made a collection under the reference.
    CollectionTaken,
    /// It has another version than the one that was read.
    Conflict,
    /// Something was paid.
    Paid,
    /// No such account.
    AccountUnknown,
}

/// By what an invoice of an account is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvoiceName<'a> {
    /// The merchant's reference.
    Reference(&'a MerchantReference),
    /// The gateway's number.
    Number(TransactionNumber),
}

/// Some invoices of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoicePage {
    /// The invoices of the part.
    pub invoices: Vec<InvoiceState>,
    /// How many there are.
    pub total: u64,
}

/// Invoices of accounts.
#[async_trait]
pub trait Invoices: Send + Sync + std::fmt::Debug {
    /// Stores a draft; with an opening it is stored as opened, with its number and its collection.
    ///
    /// # Errors
    /// When the store failed.
    async fn create_invoice(
        &self,
        draft: &Invoice,
        opening: Option<&InvoiceOpening>,
    ) -> Result<InvoiceWrite, PortError>;

    /// Opens a draft that was read, where it has that version still: gives it its number and makes
    /// its collection.
    ///
    /// # Errors
    /// When the store failed.
    async fn open_invoice(
        &self,
        draft: &Invoice,
        opening: &InvoiceOpening,
    ) -> Result<InvoiceWrite, PortError>;

    /// Voids an invoice that was read, where it has that version still and nothing was paid to it,
    /// and closes its collection.
    ///
    /// # Errors
    /// When the store failed.
    async fn void_invoice(&self, invoice: &Invoice) -> Result<InvoiceWrite, PortError>;

    /// One invoice of an account.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn invoice(
        &self,
        account: &AccountId,
        name: InvoiceName<'_>,
    ) -> Result<Option<InvoiceState>, PortError>;

    /// A part of the invoices of an account, by the moment they were created.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn invoices(&self, account: &AccountId, page: PageOf) -> Result<InvoicePage, PortError>;
}
