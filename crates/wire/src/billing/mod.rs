//! What is settled between the account and the gateway, one file per operation.

pub mod refunds;
pub mod subscription_runs;
pub mod subscriptions;
