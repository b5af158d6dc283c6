//! Invoices of merchants: written as drafts, opened under the next number of their account, paid
//! through their collections, and voided. What was paid must be read from the payments alone.

use crate::expected_version::ExpectedVersion;
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::collection::PaymentReference;
use domain::idempotency::IdempotencyKey;
use domain::invoice::{INVOICE_LIFE_MAX, Invoice, InvoiceStage, InvoiceState, NewInvoice};
use domain::money::{Currency, Money};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::PortError;
use ports::batches::PageOf;
use ports::collections::{CollectionName, CollectionSort};
pub use ports::invoices::{InvoiceName, InvoicePage};
use ports::invoices::{InvoiceOpening, InvoiceWrite};

/// How many numbers are drawn for an invoice before the request is given up: one in a million
/// million draws is in use.
const DRAWS_MAX: usize = 8;

/// How often a step is tried again where another step came first.
const TRIES_MAX: usize = 8;

/// Why a request about invoices is refused.
#[derive(Debug, thiserror::Error)]
pub enum InvoiceError {
    /// The account created another one under the reference.
    #[error("the reference was used for another invoice")]
    ReferenceTaken(MerchantReference),
    /// The account made a collection of some kind under the reference.
    #[error("the reference was used for a collection")]
    CollectionTaken(MerchantReference, CollectionSort),
    /// It would be due before it is created.
    #[error("the due date is over")]
    DueOver,
    /// It would be due later than an invoice may be.
    #[error("the due date is too far away")]
    DueFar,
    /// The due date of a draft is over as it is to be opened.
    #[error("the due date of the draft is over")]
    DraftOver,
    /// The account has no such invoice.
    #[error("no such invoice")]
    Unknown,
    /// The account created none under the reference.
    #[error("no such invoice")]
    ReferenceUnknown,
    /// It has another version than the one that the body names.
    #[error("it has version {0}")]
    Stale(u32),
    /// It has a version that `If-Match` does not name.
    #[error("it was changed")]
    Changed,
    /// It is void, which is for ever.
    #[error("it is void")]
    Void,
    /// Something was paid.
    #[error("something was paid")]
    Paid,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for InvoiceError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// An invoice, and whether the request created it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceResult {
    /// The invoice, and what was paid.
    pub state: InvoiceState,
    /// Whether an earlier request had created it.
    pub replay: ReplayMark,
}

/// What a merchant does with an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvoiceStep {
    /// Opens a draft.
    Open,
    /// Voids it.
    Void,
}

impl Gateway {
    /// Creates an invoice, opened unless it is to stay a draft; where the merchant's key of the
    /// request created it before, that one is answered as it is now.
    ///
    /// # Errors
    /// Refuses a reference and a key that were used for another one, the reference of a collection,
    /// and a due date that is over or too far away.
    pub async fn create_invoice(
        &self,
        merchant: &Merchant,
        wanted: NewInvoice,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<InvoiceResult, InvoiceError> {
        let now = self.now();
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("invoice", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            if retry_key.is_some()
                && let Some(earlier) = self.find_invoice(merchant, number).await?
            {
                return replayed(earlier, &wanted);
            }
            if wanted.due_at <= now {
                return Err(InvoiceError::DueOver);
            }
            if wanted.due_at > now.plus(INVOICE_LIFE_MAX) {
                return Err(InvoiceError::DueFar);
            }
            let account = merchant.account.id.clone();
            let is_draft = wanted.is_draft;
            let draft = Invoice::draft(account, wanted.clone(), (number, now));
            let opening = self.invoice_opening(now)?;
            let opening = Some(&opening).filter(|_| !is_draft);
            let written = self.parts().invoices.create_invoice(&draft, opening);
            match self.written(merchant, &draft, written.await?).await? {
                Written::Done(invoice) => {
                    return Ok(InvoiceResult {
                        state: unpaid(*invoice),
                        replay: ReplayMark::New,
                    });
                }
                Written::Again => {}
            }
        }
        Err(PortError::new("ids", "the numbers that are drawn for invoices are in use").into())
    }

    /// One of the merchant's invoices.
    ///
    /// # Errors
    /// Refuses a name under which the merchant created none.
    pub async fn invoice(
        &self,
        merchant: &Merchant,
        name: InvoiceName<'_>,
    ) -> Result<InvoiceState, InvoiceError> {
        let found = self.parts().invoices.invoice(&merchant.account.id, name);
        found.await?.ok_or(match name {
            InvoiceName::Reference(_) => InvoiceError::ReferenceUnknown,
            InvoiceName::Number(_) => InvoiceError::Unknown,
        })
    }

    /// A part of the merchant's invoices.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn invoices(
        &self,
        merchant: &Merchant,
        page: PageOf,
    ) -> Result<InvoicePage, InvoiceError> {
        let invoices = &self.parts().invoices;
        Ok(invoices.invoices(&merchant.account.id, page).await?)
    }

