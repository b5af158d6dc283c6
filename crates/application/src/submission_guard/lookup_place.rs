//! The place of a lookup among the submissions of an account: a provider counts every call. It must
//! not touch breakers, float or look-alikes: a lookup buys nothing.

use super::SubmissionGuard;
use domain::order::Service;
use ports::provider::Provider;
use std::sync::Arc;
use std::time::Duration;

/// A lookup under way. Its place is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct LookupPlace {
    guard: Arc<SubmissionGuard>,
    service: Service,
}

impl SubmissionGuard {
    /// Takes a place that counts like a submission of a product; `None` where the account takes no
    /// more now.
    pub(crate) fn begin_lookup(
        self: &Arc<Self>,
        (provider, service): (&Arc<dyn Provider>, Service),
        uptime: Duration,
    ) -> Option<LookupPlace> {
        let promised = provider.limits(service);
        let limits = (&self.settings.limits, &promised);
        let mut state = self.state();
        if !state.places.has_room(service, limits, uptime) {
            return None;
        }
        state.places.begin(service, uptime);
        Some(LookupPlace {
            guard: Arc::clone(self),
            service,
        })
    }
}

impl Drop for LookupPlace {
    fn drop(&mut self) {
        self.guard.state().places.end(self.service);
    }
}
