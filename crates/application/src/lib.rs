//! The use cases: one payment flow for every family, reports, lookups and recovery. It speaks to
//! the world through ports only and must never name a database, a protocol or a wire format.

pub mod account;
pub mod airtime;
pub mod bank;
pub mod bill;
pub mod cabletv;
mod credential_cache;
pub mod credentials;
pub mod electricity;
mod fingerprint;
pub mod gateway;
pub mod geolocation;
pub mod hlr;
pub mod internet;
pub mod journals;
pub mod listed;
mod lookups;
mod number_check;
pub mod operators;
pub mod payment;
pub mod peers;
mod pepper;
pub mod plans;
pub mod price_overrides;
pub mod provider_callbacks;
mod provider_events;
pub mod providers;
mod receipts;
mod record;
pub mod recovery;
mod replay;
pub mod report;
pub mod request_error;
pub mod retention;
pub mod review;
pub mod routes;
pub mod settings;
pub mod settling;
pub mod sms;
mod tasks;
pub mod transaction_list;
mod under_way;
pub mod webhook;

pub use gateway::{Gateway, Merchant, Parts};
pub use payment::{PaymentResult, Purchase, ReplayMark};
pub use request_error::RequestError;