    /// Opens or voids an invoice. Where that was done already nothing changes.
    ///
    /// # Errors
    /// Refuses an invoice that is not the merchant's, a version that it has not, to open one that
    /// is void or whose due date is over, and to void one to which something was paid.
    pub async fn change_invoice(
        &self,
        merchant: &Merchant,
        (number, step): (TransactionNumber, InvoiceStep),
        seen: &ExpectedVersion,
    ) -> Result<InvoiceState, InvoiceError> {
        for _ in 0..TRIES_MAX {
            let found = self.find_invoice(merchant, number).await?;
            let state = found.ok_or(InvoiceError::Unknown)?;
            let version = state.invoice.version;
            if !seen.is_matched_by(version) {
                return Err(InvoiceError::Changed);
            }
            let invoices = &self.parts().invoices;
            let written = match (step, &state.invoice.stage) {
                (InvoiceStep::Open, InvoiceStage::Open(_))
                | (InvoiceStep::Void, InvoiceStage::Void(_)) => return Ok(state),
                (InvoiceStep::Open | InvoiceStep::Void, _) if version != seen.stated => {
                    return Err(InvoiceError::Stale(version));
                }
                (InvoiceStep::Open, InvoiceStage::Void(_)) => return Err(InvoiceError::Void),
                (InvoiceStep::Open, InvoiceStage::Draft) => {
                    let now = self.now();
                    if state.invoice.due_at <= now {
                        return Err(InvoiceError::DraftOver);
                    }
                    let opening = self.invoice_opening(now)?;
                    invoices.open_invoice(&state.invoice, &opening).await?
                }
                (InvoiceStep::Void, InvoiceStage::Draft | InvoiceStage::Open(_)) => {
                    invoices.void_invoice(&state.invoice).await?
                }
            };
            match self.written(merchant, &state.invoice, written).await? {
                Written::Done(invoice) => return Ok(unpaid(*invoice)),
                Written::Again => {}
            }
        }
        Err(PortError::new("invoices", "others change the invoice all the time").into())
    }

    async fn find_invoice(
        &self,
        merchant: &Merchant,
        number: TransactionNumber,
    ) -> Result<Option<InvoiceState>, PortError> {
        let name = InvoiceName::Number(number);
        let invoices = &self.parts().invoices;
        invoices.invoice(&merchant.account.id, name).await
    }

    /// What an invoice is opened with: a number for its payer that follows from nothing.
    fn invoice_opening(&self, at: Timestamp) -> Result<InvoiceOpening, PortError> {
        let payable = PaymentReference::drawn(self.typed_number()?);
        Ok(InvoiceOpening { payable, at })
    }

    /// What became of writing an invoice: it is done, or worth another try.
    async fn written(
        &self,
        merchant: &Merchant,
        invoice: &Invoice,
        written: InvoiceWrite,
    ) -> Result<Written, InvoiceError> {
        match written {
            InvoiceWrite::Done(invoice) => Ok(Written::Done(invoice)),
            InvoiceWrite::NumberTaken | InvoiceWrite::Conflict => Ok(Written::Again),
            InvoiceWrite::ReferenceTaken => {
                Err(InvoiceError::ReferenceTaken(invoice.reference.clone()))
            }
            InvoiceWrite::CollectionTaken => {
                Err(self.collection_taken(merchant, &invoice.reference).await?)
            }
            InvoiceWrite::Paid => Err(InvoiceError::Paid),
            InvoiceWrite::AccountUnknown => {
                let what = "an authenticated account was not found as its invoice was stored";
                Err(PortError::new("invoices", what).into())
            }
        }
    }

    /// The refusal of a reference, with the kind of collection that has it.
    async fn collection_taken(
        &self,
        merchant: &Merchant,
        reference: &MerchantReference,
    ) -> Result<InvoiceError, PortError> {
        let name = CollectionName::Reference(reference);
        let collections = &self.parts().collections;
        let earlier = collections.collection(&merchant.account.id, name).await?;
        let sort = earlier.map_or(CollectionSort::Invoice, |it| {
            CollectionSort::of(&it.collection.kind)
        });
        Ok(InvoiceError::CollectionTaken(reference.clone(), sort))
    }
}

enum Written {
    Done(Box<Invoice>),
    Again,
}

/// An invoice to which nothing was paid: a payment is after the commit that opened it, and one to
/// which something was paid is not voided.
const fn unpaid(invoice: Invoice) -> InvoiceState {
    InvoiceState {
        invoice,
        paid: Money::zero(Currency::Ngn),
    }
}

/// What the key of the request created before, where it is what is wanted now.
fn replayed(earlier: InvoiceState, wanted: &NewInvoice) -> Result<InvoiceResult, InvoiceError> {
    if !wanted.made(&earlier.invoice) {
        return Err(RequestError::KeyReused.into());
    }
    Ok(InvoiceResult {
        state: earlier,
        replay: ReplayMark::Replayed,
    })
}
