//! How an invoice stands, which follows from what was paid to its collection. Nothing here may be
//! stored.

use super::{Invoice, InvoiceStage};
use crate::money::Money;
use crate::time::Timestamp;

/// How an invoice stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvoiceStatus {
    /// Written; nothing is to be paid.
    Draft,
    /// To be paid, also where a part was paid.
    Open,
    /// All was paid, or more.
    Paid,
    /// Its merchant wants it paid no more.
    Void,
    /// Its due date is over, and not all was paid.
    Overdue,
}

/// An invoice and what was paid to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceState {
    /// The invoice.
    pub invoice: Invoice,
    /// The sum of the payments to its collection, before charges.
    pub paid: Money,
}

impl InvoiceState {
    /// The status at a moment. What arrives after the due date is credited, so that an overdue
    /// invoice may become paid.
    pub fn status(&self, now: Timestamp) -> InvoiceStatus {
        let invoice = &self.invoice;
        match &invoice.stage {
            InvoiceStage::Draft => InvoiceStatus::Draft,
            InvoiceStage::Void(_) => InvoiceStatus::Void,
            InvoiceStage::Open(_) if self.paid.minor() >= invoice.totals.total.minor() => {
                InvoiceStatus::Paid
            }
            InvoiceStage::Open(_) if invoice.due_at <= now => InvoiceStatus::Overdue,
            InvoiceStage::Open(_) => InvoiceStatus::Open,
        }
    }

    /// What is due still. Nothing is of a void invoice.
    pub fn due(&self) -> Money {
        let total = self.invoice.totals.total;
        let zero = Money::zero(total.currency());
        match &self.invoice.stage {
            InvoiceStage::Void(_) => zero,
            InvoiceStage::Draft | InvoiceStage::Open(_) => total
                .checked_sub(self.paid)
                .filter(|due| due.is_positive())
                .unwrap_or(zero),
        }
    }
}
