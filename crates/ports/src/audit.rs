//! The audit of the books: each invariant a named check that shows the rows that break it. A check
//! must never mend what it finds.

use crate::PortError;
use async_trait::async_trait;
use domain::time::Timestamp;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The invariant, such as `I1`.
    pub invariant: &'static str,
    /// What must hold, in one sentence.
    pub rule: &'static str,
    /// What was found.
    pub outcome: CheckOutcome,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It holds; so many rows were looked at.
    Holds {
        /// Rows examined, so that a check over no rows differs from a check that passed.
        examined: u64,
    },
    /// It is broken; each offence is one line, at most [`OFFENCES_MAX`].
    Broken {
        /// The offending rows, readable.
        offences: Vec<String>,
    },
    /// It cannot be judged now, and why.
    NotApplicable {
        /// Why.
        reason: String,
    },
}

/// Most offending rows shown per check: enough to see a pattern, few enough to read.
pub const OFFENCES_MAX: usize = 20;

/// Whether a server works on the store while it is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serving {
    /// A server runs: what is due must be looked at in time.
    Yes,
    /// No server runs: what is due waits, rightly.
    No,
}

/// A transaction as the audit compares it with a provider's own book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booked {
    /// The provider reference of the attempt.
    pub reference: domain::reference::ProviderReference,
    /// What the attempt is in our book.
    pub state: BookedState,
    /// The value ordered.
    pub amount: domain::money::Money,
    /// What the provider calls it, where it said so.
    pub id: Option<domain::provider::ProviderTransactionId>,
    /// What our ledger says the provider took for it, or will take: what it reported, else what was
    /// quoted.
    pub cost: domain::money::Money,
}

/// What an attempt is in our book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BookedState {
    /// On its way, in doubt or under review.
    Open,
    /// Delivered and captured.
    Delivered,
    /// Delivered, taken back and returned.
    Reversed,
    /// Proven not to have happened, the price released or tried again; or delivered against the
    /// proof and taken back.
    Disproven,
    /// Proven not to have happened, and delivered all the same: booked as a loss.
    Lost,
}

/// The audit of a store.
#[async_trait]
pub trait Audit: Send + Sync + std::fmt::Debug {
    /// Runs every check on one consistent view of the store.
    ///
    /// # Errors
    /// When the store failed.
    async fn audit(&self, now: Timestamp, serving: Serving) -> Result<Vec<CheckResult>, PortError>;

    /// Every attempt made at a provider, for comparison with the provider's own book.
    ///
    /// # Errors
    /// When the store failed.
    async fn attempts(
        &self,
        provider: &domain::provider::ProviderId,
    ) -> Result<Vec<Booked>, PortError>;
}
