//! Answered requests on their way to the store. Adding one must wait for nothing but the lock, and
//! none of what accounts do may leave another account without room.

use domain::account::AccountId;
use domain::request_log::AnsweredRequest;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Most requests that wait: three seconds of what is written at most, and four megabytes.
pub(crate) const WAITING_MAX: usize = 16_384;

/// What an account may have waiting is this part of what is free: one that sends without end takes
/// a fifth of all, and twenty of them leave room for the next one. A burst of every limit of an
/// account, some 1,300 requests, fits.
const SHARE_OF_FREE: usize = 4;

/// How many are written at a time: one statement of some milliseconds.
pub(crate) const BATCH_MAX: usize = 500;

#[derive(Debug, Default)]
struct Waiting {
    requests: VecDeque<AnsweredRequest>,
    /// How many of them each account has.
    of_accounts: HashMap<AccountId, usize>,
    left_out: u64,
}

/// The requests that wait to be written.
#[derive(Debug, Default)]
pub(crate) struct WaitingRequests {
    waiting: Mutex<Waiting>,
    is_batch: Notify,
}

impl WaitingRequests {
    /// Adds a request, or leaves it out where its account has no room.
    pub(crate) fn add(&self, request: AnsweredRequest) {
        let mut waiting = self.lock();
        let free = WAITING_MAX.saturating_sub(waiting.requests.len());
        let own = waiting.of_accounts.get(&request.account);
        if own.copied().unwrap_or_default() >= free / SHARE_OF_FREE {
            waiting.left_out = waiting.left_out.saturating_add(1);
            return;
        }
        if let Some(own) = waiting.of_accounts.get_mut(&request.account) {
            *own = own.saturating_add(1);
        } else {
            waiting.of_accounts.insert(request.account.clone(), 1);
        }
        waiting.requests.push_back(request);
        let is_batch = waiting.requests.len() == BATCH_MAX;
        drop(waiting);
        if is_batch {
            self.is_batch.notify_one();
        }
    }

    /// Takes the oldest, a batch at most.
    pub(crate) fn take(&self) -> Vec<AnsweredRequest> {
        let mut waiting = self.lock();
        let count = waiting.requests.len().min(BATCH_MAX);
        let taken: Vec<_> = waiting.requests.drain(..count).collect();
        for request in &taken {
            if let Some(own) = waiting.of_accounts.get_mut(&request.account) {
                *own = own.saturating_sub(1);
            }
        }
        waiting.of_accounts.retain(|_, own| *own > 0);
        taken
    }

    /// Returns once a batch waits.
    pub(crate) async fn until_batch(&self) {
        while self.lock().requests.len() < BATCH_MAX {
            self.is_batch.notified().await;
        }
    }

    /// Counts requests that could not be written.
    pub(crate) fn lost(&self, count: usize) {
        let mut waiting = self.lock();
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        waiting.left_out = waiting.left_out.saturating_add(count);
    }

    /// How many were left out.
    pub(crate) fn left_out(&self) -> u64 {
        self.lock().left_out
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing panics while it is locked.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::answered_request;

    fn adds(waiting: &WaitingRequests, account: &str, count: usize) -> u64 {
        let before = waiting.left_out();
        for _ in 0..count {
            waiting.add(answered_request(account, 1));
        }
        waiting.left_out() - before
    }

    #[test]
    fn one_account_takes_a_fifth_and_a_burst_of_its_limits_fits() {
        let waiting = WaitingRequests::default();
        assert_eq!(adds(&waiting, "shop", 1_330), 0);
        adds(&waiting, "shop", WAITING_MAX);
        let own = waiting.lock().requests.len();
        assert!(
            (WAITING_MAX / 5..=WAITING_MAX / 5 + 2).contains(&own),
            "{own}"
        );
        assert_eq!(adds(&waiting, "other", 1_330), 0);
    }

    #[test]
    fn twenty_accounts_that_send_without_end_leave_room_for_the_next_one() {
        let waiting = WaitingRequests::default();
        for nth in 0..20 {
            adds(&waiting, &format!("greedy{nth}"), WAITING_MAX);
        }
        assert!(waiting.lock().requests.len() < WAITING_MAX);
        assert_eq!(adds(&waiting, "quiet", 10), 0);
    }

    #[test]
    fn what_is_taken_makes_room_and_the_oldest_go_first() {
        let waiting = WaitingRequests::default();
        for second in 1..=501 {
            waiting.add(answered_request("shop", second));
        }
        let first = waiting.take();
        assert_eq!(
            (first.len(), &first[0]),
            (500, &answered_request("shop", 1))
        );
        assert_eq!(waiting.take(), [answered_request("shop", 501)]);
        assert_eq!(waiting.take(), []);
        assert!(waiting.lock().of_accounts.is_empty());
    }
}
