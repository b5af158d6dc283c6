//! The embedded store: one `SQLite` file with one writer, which makes the change sets of concurrent
//! callers durable together, and readers that never wait for it. It must never acknowledge what the
//! disk does not have.

mod access_keys;
mod account_changes;
mod account_users;
mod accounts;
mod acknowledging;
mod allowlists;
mod audit;
mod backlog;
mod backup;
mod balance_readings;
mod batches;
mod bookings;
mod catalogue_versions;
mod change_requests;
mod changes;
#[cfg(test)]
#[path = "../tests/cipher/mod.rs"]
mod cipher;
mod collections;
mod connection;
mod endpoints;
mod error;
mod float;
mod float_tranches;
mod freezes;
mod incoming_messages;
mod inspection;
mod integrity;
mod invoices;
mod leases;
mod lock;
mod message_ids;
mod messaging_library;
mod operators;
mod outbox;
mod page_check;
mod payout_groups;
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
mod row_codes;
mod rows;
mod secret_proofs;
mod senders;
mod spending_limits;
mod statement;
mod store;
mod top_ups;
mod transactions;
mod version;
mod vouchers;
mod writer;

pub use backup::{BackupContents, LogFolding, OpeningLock, back_up, fold_log, verify_backup};
pub use inspection::{SchemaVersion, schema_version};
pub use lock::{ServeLock, is_held};
pub use store::{SqliteOptions, SqliteStore};
