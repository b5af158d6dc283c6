//! What the journal records of a request of any family. It must not name a family.

use crate::outcome::EntryOutcome;
use domain::money::Money;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use std::time::Duration;

/// An entry without what was ordered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryFacts<'a> {
    pub(crate) reference: &'a ProviderReference,
    /// The amount delivered wherever something is.
    pub(crate) amount: Money,
    /// When the request arrives.
    pub(crate) at: Timestamp,
    pub(crate) outcome: EntryOutcome,
    /// The seed of the run that recorded it.
    pub(crate) seed: u64,
    /// When what is "later" happened in that run.
    pub(crate) later: Duration,
}
