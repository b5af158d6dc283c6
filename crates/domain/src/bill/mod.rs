//! Bills of one generic family: landline, water, gas and direct-to-home television. A category is
//! data; a new one is an entry of `categories.rs` and nothing else.

mod account;
mod biller;
mod categories;
mod category;
mod order;

pub use account::{BillAccount, BillNumber, BillQuery, CustomerField, InvalidBillNumber};
pub use biller::{AmountRule, BillPlan, Biller, BillerTexts, BillingOffer};
pub use category::{
    BillCategory, BillNumberKind, BillerDefinition, CategoryDefinition, CategoryPaths,
    FieldDefinition, FieldShape, NumberDefinition, PlanDefinition,
};
pub use order::{BillOrder, BillPayment, BillReceipt, BoughtPlan, RequestedBill};
