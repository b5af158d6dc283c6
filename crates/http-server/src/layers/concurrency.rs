//! Limits how many requests of one account are processed at a time, until their answers are
//! written. One account must never keep the others from the store, nor fill the memory with its
//! answers.

use domain::account::AccountId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Reads of one account that are processed at a time: as many as the readers of a store combine in
/// one statement or answer in a millisecond, and few enough that their answers, the largest of
/// which have some 500 kB, fit in memory for many accounts.
const READS_AT_ONCE: usize = 16;

/// Pages of one account that are processed at a time: each keeps a processor busy for some
/// milliseconds, which payments of other accounts wait for.
const PAGES_AT_ONCE: usize = 2;

/// Reads of one account that wait for a permit; more are refused at once.
const READS_WAITING_MAX: usize = 256;

/// Lookups of one account in flight: each waits for an answer from a third party.
const LOOKUPS_AT_ONCE: usize = 64;

/// Purchases of one account that wait for their outcome. A merchant with so many at a time pays
/// thousands in a second.
const PAYMENTS_AT_ONCE: usize = 1024;

/// Bulk requests of one account that are processed at a time: an instance prepares one, so more
/// would only keep those of other accounts waiting.
const BULKS_AT_ONCE: usize = 1;

/// The cost of a request while it is processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkClass {
    /// Creates a transaction.
    Payment,
    /// Creates many.
    Bulk,
    /// Waits for an answer from a third party.
    Lookup,
    /// Reads one record or a few.
    Read,
    /// Reads up to a hundred lines.
    Page,
}

/// The permits of every account that has requests in flight.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConcurrencyLimits(Arc<Mutex<HashMap<AccountId, Arc<Share>>>>);

/// The permits of one account.
#[derive(Debug)]
struct Share {
    reads: Arc<Semaphore>,
    pages: Arc<Semaphore>,
    reads_waiting: Arc<Semaphore>,
    lookups: Arc<Semaphore>,
    payments: Arc<Semaphore>,
    bulks: Arc<Semaphore>,
}

/// The permit of one request, released when dropped.
pub(crate) struct ConcurrencyPermit {
    limits: ConcurrencyLimits,
    account: AccountId,
    permit: Option<OwnedSemaphorePermit>,
    share: Arc<Share>,
}

/// The account has as many requests in flight as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full {
    /// The limit that was reached.
    pub(crate) at_once: usize,
}

impl fmt::Debug for ConcurrencyPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Turn").field(&self.account).finish()
    }
}

impl Default for Share {
    fn default() -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Self {
            reads: places(READS_AT_ONCE),
            pages: places(PAGES_AT_ONCE),
            reads_waiting: places(READS_WAITING_MAX),
            lookups: places(LOOKUPS_AT_ONCE),
            payments: places(PAYMENTS_AT_ONCE),
            bulks: places(BULKS_AT_ONCE),
        }
    }
}

impl ConcurrencyLimits {
    /// Acquires the permit of a request. A read waits behind the other reads of the account; a
    /// lookup or payment is refused where too many are in flight.
    pub(crate) async fn take(
        &self,
        account: &AccountId,
        work: WorkClass,
    ) -> Result<ConcurrencyPermit, Full> {
        let mut slot = self.of(account);
        let share = Arc::clone(&slot.share);
        let permit = match work {
            WorkClass::Payment => now(&share.payments).ok_or(Full {
                at_once: PAYMENTS_AT_ONCE,
            }),
            WorkClass::Bulk => now(&share.bulks).ok_or(Full {
                at_once: BULKS_AT_ONCE,
            }),
            WorkClass::Lookup => now(&share.lookups).ok_or(Full {
                at_once: LOOKUPS_AT_ONCE,
            }),
            WorkClass::Read => share.next(&share.reads, READS_AT_ONCE).await,
            WorkClass::Page => share.next(&share.pages, PAGES_AT_ONCE).await,
        };
        slot.permit = Some(permit?);
        Ok(slot)
    }

