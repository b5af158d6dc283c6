//! Bills of one generic family: landline, water, gas and direct-to-home television. A category is
//! data; a new one is an entry of `categories.rs` and nothing else.

mod account;
mod biller;
mod categories;
mod category;
mod definition;
mod order;
mod payment_rule;

pub use account::{BillAccount, BillNumber, BillQuery, InvalidBillNumber};
pub use biller::{BillPlan, Biller, BillerTexts};
pub use category::BillCategory;
pub use definition::{
    BillNumberKind, BillerDefinition, CategoryDefinition, CategoryPaths, FieldDefinition,
    FieldShape, NumberDefinition, PlanDefinition,
};
pub use order::{BillOrder, BillPayment, BillReceipt, BoughtPlan, RequestedBill};
pub use payment_rule::{AmountRule, BillingOffer};
