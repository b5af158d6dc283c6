//! The requests under way on an HTTP/2 connection: how many, in whose slots, and how many its
//! client cancelled. A request must count until its answer was taken or it is reset.

use super::limits::CANCELLED_MAX;
use crate::layers::connection_owner::ConnectionOwner;
use crate::serve::connection_limits::ConnectionSlot;
use crate::serve::phase::{ConnectionPhase, Phase, PhaseHandle};
use domain::account::AccountId;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The requests of one connection.
#[derive(Debug)]
pub(super) struct Requests {
    phase: ConnectionPhase,
    counts: Mutex<Counts>,
    /// Its first request has begun, its last one has ended, or too many were cancelled.
    changed: Notify,
    /// How many bytes of answers were handed over.
    sent: AtomicU64,
}

#[derive(Debug)]
struct Counts {
    under_way: usize,
    has_begun: bool,
    /// Whether one of them is in the connection's own slot.
    is_slot_taken: bool,
    cancellations_left: u32,
}

/// What a connection does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Activity {
    /// No request is under way.
    pub(super) is_at_rest: bool,
    /// There was a request.
    pub(super) has_begun: bool,
    pub(super) cancels_too_often: bool,
}

impl Requests {
    pub(super) fn new(phase: ConnectionPhase) -> Arc<Self> {
        Arc::new(Self {
            phase,
            counts: Mutex::new(Counts {
                under_way: 0,
                has_begun: false,
                is_slot_taken: false,
                cancellations_left: CANCELLED_MAX,
            }),
            changed: Notify::new(),
            sent: AtomicU64::new(0),
        })
    }

    pub(super) fn begin(self: &Arc<Self>) -> UnderWay {
        let mut counts = self.counts();
        counts.under_way = counts.under_way.saturating_add(1);
        let is_in_own_slot = !counts.is_slot_taken;
        counts.is_slot_taken = true;
        self.phase.set(Phase::Busy);
        if !counts.has_begun {
            counts.has_begun = true;
            self.changed.notify_one();
        }
        drop(counts);
        UnderWay {
            requests: Arc::clone(self),
            is_in_own_slot,
            is_answered: false,
            slot: None,
            permit: None,
        }
    }

    fn end(&self, ended: &UnderWay) {
        let mut counts = self.counts();
        counts.under_way = counts.under_way.saturating_sub(1);
        if ended.is_in_own_slot {
            counts.is_slot_taken = false;
        }
        counts.cancellations_left = if ended.is_answered {
            counts
                .cancellations_left
                .saturating_add(1)
                .min(CANCELLED_MAX)
        } else {
            counts.cancellations_left.saturating_sub(1)
        };
        if counts.under_way == 0 {
            self.phase.set(Phase::Idle);
        }
        if counts.under_way == 0 || counts.cancellations_left == 0 {
            self.changed.notify_one();
        }
    }

    pub(super) fn activity(&self) -> Activity {
        let counts = self.counts();
        Activity {
            is_at_rest: counts.under_way == 0,
            has_begun: counts.has_begun,
            cancels_too_often: counts.cancellations_left == 0,
        }
    }

    /// Waits until the activity may have changed.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Waits until no request was under way for so long and nothing is unread, or too many were
    /// cancelled.
    pub(super) async fn rest_for(&self, limit: Duration, unread: &AtomicBool) {
        loop {
            let activity = self.activity();
            if activity.cancels_too_often {
                return;
            }
            let changed = tokio::time::timeout(limit, self.changed()).await;
            let is_read = !unread.load(Ordering::Relaxed);
            if changed.is_err() && is_read && activity.is_at_rest && self.activity().is_at_rest {
                return;
            }
        }
    }

