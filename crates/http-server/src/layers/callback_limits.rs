//! The limits of what providers post by themselves. They must not know what a callback says.

use super::bucket::{Bucket, Quota};
use domain::provider::ProviderId;
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// How many callbacks of one provider are taken in a minute: 1,000 a second, several times what one
/// reports at its busiest, and few enough that a flood leaves the processor to payments.
const PER_MINUTE: NonZeroU32 = NonZeroU32::new(60_000).unwrap();

/// How many of them at once.
pub(crate) const AT_ONCE: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

/// How many callbacks are worked on at a time, over all providers: each asks the provider and
/// commits, as a payment does, and payments go first.
const UNDER_WAY_MAX: usize = 32;

/// How many refusals of callbacks are delayed at a time. A flood over more connections is refused
/// at once: what is delayed must not pile up.
pub(crate) const PAUSED_MAX: usize = 256;

/// The limits of callbacks; one for the process.
#[derive(Debug)]
pub(crate) struct CallbackLimits {
    /// Of configured providers only, so it does not grow.
    rates: Mutex<HashMap<ProviderId, Bucket>>,
    under_way: Semaphore,
    paused: Semaphore,
}

impl Default for CallbackLimits {
    fn default() -> Self {
        Self {
            rates: Mutex::default(),
            under_way: Semaphore::new(UNDER_WAY_MAX),
            paused: Semaphore::new(PAUSED_MAX),
        }
    }
}

impl CallbackLimits {
    /// The permit to work on a callback; `None` where its provider sends too many, or too many are
    /// worked on. A callback counts for its provider in either case.
    pub(crate) fn permit(
        &self,
        provider: &ProviderId,
        uptime: Duration,
    ) -> Option<SemaphorePermit<'_>> {
        let admitted = self.admits(provider, uptime);
        self.under_way.try_acquire().ok().filter(|_| admitted)
    }

    /// The place of a refusal that is delayed; `None` where it is answered at once.
    pub(crate) fn pause(&self) -> Option<SemaphorePermit<'_>> {
        self.paused.try_acquire().ok()
    }

    fn admits(&self, provider: &ProviderId, uptime: Duration) -> bool {
        let mut rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = rates.entry(provider.clone()).or_default();
        bucket.take(Quota::new(PER_MINUTE, AT_ONCE), uptime).is_ok()
    }
}
