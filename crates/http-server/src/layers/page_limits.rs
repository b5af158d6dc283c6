//! The limits of the pages that customers open without an account. They must not know what a page
//! shows.

use super::bounded_map::{BoundedMap, Evictable};
use super::bucket::{Bucket, Quota};
use std::num::NonZeroU32;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// How often one page is loaded in a minute: more is no person who waits for a transfer.
const PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// How often at once.
const AT_ONCE: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// How many pages are counted at a time; those that were not loaded for a while make room.
const PAGES_MAX: usize = 16_384;

/// How many pages are worked on at a time: each reads from the store, and payments go first.
const UNDER_WAY_MAX: usize = 16;

/// How often a page was loaded.
#[derive(Debug, Default)]
struct Loads(Bucket);

impl Evictable for Loads {
    fn idle_at(&self) -> Duration {
        self.0.full_at()
    }
}

/// The limits of pages; one for the process.
#[derive(Debug)]
pub(crate) struct PageLimits {
    rates: BoundedMap<Loads>,
    under_way: Semaphore,
}

impl Default for PageLimits {
    fn default() -> Self {
        Self {
            rates: BoundedMap::new(PAGES_MAX),
            under_way: Semaphore::new(UNDER_WAY_MAX),
        }
    }
}

impl PageLimits {
    /// Whether a page may be loaded once more. It must be called what this gateway calls it: who
    /// may choose the name has as many loads as names.
    pub(crate) fn admits(&self, page: &str, uptime: Duration) -> bool {
        let quota = Quota::new(PER_MINUTE, AT_ONCE);
        let key = self.rates.key(page);
        self.rates
            .with(key, uptime, |loads| loads.0.take(quota, uptime).is_ok())
    }

    /// The permit to work on a page; `None` where too many are worked on.
    pub(crate) fn permit(&self) -> Option<SemaphorePermit<'_>> {
        self.under_way.try_acquire().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_loaded_so_often_and_another_page_all_the_same() {
        let limits = PageLimits::default();
        let at = Duration::from_secs(1);
        let taken = (0..100).filter(|_| limits.admits("a", at)).count();
        assert_eq!(taken, 20);
        assert!(limits.admits("b", at));
        assert!(limits.admits("a", at + Duration::from_secs(1)));
    }

    #[test]
    fn a_page_that_was_loaded_too_often_is_not_let_in_by_loads_of_others() {
        let limits = PageLimits::default();
        let at = Duration::from_secs(1);
        while limits.admits("a", at) {}
        for page in 0..PAGES_MAX / 2 {
            limits.admits(&page.to_string(), at);
        }
        assert!(!limits.admits("a", at));
    }

    #[test]
    fn so_many_are_worked_on_at_a_time() {
        let limits = PageLimits::default();
        let held: Vec<_> = (0..UNDER_WAY_MAX).map(|_| limits.permit()).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(limits.permit().is_none());
    }
}