    /// Counts bytes of an answer that were handed over.
    pub(super) fn send(&self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.sent.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// How many requests are under way.
    pub(super) fn under_way(&self) -> u64 {
        u64::try_from(self.counts().under_way).unwrap_or(u64::MAX)
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // Every change is complete before anything could panic.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is under way until this is dropped.
#[derive(Debug)]
pub(super) struct UnderWay {
    pub(super) requests: Arc<Requests>,
    is_in_own_slot: bool,
    is_answered: bool,
    /// Its slot, where another request has that of the connection.
    slot: Option<Arc<ConnectionSlot>>,
    /// The concurrency permit that is kept until the answer was taken.
    permit: Option<PhaseHandle>,
}

impl UnderWay {
    /// The owner of its connection and slot; `None` where no slot is free for it.
    pub(super) fn placed<'a>(&mut self, connection: &'a ConnectionSlot) -> Option<StreamOwner<'a>> {
        if !self.is_in_own_slot {
            self.slot = Some(Arc::new(connection.another()?));
        }
        Some(StreamOwner {
            connection,
            own: self.slot.clone(),
        })
    }

    /// Keeps the permit of the request until it ends.
    pub(super) fn hold(&mut self, permit: Option<PhaseHandle>) {
        self.permit = permit;
    }

    /// Its whole answer was handed over: whatever becomes of it, the client has not cancelled it.
    pub(super) fn answered(&mut self) {
        self.is_answered = true;
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.requests.end(self);
    }
}

/// The slots that a request of an account makes the account's.
#[derive(Debug)]
pub(super) struct StreamOwner<'a> {
    connection: &'a ConnectionSlot,
    own: Option<Arc<ConnectionSlot>>,
}

impl ConnectionOwner for StreamOwner<'_> {
    fn is_of(&self, account: &AccountId) {
        self.connection.is_of(account);
        if let Some(own) = &self.own {
            own.is_of(account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::client_address::TrustedProxies;
    use crate::serve::connection_limits::Places;
    use tokio_util::sync::CancellationToken;

    fn slot(places: &Places) -> Option<ConnectionSlot> {
        places.take("10.0.0.1".parse().unwrap(), &CancellationToken::new())
    }

    #[test]
    fn each_request_beyond_the_first_takes_a_slot_until_it_ends() {
        // A quarter of them is for one address.
        let places = Places::new(12, TrustedProxies::default());
        let connection = slot(&places).unwrap();
        let requests = Requests::new(connection.phase.clone());
        let mut under_way: Vec<_> = (0..4).map(|_| requests.begin()).collect();
        let owners = under_way.iter_mut().map(|one| one.placed(&connection));
        let found: Vec<_> = owners.map(|owner| owner.is_some()).collect();
        assert_eq!(found, [true, true, true, false]);
        assert!(slot(&places).is_none(), "an open connection waits for none");
        under_way.remove(1);
        let mut next = requests.begin();
        assert!(next.placed(&connection).is_some());
        drop((next, under_way));
        assert_eq!(connection.phase.get(), Phase::Idle);
        assert!(slot(&places).is_some());
    }

    #[test]
    fn a_connection_is_busy_until_its_last_request_has_ended() {
        let places = Places::new(12, TrustedProxies::default());
        let connection = slot(&places).unwrap();
        let requests = Requests::new(connection.phase.clone());
        assert!(!requests.activity().has_begun);
        let (first, second) = (requests.begin(), requests.begin());
        drop(first);
        assert_eq!(connection.phase.get(), Phase::Busy);
        assert!(!requests.activity().is_at_rest);
        drop(second);
        assert_eq!(connection.phase.get(), Phase::Idle);
        assert!(requests.activity().is_at_rest && requests.activity().has_begun);
    }

    #[test]
    fn cancelling_is_made_up_for_by_answers() {
        let places = Places::new(12, TrustedProxies::default());
        let requests = Requests::new(slot(&places).unwrap().phase.clone());
        for _ in 0..3 * CANCELLED_MAX {
            drop(requests.begin());
            requests.begin().answered();
        }
        assert!(!requests.activity().cancels_too_often);
        for left in (0..CANCELLED_MAX).rev() {
            drop(requests.begin());
            assert_eq!(requests.activity().cancels_too_often, left == 0);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_rests_once_its_last_answer_is_read() {
        let places = Places::new(12, TrustedProxies::default());
        let requests = Requests::new(slot(&places).unwrap().phase.clone());
        let unread = AtomicBool::new(true);
        let rests = async |seconds| {
            let rest = requests.rest_for(Duration::from_secs(1), &unread);
            let limit = Duration::from_secs(seconds);
            tokio::time::timeout(limit, rest).await.is_ok()
        };
        assert!(!rests(60).await);
        unread.store(false, Ordering::Relaxed);
        let under_way = requests.begin();
        assert!(!rests(60).await);
        drop(under_way);
        assert!(rests(3).await);
    }
}
