//! The operations, one per file in the folder of its family. A handler must do no more than parse,
//! call and render.

mod account;
mod airtime;
mod bank;
mod bill;
mod bulk;
mod cabletv;
mod card;
mod collection;
pub(crate) mod dispatch;
pub(crate) mod documentation;
mod electricity;
mod fallback;
pub(crate) mod families;
mod geolocation;
mod group;
mod health;
mod hlr;
mod internet;
pub(crate) mod logos;
mod mobile_money;
pub(crate) mod path;
mod payment;
mod payroll;
pub(crate) mod provider_callback;
mod report;
mod reporting;
pub(crate) mod row;
mod sms;
pub(crate) mod table;
mod transactions;
mod user;
pub(crate) mod verb;
pub(crate) mod vtpass;
mod wallet;
mod webhook;
mod xsd;
