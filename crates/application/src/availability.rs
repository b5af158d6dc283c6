//! Whether an account at a provider may be given anything new, by what operators said of it: a
//! pause that holds until it is ended, a maintenance window of the configuration, or maintenance
//! that was announced. It must not stop what is open from being asked about: that goes on whatever
//! is said here. It has the freeze of every account's payments as well, which operators say the
//! same way.

use crate::announced_maintenance::MaintenanceNotice;
use crate::maintenance::MaintenanceWindow;
use crate::payment_freeze::PaymentFreeze;
use crate::provider_pauses::ProviderPause;
use arc_swap::{ArcSwap, ArcSwapOption};
use domain::order::Service;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::PassedOverReason;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The accounts that operators paused.
pub(crate) type PausedProviders = BTreeMap<ProviderId, ProviderPause>;

/// What operators said, as the log has it.
#[derive(Debug, Default)]
pub(crate) struct OperatorsSaid {
    pub(crate) paused: PausedProviders,
    pub(crate) announced: Vec<MaintenanceNotice>,
    pub(crate) frozen: Option<PaymentFreeze>,
}

/// How many times of maintenance in a row are looked at: windows of a whole week follow one another
/// for ever.
const IN_A_ROW_MAX: usize = 16;

/// What a provider would be given, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offering<'a> {
    /// The product.
    pub service: Service,
    /// The biller, network or bank, by its code, where it is of one.
    pub biller: Option<&'a str>,
    /// The moment.
    pub at: Timestamp,
}

/// What operators said of the accounts, as far as this instance has read it.
#[derive(Debug, Default)]
pub struct Availability {
    /// Shared with every other set of windows.
    paused: Arc<ArcSwap<PausedProviders>>,
    /// Shared as the pauses are.
    announced: Arc<ArcSwap<Vec<MaintenanceNotice>>>,
    /// Shared as the pauses are.
    frozen: Arc<ArcSwapOption<PaymentFreeze>>,
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

    /// The same pauses, announcements and freeze, now and later, with other maintenance windows.
    #[must_use]
    pub fn with_windows(&self, windows: Vec<MaintenanceWindow>) -> Self {
        Self {
            paused: Arc::clone(&self.paused),
            announced: Arc::clone(&self.announced),
            frozen: Arc::clone(&self.frozen),
            windows,
        }
    }

    /// Why an account is not given what is offered to it; `None` where it may be.
    pub fn obstacle(
        &self,
        provider: &ProviderId,
        offering: Offering<'_>,
    ) -> Option<PassedOverReason> {
        let is_paused = self.paused.load().contains_key(provider);
        if is_paused {
            return Some(PassedOverReason::Paused);
        }
        let at = (offering.service, offering.at);
        let mut windows = self.windows.iter();
        let is_away = windows.any(|window| window.covers(provider, at))
            || self.is_announced(provider, offering);
        is_away.then_some(PassedOverReason::Maintenance)
    }

    fn is_announced(&self, provider: &ProviderId, offering: Offering<'_>) -> bool {
        let announced = self.announced.load();
        announced.iter().any(|it| it.covers(provider, offering))
    }

    /// When the maintenance of an account ends that it is in at a moment, so that it may be given
    /// what is offered to it again: the end of the last that follows without a gap.
    pub(crate) fn maintenance_end(
        &self,
        provider: &ProviderId,
        mut offering: Offering<'_>,
    ) -> Option<Timestamp> {
        let mut end = None;
        for _ in 0..IN_A_ROW_MAX {
            let Some(next) = self.covered_until(provider, offering) else {
                break;
            };
            end = Some(next);
            offering.at = next;
        }
        end
    }

    /// The last end of the maintenance that covers a moment.
    fn covered_until(&self, provider: &ProviderId, offering: Offering<'_>) -> Option<Timestamp> {
        let at = (offering.service, offering.at);
        let covering = self.windows.iter().filter(|it| it.covers(provider, at));
        let windows = covering.map(|window| window.time.end(offering.at)).max();
        let announced = self.announced.load();
        let covering = announced.iter().filter(|it| it.covers(provider, offering));
        windows.max(covering.map(|it| it.time.until()).max())
    }

    /// The accounts that are paused.
    pub(crate) fn paused(&self) -> Arc<PausedProviders> {
        self.paused.load_full()
    }

    /// The maintenance that is announced; some of it may be over.
    pub(crate) fn announced(&self) -> Arc<Vec<MaintenanceNotice>> {
        self.announced.load_full()
    }

    /// The freeze of every account's payments that is in force.
    pub(crate) fn frozen(&self) -> Option<Arc<PaymentFreeze>> {
        self.frozen.load_full()
    }

    /// Replaces what operators said.
    pub(crate) fn set(&self, said: OperatorsSaid) {
        self.paused.store(Arc::new(said.paused));
        self.announced.store(Arc::new(said.announced));
        self.frozen.store(said.frozen.map(Arc::new));
    }
}
