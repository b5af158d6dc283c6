//! The store of several instances: PostgreSQL, with writers that make the change sets of concurrent
//! callers durable together. It must never acknowledge what the database did not confirm, and
//! never hold a lock while anything but the database is waited for.

mod access_keys;
mod account_changes;
mod account_users;
mod accounts;
mod acknowledging;
mod allowlists;
mod audit;
mod balance_readings;
mod batches;
mod bookings;
mod catalogue_versions;
mod change_requests;
mod changes;
mod collections;
mod connection;
mod database_identity;
mod durability_check;
mod endpoints;
mod error;
mod float;
mod float_tranches;
mod freezes;
mod gathered;
mod grants;
mod incoming_messages;
mod instance_slot;
mod instances;
mod invoices;
mod leases;
mod lookups;
mod message_ids;
mod messaging_library;
mod migrate;
mod operators;
mod outbox;
mod payout_groups;
mod peers;
mod permits;
#[cfg(test)]
mod plans;
mod provider_environments;
mod reconciliation;
mod recurring;
mod refunds;
mod report_runs;
mod reports;
mod request_log;
mod retention;
mod rows;
mod sealing;
mod senders;
mod spending_limits;
mod statement;
mod store;
mod top_ups;
mod transactions;
mod vouchers;
mod writer;

pub use connection::is_verified;
pub use grants::{Roles, TableAccess};
pub use instance_slot::InstanceSlot;
pub use migrate::{Migrated, migrate};
pub use sealing::MessageSealing;
pub use store::{PostgresOptions, PostgresStore};
