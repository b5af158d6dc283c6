//! What is settled between the account and the gateway, one file per operation.

pub mod invoice_document;
pub mod invoice_terms;
pub mod invoices;
pub mod refunds;
pub mod subscription_runs;
pub mod subscriptions;
