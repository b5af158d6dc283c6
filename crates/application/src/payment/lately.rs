//! What was met lately: whose payments a store refused, which providers were given nothing. It must
//! forget by itself, or it would grow and outlive what it was noted for.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Keys that were noted for a time, in uptime.
#[derive(Debug)]
pub(super) struct Lately<K>(Mutex<HashMap<K, Duration>>);

impl<K> Default for Lately<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq> Lately<K> {
    /// Notes a key for a time; whether it was not noted.
    pub(super) fn note(&self, key: K, (now, time): (Duration, Duration)) -> bool {
        let mut noted = self.noted();
        noted.retain(|_, until| now < *until);
        noted.insert(key, now.saturating_add(time)).is_none()
    }

    /// Whether a key is noted.
    pub(super) fn has(&self, key: &K, now: Duration) -> bool {
        self.noted().get(key).is_some_and(|until| now < *until)
    }

    fn noted(&self) -> MutexGuard<'_, HashMap<K, Duration>> {
        // Every change is whole before anything could panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_noted_for_its_time_and_no_longer() {
        let (lately, minute) = (Lately::default(), Duration::from_mins(1));
        assert!(!lately.has(&"a", Duration::ZERO));
        assert!(lately.note("a", (Duration::ZERO, minute)));
        assert!(!lately.note("a", (Duration::ZERO, minute)));
        assert!(lately.has(&"a", Duration::from_secs(59)));
        assert!(!lately.has(&"b", Duration::from_secs(59)));
        assert!(!lately.has(&"a", minute));
        assert!(lately.note("b", (minute, minute)));
        assert_eq!(lately.noted().len(), 1);
    }
}
