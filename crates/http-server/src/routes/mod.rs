//! The operations, one per file in the folder of its family. A handler must do no more than parse,
//! call and render.

mod account;
mod airtime;
mod bank;
mod bill;
mod cabletv;
mod collection;
pub(crate) mod documentation;
mod electricity;
mod fallback;
pub(crate) mod families;
mod geolocation;
mod health;
mod hlr;
mod internet;
pub(crate) mod logos;
mod payment;
mod report;
mod sms;
pub(crate) mod table;
mod transactions;
mod webhook;
mod xsd;

pub(crate) use table::router;