    fn of(&self, account: &AccountId) -> ConcurrencyPermit {
        let share = Arc::clone(self.accounts().entry(account.clone()).or_default());
        ConcurrencyPermit {
            limits: self.clone(),
            account: account.clone(),
            permit: None,
            share,
        }
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<AccountId, Arc<Share>>> {
        // Every change is complete before anything could panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Acquires a permit, behind the requests that already wait for one.
    async fn next(
        &self,
        places: &Arc<Semaphore>,
        count: usize,
    ) -> Result<OwnedSemaphorePermit, Full> {
        if let Some(permit) = now(places) {
            return Ok(permit);
        }
        let full = Full {
            at_once: count.saturating_add(READS_WAITING_MAX),
        };
        let waiting = now(&self.reads_waiting).ok_or(full)?;
        let slot = Arc::clone(places).acquire_owned().await;
        drop(waiting);
        // The semaphore is never closed.
        slot.map_err(|_| full)
    }
}

fn now(places: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    Arc::clone(places).try_acquire_owned().ok()
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        let mut accounts = self.limits.accounts();
        drop(self.permit.take());
        // This permit's and the map's own: the account has nothing else in flight.
        if Arc::strong_count(&self.share) <= 2 {
            accounts.remove(&self.account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn shop() -> AccountId {
        AccountId::parse("shop").unwrap()
    }

    /// The state of an acquisition now.
    fn poll<T>(slot: impl Future<Output = T>) -> Poll<T> {
        pin!(slot).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[track_caller]
    fn taken(limits: &ConcurrencyLimits, work: WorkClass) -> ConcurrencyPermit {
        match poll(limits.take(&shop(), work)) {
            Poll::Ready(Ok(slot)) => slot,
            Poll::Ready(Err(full)) => panic!("{full:?}"),
            Poll::Pending => panic!("it waits"),
        }
    }

    #[tokio::test]
    async fn reads_of_an_account_wait_for_each_other_and_not_for_those_of_another() {
        let limits = ConcurrencyLimits::default();
        let mut held: Vec<_> = (0..READS_AT_ONCE)
            .map(|_| taken(&limits, WorkClass::Read))
            .collect();
        let shop = shop();
        let mut next = Box::pin(limits.take(&shop, WorkClass::Read));
        assert!(poll(next.as_mut()).is_pending());
        let other = AccountId::parse("other").unwrap();
        assert!(poll(limits.take(&other, WorkClass::Read)).is_ready());
        assert!(poll(limits.take(&shop, WorkClass::Payment)).is_ready());
        held.pop();
        assert!(next.await.is_ok());
    }

    #[test]
    fn pages_take_turns_of_their_own() {
        let limits = ConcurrencyLimits::default();
        let mut held = vec![
            taken(&limits, WorkClass::Page),
            taken(&limits, WorkClass::Page),
        ];
        let shop = shop();
        let mut next = Box::pin(limits.take(&shop, WorkClass::Page));
        assert!(poll(next.as_mut()).is_pending());
        let _read = taken(&limits, WorkClass::Read);
        assert!(poll(next.as_mut()).is_pending());
        held.pop();
        assert!(matches!(poll(next.as_mut()), Poll::Ready(Ok(_))));
    }

    #[test]
    fn what_would_wait_too_long_is_refused() {
        let limits = ConcurrencyLimits::default();
        let reads = READS_AT_ONCE + READS_WAITING_MAX;
        let shop = shop();
        let mut under_way: Vec<_> = (0..reads)
            .map(|_| Box::pin(limits.take(&shop, WorkClass::Read)))
            .collect();
        let held: Vec<_> = under_way
            .iter_mut()
            .map(|slot| poll(slot.as_mut()))
            .collect();
        assert_eq!(
            held.iter().filter(|slot| slot.is_ready()).count(),
            READS_AT_ONCE
        );
        let full = poll(limits.take(&shop, WorkClass::Read)).map(Result::err);
        assert_eq!(full, Poll::Ready(Some(Full { at_once: reads })));
        for (work, at_once) in [
            (WorkClass::Payment, PAYMENTS_AT_ONCE),
            (WorkClass::Lookup, LOOKUPS_AT_ONCE),
        ] {
            let held: Vec<_> = (0..at_once).map(|_| taken(&limits, work)).collect();
            let full = poll(limits.take(&shop, work)).map(Result::err);
            assert_eq!(full, Poll::Ready(Some(Full { at_once })));
            drop(held);
            taken(&limits, work);
        }
    }

    #[test]
    fn an_account_without_a_request_is_forgotten() {
        let limits = ConcurrencyLimits::default();
        let (one, two) = (
            taken(&limits, WorkClass::Read),
            taken(&limits, WorkClass::Payment),
        );
        drop(one);
        assert_eq!(limits.accounts().len(), 1);
        drop(two);
        assert!(limits.accounts().is_empty());
        let held: Vec<_> = (0..READS_AT_ONCE)
            .map(|_| taken(&limits, WorkClass::Read))
            .collect();
        let shop = shop();
        let mut given_up = Box::pin(limits.take(&shop, WorkClass::Read));
        assert!(poll(given_up.as_mut()).is_pending());
        drop(given_up);
        drop(held);
        assert!(limits.accounts().is_empty());
    }
}
