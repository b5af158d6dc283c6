//! The rules of the gateway as pure values: money, references, orders, pricing, the transaction
//! state machine and the ledger. It must never reach for a clock, a random source, a runtime, a
//! database or a serialisation format: everything it needs is an argument.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]
#![warn(missing_docs, clippy::missing_errors_doc)]

// The tests here and in `tests/` build their transactions from the same samples.
#[cfg(test)]
extern crate self as domain;

#[macro_use]
pub mod family;
pub mod fees;

pub mod access;
pub mod account;
pub mod account_change;
pub mod airtime;
pub mod bank;
pub mod batch;
pub mod bill;
pub mod billing;
pub mod booking;
pub mod cabletv;
pub mod card;
pub mod change_set;
pub mod collection;
pub mod country;
pub mod credential;
pub mod electricity;
pub mod environment;
pub mod event;
pub mod float;
pub mod float_forecast;
pub mod float_reserve;
pub mod freeze;
pub mod geolocation;
pub mod hlr;
pub mod idempotency;
pub mod international;
pub mod internet;
pub mod invoice;
pub mod ivr;
pub mod labelled_value;
pub mod ledger;
pub mod listed_offer;
pub mod messaging;
pub mod messaging_library;
pub mod mobile_money;
pub mod money;
pub mod opening;
pub mod operations;
pub mod operator;
pub mod order;
pub mod paid_lookup;
pub mod percent;
pub mod phone;
pub mod pricing;
pub mod provider;
pub mod quote_identifier;
pub mod rcs;
pub mod recurring;
pub mod reference;
pub mod reference_settlement;
pub mod refund;
pub mod reporting;
pub mod request_log;
pub mod retrieve;
mod rule_date;
pub mod sandbox;
pub mod service_status;
pub mod sms;
pub mod spending;
pub mod statement;
pub mod subscription;
pub mod text;
pub mod time;
pub mod token;
pub mod top_up;
pub mod transaction;
pub mod user;
pub mod voice;
pub mod voucher;
pub mod wallet;
pub mod webhook;
pub mod whatsapp;
