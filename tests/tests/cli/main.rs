//! The program as its operator meets it: the first start, commands beside a running server,
//! stopping and starting again, and an audit that finds what is wrong. It must use nothing but the
//! command line, the files in the data folder, and HTTPS.
#![cfg(test)]

mod account_limits;
mod accounts;
mod altered_rows;
mod approving;
mod audit;
mod catalogue;
mod collections;
mod config;
mod corrections;
mod doctor;
mod embedded;
mod first_start;
mod freezes;
mod inspection;
mod invoices;
mod key_rotation;
mod log_readers;
mod money;
mod monitoring;
mod operators;
mod provider_check;
mod providers;
mod quickstart;
mod refunds;
mod remedies;
mod review;
mod senders;
mod service_manager;
mod settlement;
mod signals;
mod stopping;
mod top_ups;
mod transaction;
mod unreadable;
mod user_transfers;
