//! What the core asks of the world: storage, providers, catalogues, clock and ids. Traits and their
//! values only; a port must never name a database, a runtime or a protocol.
#![warn(missing_docs, clippy::missing_errors_doc)]

pub mod access_keys;
pub mod account_changes;
pub mod account_users;
pub mod accounts;
pub mod adapter;
pub mod allowlists;
pub mod audit;
pub mod backlog;
pub mod balance_readings;
pub mod banks;
pub mod batches;
pub mod bills;
pub mod bookings;
pub mod callbacks;
pub mod cards;
pub mod catalogue;
pub mod catalogue_versions;
pub mod change_requests;
pub mod changes;
pub mod clock;
pub mod collections;
pub mod exchange;
pub mod fault_point;
pub mod float;
pub mod float_tranches;
pub mod freezes;
pub mod geolocation;
pub mod groups;
pub mod ids;
pub mod incoming_messages;
pub mod invoices;
pub mod journal;
pub mod ledger_store;
pub mod measurements;
pub mod messaging_library;
pub mod mobile_money;
pub mod number_operators;
pub mod numbering;
pub mod operators;
pub mod peers;
pub mod permit;
pub mod provider;
pub mod provider_environments;
pub mod provider_limits;
pub mod receipts;
pub mod reconciliation;
pub mod recurring;
pub mod refunds;
pub mod report_runs;
pub mod reports;
pub mod request_log;
pub mod retention;
pub mod secret_proofs;
pub mod senders;
pub mod spending_limits;
pub mod top_ups;
pub mod transactions;
pub mod vouchers;
pub mod webhooks;

use std::fmt;

/// The kind of a port's error, which decides what the caller is advised to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PortErrorKind {
    /// The work failed.
    #[default]
    Failed,
    /// More is waiting than can be done in time; a moment later there may be room again.
    Busy,
    /// What is behind the port cannot be reached at the moment.
    Unreachable,
    /// One record cannot be read, or not be changed as asked; everything else works. Trying again
    /// changes nothing until the record is mended.
    Record,
}

/// What work that failed left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommitState {
    /// It may have been done.
    #[default]
    Unknown,
    /// Nothing was done.
    Nothing,
}

/// A port could not do its work: the world behind it failed. Retrying later may help; whether the
/// work was done is unknown unless the error says otherwise.
#[derive(Debug, thiserror::Error)]
#[error("{part}: {what}")]
pub struct PortError {
    /// What kind of trouble it is.
    pub trouble: PortErrorKind,
    /// What it left behind.
    pub effect: CommitState,
    /// Which part failed, such as `sqlite`.
    pub part: &'static str,
    /// What it was doing.
    pub what: String,
    /// Why.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl PortError {
    /// A failure with the error that caused it.
    pub fn caused(
        part: &'static str,
        what: impl fmt::Display,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self {
            trouble: PortErrorKind::default(),
            effect: CommitState::default(),
            part,
            what: what.to_string(),
            source: Some(source.into()),
        }
    }

    /// A failure that no other error explains.
    pub fn new(part: &'static str, what: impl fmt::Display) -> Self {
        Self {
            trouble: PortErrorKind::default(),
            effect: CommitState::default(),
            part,
            what: what.to_string(),
            source: None,
        }
    }

    /// The same failure, of which it is certain that nothing was done.
    #[must_use]
    pub fn with_nothing_done(self) -> Self {
        let effect = CommitState::Nothing;
        Self { effect, ..self }
    }

    /// The same failure as trouble of a kind; without this it is [`PortErrorKind::Failed`].
    #[must_use]
    pub fn with_trouble(self, trouble: PortErrorKind) -> Self {
        Self { trouble, ..self }
    }
}
