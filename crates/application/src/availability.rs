//! Whether an account at a provider may be given anything new, by what operators said of it. It
//! must not stop what is open from being asked about: that goes on whatever is said here.

use crate::provider_pauses::ProviderPause;
use domain::order::Service;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::PassedOverReason;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The accounts that operators paused.
pub(crate) type PausedProviders = BTreeMap<ProviderId, ProviderPause>;

/// What operators said of the accounts, as far as this instance has read it.
#[derive(Debug, Default)]
pub struct Availability {
    paused: RwLock<Arc<PausedProviders>>,
}

impl Availability {
    /// Why an account is given no order of a product at a moment; `None` where it may be.
    pub fn obstacle(
        &self,
        provider: &ProviderId,
        (_product, _now): (Service, Timestamp),
    ) -> Option<PassedOverReason> {
        let is_paused = self.paused().contains_key(provider);
        is_paused.then_some(PassedOverReason::Paused)
    }

    /// The accounts that are paused.
    pub(crate) fn paused(&self) -> Arc<PausedProviders> {
        // A map is replaced whole, so one is valid also after a panic elsewhere.
        let paused = self.paused.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&paused)
    }

    /// Replaces the accounts that are paused.
    pub(crate) fn set_paused(&self, paused: PausedProviders) {
        let mut held = self.paused.write().unwrap_or_else(PoisonError::into_inner);
        *held = Arc::new(paused);
    }
}
