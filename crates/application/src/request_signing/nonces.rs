//! The nonces that signed requests used, by their accounts. None may be forgotten while its request
//! would be accepted, so what does not fit is refused. Other instances do not know of them.

use domain::account::AccountId;
use domain::credential::KeyId;
use message_signatures::{CLOCK_WINDOW, NonceMemory, NonceRefused, VerifiedRequest};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most nonces of one account, whichever of its keys signs: 90 requests a second over the window,
/// the time a clock may be ahead and the time below, so that no account takes the place of all
/// others. In some 16 MB.
const ACCOUNT_NONCES_MAX: usize = 60_000;

/// For how many seconds a nonce is remembered beyond its request's age: the gateway's clock may be
/// set back by as much, and nothing is accepted again.
const CLOCK_STEP_BACK: i64 = 60;

/// The nonces of every account.
#[derive(Debug)]
pub(crate) struct SignedNonces {
    memory: Mutex<Memory>,
    account_max: usize,
    all_max: usize,
}

#[derive(Debug, Default)]
struct Memory {
    by_account: HashMap<AccountId, NonceMemory>,
    /// How many nonces all of them have.
    total: usize,
    /// When those that were not used since were last looked through.
    swept_at: i64,
}

/// Why a nonce is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// For what its account used.
    OfAccount(NonceRefused),
    /// All accounts together used too many.
    Full,
}

impl Default for SignedNonces {
    fn default() -> Self {
        Self::new(ACCOUNT_NONCES_MAX, NonceMemory::NONCES_MAX)
    }
}

impl SignedNonces {
    fn new(account_max: usize, all_max: usize) -> Self {
        Self {
            memory: Mutex::default(),
            account_max,
            all_max,
        }
    }

    /// Uses up the nonce of a verified request, in seconds since the Unix epoch.
    pub(super) fn admit(
        &self,
        (account, key): (&AccountId, KeyId),
        verified: &VerifiedRequest,
        now: i64,
    ) -> Result<(), Refused> {
        let mut memory = self.lock();
        memory.sweep(now, self.all_max);
        if memory.total >= self.all_max {
            return Err(Refused::Full);
        }
        let account_max = self.account_max;
        let of_account = memory.by_account.entry(account.clone());
        let of_account = of_account.or_insert_with(|| NonceMemory::new(account_max));
        let before = of_account.len();
        // Two keys may use one nonce; a blank is in none.
        let nonce = format!("{key} {}", verified.nonce);
        let remembered_as = verified.created.saturating_add(CLOCK_STEP_BACK);
        let admitted = of_account.admit(&nonce, remembered_as, now);
        let after = of_account.len();
        memory.total = memory.total.saturating_sub(before).saturating_add(after);
        admitted.map_err(Refused::OfAccount)
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    /// Forgets what may be forgotten of every account: once in a window, and each second while no
    /// more fits.
    fn sweep(&mut self, now: i64, all_max: usize) {
        let pause = if self.total >= all_max {
            1
        } else {
            CLOCK_WINDOW.as_secs()
        };
        if self.swept_at.abs_diff(now) < pause {
            return;
        }
        self.swept_at = now;
        for of_account in self.by_account.values_mut() {
            of_account.forget_before(now);
        }
        self.by_account
            .retain(|_, of_account| !of_account.is_empty());
        self.total = self.by_account.values().map(NonceMemory::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(nonces: &SignedNonces, key: i64, nonce: &str, now: i64) -> Result<(), Refused> {
        admit_of(nonces, ("shop", key), nonce, now)
    }

    fn admit_of(
        nonces: &SignedNonces,
        (account, key): (&str, i64),
        nonce: &str,
        now: i64,
    ) -> Result<(), Refused> {
        let account = AccountId::parse(account).unwrap();
        let verified = VerifiedRequest {
            nonce: nonce.to_owned(),
            created: now,
        };
        nonces.admit((&account, KeyId(key)), &verified, now)
    }

    #[test]
    fn each_key_uses_a_nonce_once() {
        let nonces = SignedNonces::default();
        assert_eq!(admit(&nonces, 1, "a", 1_000), Ok(()));
        assert_eq!(admit(&nonces, 2, "a", 1_000), Ok(()));
        let used = Err(Refused::OfAccount(NonceRefused::Used));
        assert_eq!(admit(&nonces, 1, "a", 1_000), used);
        assert_eq!(admit(&nonces, 1, "a", 1_360), used);
        // The clock was set back by a minute, just when the age of the request was over.
        assert_eq!(admit(&nonces, 1, "a", 1_300), used);
    }

    #[test]
    fn what_does_not_fit_is_refused_until_something_may_be_forgotten() {
        let nonces = SignedNonces::new(2, 3);
        for nonce in ["a", "b"] {
            assert_eq!(admit(&nonces, 1, nonce, 1_000), Ok(()));
        }
        let full = Err(Refused::OfAccount(NonceRefused::Full));
        assert_eq!(admit(&nonces, 1, "c", 1_000), full);
        // Another key of the account has no place of its own.
        assert_eq!(admit(&nonces, 2, "c", 1_000), full);
        assert_eq!(admit_of(&nonces, ("other", 2), "a", 1_200), Ok(()));
        assert_eq!(
            admit_of(&nonces, ("other", 2), "b", 1_360),
            Err(Refused::Full)
        );
        assert_eq!(admit_of(&nonces, ("other", 2), "b", 1_361), Ok(()));
        let used = Err(Refused::OfAccount(NonceRefused::Used));
        assert_eq!(admit_of(&nonces, ("other", 2), "a", 1_361), used);
        // Nothing of the first account is left.
        assert_eq!(nonces.lock().by_account.len(), 1);
        assert_eq!(nonces.lock().total, 2);
    }
}
