//! Invoices of merchants: what was sold, what it comes to with its tax, and until when it is paid.
//! What was paid must never be read from an invoice, only from the payments of its collection.

mod line;
mod state;

pub use line::{InvoiceLine, InvoiceTotals};
pub use state::{InvoiceState, InvoiceStatus};

use crate::account::{AccountId, EmailAddress};
use crate::bank::GroupLabel;
use crate::collection::{
    BillTerms, COLLECTION_LIFE_MAX, Collection, CollectionAdmission, CollectionKind,
    PaymentReference, SALE_ITEMS_MAX,
};
use crate::phone::PhoneNumber;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use std::fmt;
use std::time::Duration;

/// Most lines of an invoice.
pub const INVOICE_LINES_MAX: usize = SALE_ITEMS_MAX;

/// The longest from the creation of an invoice to its due date, as long as a collection may wait.
pub const INVOICE_LIFE_MAX: Duration = COLLECTION_LIFE_MAX;

/// The number that an invoice is given as it is opened: the numbers of an account are 1, 2, 3 and
/// so on without a gap, as laws on value-added tax demand of tax invoices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InvoiceNumber(u32);

/// The number is no number of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {}", u32::MAX)]
pub struct InvalidInvoiceNumber;

impl InvoiceNumber {
    /// The first number of every account.
    pub const FIRST: Self = Self(1);

    /// A number that was stored.
    ///
    /// # Errors
    /// Refuses zero, numbers below it and those above the largest.
    pub fn try_new(number: i64) -> Result<Self, InvalidInvoiceNumber> {
        let number = u32::try_from(number).map_err(|_| InvalidInvoiceNumber)?;
        (number > 0)
            .then_some(Self(number))
            .ok_or(InvalidInvoiceNumber)
    }

    /// The number after the last that was given.
    ///
    /// # Errors
    /// Refuses to count beyond the largest number.
    pub fn after(last: Option<Self>) -> Result<Self, InvalidInvoiceNumber> {
        let Some(Self(last)) = last else {
            return Ok(Self::FIRST);
        };
        last.checked_add(1).map(Self).ok_or(InvalidInvoiceNumber)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// Shows six digits at least: `INV-000001`.
impl fmt::Display for InvoiceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "INV-{:06}", self.0)
    }
}

/// What an invoice has from the moment it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedInvoice {
    /// Its number, for ever: a void invoice keeps it.
    pub number: InvoiceNumber,
    /// The number that the payer names.
    pub payable: PaymentReference,
    /// When it was opened.
    pub at: Timestamp,
}

/// How far an invoice has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceStage {
    /// Written; nothing is to be paid.
    Draft,
    /// To be paid.
    Open(OpenedInvoice),
    /// Nothing is to be paid any more; what it had, where it had been opened.
    Void(Option<OpenedInvoice>),
}

impl InvoiceStage {
    /// Its word.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open(_) => "open",
            Self::Void(_) => "void",
        }
    }

    /// What it has from the moment it was opened.
    pub const fn opened(&self) -> Option<&OpenedInvoice> {
        match self {
            Self::Draft => None,
            Self::Open(opened) => Some(opened),
            Self::Void(opened) => opened.as_ref(),
        }
    }
}

/// An invoice to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInvoice {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// Who is to pay.
    pub customer: GroupLabel,
    /// The same.
    pub email: Option<EmailAddress>,
    /// The same.
    pub phone: Option<PhoneNumber>,
    /// What was sold, 1 to [`INVOICE_LINES_MAX`] lines.
    pub lines: Vec<InvoiceLine>,
    /// What they come to.
    pub totals: InvoiceTotals,
    /// Until when it is to be paid.
    pub due_at: Timestamp,
    /// Whether it stays a draft for now.
    pub is_draft: bool,
}

impl NewInvoice {
    /// Whether an invoice is the one that is wanted, whatever became of it since.
    pub fn made(&self, invoice: &Invoice) -> bool {
        // What was opened as it was created has had no step before.
        let was_draft = match (&invoice.stage, invoice.version) {
            (InvoiceStage::Open(_), version) => version > 1,
            (InvoiceStage::Void(Some(_)), version) => version > 2,
            (InvoiceStage::Draft | InvoiceStage::Void(None), _) => true,
        };
        (&self.reference, &self.customer) == (&invoice.reference, &invoice.customer)
            && (&self.email, &self.phone) == (&invoice.email, &invoice.phone)
            && self.lines == invoice.lines
            && (self.due_at, self.is_draft) == (invoice.due_at, was_draft)
    }
}

/// An invoice as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// Whose.
    pub account: AccountId,
    /// The gateway's number of it, unique in the account among invoices and collections; it is also
    /// that of its collection.
    pub number: TransactionNumber,
    /// The merchant's reference, unique in the account among invoices for ever; it is also that of
    /// its collection.
    pub reference: MerchantReference,
    /// Who is to pay.
    pub customer: GroupLabel,
    /// The same.
    pub email: Option<EmailAddress>,
    /// The same.
    pub phone: Option<PhoneNumber>,
    /// What was sold.
    pub lines: Vec<InvoiceLine>,
    /// What they come to.
    pub totals: InvoiceTotals,
    /// Until when it is to be paid. It may be paid later: it is overdue then.
    pub due_at: Timestamp,
    /// How far it has come.
    pub stage: InvoiceStage,
    /// Raised by each step of its merchant.
    pub version: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Invoice {
    /// A draft of what is wanted.
    pub fn draft(
        account: AccountId,
        wanted: NewInvoice,
        (number, created_at): (TransactionNumber, Timestamp),
    ) -> Self {
        Self {
            account,
            number,
            reference: wanted.reference,
            customer: wanted.customer,
            email: wanted.email,
            phone: wanted.phone,
            lines: wanted.lines,
            totals: wanted.totals,
            due_at: wanted.due_at,
            stage: InvoiceStage::Draft,
            version: 1,
            created_at,
        }
    }

    /// It once it is created at once as opened: no version has a draft of it.
    #[must_use]
    pub fn created_open(&self, opened: OpenedInvoice) -> Self {
        Self {
            stage: InvoiceStage::Open(opened),
            ..self.clone()
        }
    }

    /// A draft once it is opened.
    #[must_use]
    pub fn opened(&self, opened: OpenedInvoice) -> Self {
        Self {
            stage: InvoiceStage::Open(opened),
            version: self.version.saturating_add(1),
            ..self.clone()
        }
    }

    /// It once it is void.
    #[must_use]
    pub fn voided(&self) -> Self {
        Self {
            stage: InvoiceStage::Void(self.stage.opened().cloned()),
            version: self.version.saturating_add(1),
            ..self.clone()
        }
    }

    /// Its collection; `None` where it was never opened.
    pub fn bill(&self) -> Option<Collection> {
        let opened = self.stage.opened()?;
        let (admission, version) = match &self.stage {
            InvoiceStage::Draft | InvoiceStage::Open(_) => (CollectionAdmission::Active, 1),
            InvoiceStage::Void(_) => (CollectionAdmission::Closed, 2),
        };
        Some(Collection {
            account: self.account.clone(),
            number: self.number,
            reference: self.reference.clone(),
            payer: self.customer.clone(),
            kind: CollectionKind::Bill(BillTerms {
                reference: opened.payable.clone(),
                email: self.email.clone(),
                phone: self.phone.clone(),
                items: InvoiceLine::sold(&self.lines, self.totals),
            }),
            amount: Some(self.totals.total),
            expires_at: None,
            admission,
            version,
            created_at: opened.at,
        })
    }
}

#[cfg(test)]
mod tests;
