//! Since when this process has been asked after purchases that are not stored. It must not call one
//! of them never made while a request for it may still be under way at another instance.

use application::Gateway;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a purchase that is not stored may still be under way somewhere: longer than a request
/// takes until its transaction is stored or refused. That is 30 seconds for its body, 10 for a
/// lookup, 12 for each of its reads and for the commit, and as much again to spare.
pub(crate) const UNDER_WAY_FOR: Duration = Duration::from_mins(3);

/// How long a moment is remembered. Clients query every few seconds or minutes; one that asks again
/// later waits once more.
const REMEMBERED_FOR: Duration = Duration::from_mins(30);

/// How many are remembered: at some 300 bytes each, 20 MB.
const IDS_MAX: usize = 65_536;

/// How many of them may be of one account, so that one that asks after everything does not keep the
/// others waiting: about as many as it may buy at five a second in the time that they are
/// remembered.
const IDS_OF_ACCOUNT_MAX: usize = 8_192;

type Key = (AccountId, MerchantReference);

/// The moments of the first questions.
#[derive(Debug, Default)]
pub(crate) struct UnknownIds(Mutex<Asked>);

#[derive(Debug, Default)]
struct Asked {
    first: HashMap<Key, Duration>,
    /// Oldest first.
    order: VecDeque<(Duration, Key)>,
    of_account: HashMap<AccountId, usize>,
}

impl UnknownIds {
    /// Whether no purchase can be under way any more for a reference that is not stored.
    pub(super) fn is_never_used(&self, gateway: &Gateway, key: Key) -> bool {
        let uptime = gateway.uptime();
        // Every change is whole before anything could panic.
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.forget(uptime);
        let first = asked.first_of(key, uptime);
        first.is_some_and(|first| uptime.saturating_sub(first) >= UNDER_WAY_FOR)
    }
}

impl Asked {
    fn forget(&mut self, uptime: Duration) {
        let is_old = |first: Duration| uptime.saturating_sub(first) >= REMEMBERED_FOR;
        while let Some((_, key)) = self.order.pop_front_if(|(first, _)| is_old(*first)) {
            self.first.remove(&key);
            if let Some(count) = self.of_account.get_mut(&key.0) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.of_account.remove(&key.0);
                }
            }
        }
    }

    /// When a reference was first asked after; `None` where there is no room to remember it.
    fn first_of(&mut self, key: Key, uptime: Duration) -> Option<Duration> {
        if let Some(first) = self.first.get(&key) {
            return Some(*first);
        }
        let own = self.of_account.get(&key.0).copied().unwrap_or_default();
        if self.first.len() >= IDS_MAX || own >= IDS_OF_ACCOUNT_MAX {
            return None;
        }
        self.of_account.insert(key.0.clone(), own + 1);
        self.order.push_back((uptime, key.clone()));
        self.first.insert(key, uptime);
        Some(uptime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(account: &str, n: usize) -> Key {
        let reference = MerchantReference::parse(&n.to_string()).unwrap();
        (AccountId::parse(account).unwrap(), reference)
    }

    #[test]
    fn what_there_is_no_room_for_stays_open_and_room_comes_back() {
        let (mut asked, start) = (Asked::default(), Duration::from_secs(1));
        for n in 0..IDS_OF_ACCOUNT_MAX {
            assert_eq!(asked.first_of(key("shop", n), start), Some(start));
        }
        assert_eq!(asked.first_of(key("shop", IDS_OF_ACCOUNT_MAX), start), None);
        assert_eq!(asked.first_of(key("other", 0), start), Some(start));
        let accounts = (IDS_MAX / IDS_OF_ACCOUNT_MAX) + 1;
        for account in 0..accounts {
            for n in 0..IDS_OF_ACCOUNT_MAX {
                asked.first_of(key(&format!("shop{account}"), n), start);
            }
        }
        assert_eq!(asked.first.len(), IDS_MAX);
        assert_eq!(asked.first_of(key("last", 0), start), None);
        let later = start + REMEMBERED_FOR;
        asked.forget(later.saturating_sub(Duration::from_secs(1)));
        assert_eq!(asked.first_of(key("shop", 0), later), Some(start));
        asked.forget(later);
        assert!(asked.first.is_empty() && asked.order.is_empty() && asked.of_account.is_empty());
        assert_eq!(asked.first_of(key("shop", 0), later), Some(later));
    }
}
