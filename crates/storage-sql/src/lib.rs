//! What stores that speak SQL share: how transactions become records, how a batch of change sets is
//! judged in memory, how concurrent callers share one commit, and what an audit asks. It must not
//! know a database driver.

pub mod audit;
pub mod fair_share;
pub mod field_cipher;
pub mod float;
pub mod float_reserve;
pub mod group_commit;
pub mod planner;
mod readable;
pub mod reconciliation;
pub mod record;
pub mod row_macs;
pub mod schema_version;
pub mod statement;
pub mod webhook;

pub use readable::readable;

/// The part named in errors that arise here.
pub(crate) const PART: &str = "storage";
