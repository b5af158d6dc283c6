//! What a bill asks for: the collection that is made as an invoice is opened. Only an invoice may
//! make or close one.

use super::{PaymentReference, SALE_ITEMS_MAX, SaleItem};
use crate::account::EmailAddress;
use crate::phone::PhoneNumber;

/// Most items of a bill: those of its invoice, and the tax on them.
pub const BILL_ITEMS_MAX: usize = SALE_ITEMS_MAX + 1;

/// What was agreed for a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillTerms {
    /// The number that the payer names, which no other collection has or will have.
    pub reference: PaymentReference,
    /// Of the customer.
    pub email: Option<EmailAddress>,
    /// The same.
    pub phone: Option<PhoneNumber>,
    /// What was sold, and the tax on it; together they cost what is to be paid.
    pub items: Vec<SaleItem>,
}
