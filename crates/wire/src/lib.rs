//! The external form of the interface, in one place: the names of its fields, the formats of
//! amounts, dates and numbers, requests read into commands, and values shown as one tree that is
//! rendered last. It must never do I/O, and nothing but `render` may know the format of an answer.

pub mod account;
pub mod airtime;
pub mod attribute;
pub mod attributes;
pub mod bank;
pub mod bill;
mod biller;
pub mod billing;
pub mod booking;
pub mod bulk;
pub mod cabletv;
pub mod card;
pub mod checkout;
pub mod collection;
pub mod country;
pub mod electricity;
pub mod envelope;
pub mod family;
mod format;
pub mod geolocation;
pub mod group;
pub mod hlr;
pub mod international;
pub mod internet;
pub mod ivr;
mod labelled;
pub mod listing;
pub mod logo;
pub mod messaging;
pub mod messaging_library;
pub mod mobile_money;
pub mod operations;
pub mod own_address;
pub mod page;
pub mod paid_lookup;
pub mod payroll;
pub mod rcs;
pub mod reader;
pub mod render;
pub mod reporting;
pub mod security;
pub mod service_code;
pub mod sms;
pub mod tools;
pub mod transaction;
pub mod transaction_list;
pub mod tree;
pub mod user;
pub mod violations;
pub mod voice;
pub mod voucher;
pub mod wallet;
pub mod webhook;
pub mod whatsapp;
pub mod zone;

#[cfg(test)]
mod fixtures;

pub use family::product_path;
pub use transaction::report_path;
