//! The nonces that were used. One must be remembered for as long as its request would be accepted,
//! so a full memory refuses new ones rather than forget one too soon.

use super::CLOCK_WINDOW;
use std::collections::{BTreeSet, HashSet};

/// The nonces of the clock window.
#[derive(Debug)]
pub struct NonceMemory {
    used: HashSet<String>,
    /// By the second in which each may be forgotten.
    expiring: BTreeSet<(i64, String)>,
    nonces_max: usize,
}

/// Why a nonce is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NonceRefused {
    /// It was used before: the request is a copy.
    #[error("the nonce was used before; sign each request anew")]
    Used,
    /// No more can be remembered.
    #[error("too many requests within the clock window; send fewer")]
    Full,
}

impl NonceMemory {
    /// Most nonces that are remembered: 1,600 requests a second over the window and the time a
    /// clock may be ahead, in some 100 MB.
    pub const NONCES_MAX: usize = 960_000;

    /// A memory for so many nonces.
    pub fn new(nonces_max: usize) -> Self {
        Self {
            used: HashSet::new(),
            expiring: BTreeSet::new(),
            nonces_max,
        }
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.used.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Uses up the nonce of a verified request; both moments in seconds since the Unix epoch.
    ///
    /// # Errors
    /// When it was used before, or no more can be remembered.
    pub fn admit(&mut self, nonce: &str, created: i64, now: i64) -> Result<(), NonceRefused> {
        self.forget_before(now);
        if self.used.contains(nonce) {
            return Err(NonceRefused::Used);
        }
        if self.used.len() >= self.nonces_max {
            return Err(NonceRefused::Full);
        }
        let window = i64::try_from(CLOCK_WINDOW.as_secs()).unwrap_or(i64::MAX);
        let until = created.saturating_add(window);
        self.used.insert(nonce.to_owned());
        self.expiring.insert((until, nonce.to_owned()));
        Ok(())
    }

    /// Forgets those whose requests would be refused by their age, in seconds since the Unix epoch.
    pub fn forget_before(&mut self, now: i64) {
        while let Some((until, _)) = self.expiring.first()
            && *until < now
            && let Some((_, nonce)) = self.expiring.pop_first()
        {
            self.used.remove(&nonce);
        }
    }
}

impl Default for NonceMemory {
    fn default() -> Self {
        Self::new(Self::NONCES_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_used_once_for_as_long_as_its_request_would_be_accepted() {
        let mut memory = NonceMemory::new(2);
        assert_eq!(memory.admit("a", 1_000, 1_000), Ok(()));
        assert_eq!(memory.admit("a", 1_000, 1_300), Err(NonceRefused::Used));
        assert_eq!(memory.admit("b", 1_300, 1_300), Ok(()));
        assert_eq!(memory.admit("c", 1_300, 1_300), Err(NonceRefused::Full));
        // Signed at 1000, so refused by its age from 1301 on.
        assert_eq!(memory.admit("c", 1_301, 1_301), Ok(()));
        assert_eq!(memory.admit("b", 1_301, 1_600), Err(NonceRefused::Used));
        assert_eq!(memory.admit("b", 1_601, 1_601), Ok(()));
    }
}
