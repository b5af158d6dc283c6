//! Whether an account at a provider may be given anything new, by what operators said of it: a
//! pause that holds until it is ended, or a maintenance window of the configuration. It must not
//! stop what is open from being asked about: that goes on whatever is said here.

use crate::maintenance::MaintenanceWindow;
use crate::provider_pauses::ProviderPause;
use arc_swap::ArcSwap;
use domain::order::Service;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::PassedOverReason;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The accounts that operators paused.
pub(crate) type PausedProviders = BTreeMap<ProviderId, ProviderPause>;

/// What operators said of the accounts, as far as this instance has read it.
#[derive(Debug, Default)]
pub struct Availability {
    /// Shared with every other set of windows.
    paused: Arc<ArcSwap<PausedProviders>>,
    windows: Vec<MaintenanceWindow>,
}

impl Availability {
    /// With the maintenance windows of the configuration.
    pub fn new(windows: Vec<MaintenanceWindow>) -> Self {
        Self {
            windows,
            ..Self::default()
        }
    }

    /// The same pauses, now and later, with other maintenance windows.
    #[must_use]
    pub fn with_windows(&self, windows: Vec<MaintenanceWindow>) -> Self {
        Self {
            paused: Arc::clone(&self.paused),
            windows,
        }
    }

    /// Why an account is given no order of a product at a moment; `None` where it may be.
    pub fn obstacle(
        &self,
        provider: &ProviderId,
        at: (Service, Timestamp),
    ) -> Option<PassedOverReason> {
        let is_paused = self.paused.load().contains_key(provider);
        if is_paused {
            return Some(PassedOverReason::Paused);
        }
        let mut windows = self.windows.iter();
        let is_away = windows.any(|window| window.covers(provider, at));
        is_away.then_some(PassedOverReason::Maintenance)
    }

    /// When the maintenance of an account ends that it is in at a moment, so that it may be given
    /// orders of a product again: the last end of those that overlap then.
    pub(crate) fn maintenance_end(
        &self,
        provider: &ProviderId,
        at: (Service, Timestamp),
    ) -> Option<Timestamp> {
        let covering = self.windows.iter().filter(|it| it.covers(provider, at));
        covering.map(|window| window.time.end(at.1)).max()
    }

    /// The accounts that are paused.
    pub(crate) fn paused(&self) -> Arc<PausedProviders> {
        self.paused.load_full()
    }

    /// Replaces the accounts that are paused.
    pub(crate) fn set_paused(&self, paused: PausedProviders) {
        self.paused.store(Arc::new(paused));
    }
}
