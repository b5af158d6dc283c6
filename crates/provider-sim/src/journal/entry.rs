//! One journal entry and what follows from it. It must not read the clock: the caller passes the
//! time.

use crate::entry_facts::EntryFacts;
use crate::outcome::{EntryEffect, EntryOutcome};
use crate::product::SandboxProduct;
use domain::money::Money;
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use std::time::Duration;

/// A request that arrived, and what the provider does about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxEntry {
    /// The gateway's reference of the attempt; no two entries of a journal share one.
    pub reference: ProviderReference,
    /// What was ordered, and for whom.
    pub(crate) product: SandboxProduct,
    /// The amount ordered.
    pub ordered: Money,
    /// The amount delivered wherever something is.
    pub amount: Money,
    /// When the request arrives at the provider; before that, it knows nothing of it.
    pub at: Timestamp,
    /// What the provider does.
    pub outcome: EntryOutcome,
    /// The seed of the run, so that another run gives the same answers about it.
    pub(crate) seed: u64,
    /// When what is "later" happened in that run; zero in entries of before it mattered.
    pub(crate) later: Duration,
}

impl SandboxEntry {
    /// The family of what was ordered.
    pub fn service(&self) -> Service {
        self.product.service()
    }

    /// The telephone, meter or card number, or the last digits of an account.
    pub fn digits(&self) -> &str {
        self.product.digits()
    }

    /// Whether the request has arrived; until then no query finds it.
    pub fn arrived(&self, now: Timestamp) -> bool {
        self.at <= now
    }

    /// When the delivery is taken back, if it ever is.
    pub const fn reversed_at(&self) -> Option<Timestamp> {
        self.outcome.reversed_at()
    }

    /// What the request has really come to.
    pub fn effects(&self, now: Timestamp) -> EntryEffect {
        self.outcome.effect(self.at, now)
    }

    /// What was recorded, without what was ordered.
    pub(crate) const fn facts(&self) -> EntryFacts<'_> {
        EntryFacts {
            reference: &self.reference,
            amount: self.amount,
            at: self.at,
            outcome: self.outcome,
            seed: self.seed,
            later: self.later,
        }
    }
}
