//! What waits for one endpoint, and how well it was served. It must know nothing of other
//! endpoints.

use super::delivery::AttemptOutcome;
use super::limits::{
    BACKOFF_MAX, BACKOFF_MIN, FAILURES_MAX, LEASE_LEFT_MIN, PER_ENDPOINT_MAX, PER_NEW_ENDPOINT_MAX,
    SHARE_DIVISOR,
};
use super::round_robin::QueueClass;
use crate::guard::LookupPriority;
use domain::time::Timestamp;
use domain::webhook::EndpointHealth;
use ports::webhooks::Claimed;
use std::collections::VecDeque;

/// Far more doublings than the longest pause needs.
const DOUBLINGS_MAX: u32 = 16;

/// A delivery that waits for a place, since when, and until when it is ours.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) claimed: Claimed,
    pub(super) since: Timestamp,
    pub(super) until: Timestamp,
    /// Whether a merchant requested it.
    pub(super) asked_for: bool,
}

/// One endpoint.
#[derive(Debug)]
pub(super) struct EndpointQueue {
    waiting: VecDeque<Waiting>,
    under_way: usize,
    /// How many deliveries it took since it last failed too often, as far as they count.
    taken: usize,
    failures: u32,
    /// When something last happened to it.
    touched_at: Timestamp,
    /// Until when it is not tried again where it fails too often.
    rests_until: Timestamp,
    /// Until when it asked to be left alone, however well it is.
    busy_until: Timestamp,
}

impl Default for EndpointQueue {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            under_way: 0,
            taken: 0,
            failures: 0,
            touched_at: Timestamp::from_millis(i64::MIN),
            rests_until: Timestamp::from_millis(i64::MIN),
            busy_until: Timestamp::from_millis(i64::MIN),
        }
    }
}

impl EndpointQueue {
    /// An endpoint as it is found: one that fails elsewhere, or did before this began, has nothing
    /// to prove.
    pub(super) fn of(health: EndpointHealth) -> Self {
        let failures = if health.is_failing() { FAILURES_MAX } else { 0 };
        Self {
            failures,
            ..Self::default()
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) const fn under_way(&self) -> usize {
        self.under_way
    }

    /// Whether it failed so often that it is tried by one delivery at a time.
    pub(super) const fn is_failing(&self) -> bool {
        self.failures >= FAILURES_MAX
    }

    /// Whether it is not known to take deliveries.
    pub(super) const fn is_doubtful(&self) -> bool {
        self.taken == 0
    }

    /// Whether its last attempt failed.
    pub(super) const fn has_failed(&self) -> bool {
        self.failures > 0
    }

    /// On whose behalf its host is looked up.
    pub(super) const fn asker(&self) -> LookupPriority {
        if self.is_doubtful() || self.has_failed() {
            LookupPriority::Unproven
        } else {
            LookupPriority::Proven
        }
    }

    /// Whether nothing of it is here.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way == 0 && self.waiting.is_empty()
    }

    /// Whether it asked to be left alone for longer.
    pub(super) fn is_busy(&self, now: Timestamp) -> bool {
        now < self.busy_until
    }

    /// Whether it neither fails too often nor asked to be left alone.
    fn is_well(&self, now: Timestamp) -> bool {
        !self.is_failing() && !self.is_busy(now)
    }

    /// Whether what is claimed next would not be begun next.
    pub(super) fn is_in_the_way(&self, now: Timestamp) -> bool {
        !self.waiting.is_empty() || !self.is_well(now)
    }

    /// Whether it has no room for more requested deliveries: one at a time waits in front of the
    /// rest, and for an unhealthy endpoint it is the only one.
    pub(super) fn has_requested(&self, now: Timestamp) -> bool {
        let is_first = self.waiting.front().is_some_and(|first| first.asked_for);
        is_first || !(self.is_well(now) || self.is_idle())
    }

    /// Whether a failing endpoint is tried by the next delivery there is.
    pub(super) fn is_due_for_trial(&self, now: Timestamp) -> bool {
        self.is_failing() && self.is_idle() && self.rests_until <= now && !self.is_busy(now)
    }

    /// In which order those of which nothing is here are forgotten: at last those of which it is
    /// known that they are better left alone.
    pub(super) fn worth(&self, now: Timestamp) -> (bool, Timestamp) {
        (self.is_failing() || self.is_busy(now), self.touched_at)
    }

    /// Admits a delivery, where it is not rather left to its lease: a failing endpoint has one at a
    /// time, and one in backoff has none. A requested delivery, which a merchant waits for, is
    /// attempted whatever the health of the endpoint, and before all else.
    pub(super) fn admit(&mut self, waiting: Waiting, now: Timestamp) {
        let takes = if waiting.asked_for {
            self.is_well(now) || self.is_idle()
        } else if self.is_failing() {
            self.is_due_for_trial(now)
        } else {
            !self.is_busy(now)
        };
        self.touched_at = now;
        if takes && waiting.asked_for {
            self.waiting.push_front(waiting);
        } else if takes {
            self.waiting.push_back(waiting);
        }
    }

    /// The next delivery, where so many places are free in all. What could not be recorded before
    /// its lease ends is left to it.
    pub(super) fn next(&mut self, free: usize, now: Timestamp) -> Option<Waiting> {
        if free == 0 || self.under_way >= self.places(free) {
            return None;
        }
        while let Some(waiting) = self.waiting.pop_front() {
            if now.plus(LEASE_LEFT_MIN) <= waiting.until {
                self.under_way = self.under_way.saturating_add(1);
                return Some(waiting);
            }
        }
        None
    }

    fn places(&self, free: usize) -> usize {
        let share = free.checked_div(SHARE_DIVISOR).unwrap_or_default().max(1);
        self.earned().min(share)
    }

    /// As many places as it may have where all are free.
    fn earned(&self) -> usize {
        PER_ENDPOINT_MAX.min(PER_NEW_ENDPOINT_MAX.saturating_add(self.taken))
    }

    /// How it stands, if something could be begun for it.
    pub(super) fn class(&self) -> Option<QueueClass> {
        let could_begin = !self.waiting.is_empty() && self.under_way < self.earned();
        could_begin.then(|| QueueClass {
            doubtful: self.is_doubtful(),
            failed: self.has_failed(),
            failing: self.is_failing(),
        })
    }

    /// Takes note of how an attempt ended. What waits for an endpoint that fails too often, or is
    /// to be left alone, is left to its lease.
    pub(super) fn ended(&mut self, ending: AttemptOutcome, now: Timestamp) {
        self.under_way = self.under_way.saturating_sub(1);
        self.touched_at = now;
        match ending {
            AttemptOutcome::Accepted => {
                self.failures = 0;
                self.taken = PER_ENDPOINT_MAX.min(self.taken.saturating_add(1));
            }
            AttemptOutcome::Failed { leave_alone } => {
                self.failures = self.failures.saturating_add(1);
                let more = self.failures.saturating_sub(FAILURES_MAX);
                let pause = BACKOFF_MIN.saturating_mul(1 << more.min(DOUBLINGS_MAX));
                self.rests_until = now.plus(pause.min(BACKOFF_MAX));
                let busy_until = now.plus(leave_alone.unwrap_or_default());
                self.busy_until = self.busy_until.max(busy_until);
            }
            // It is about to be disabled.
            AttemptOutcome::Gone => {
                self.failures = FAILURES_MAX.max(self.failures.saturating_add(1));
                self.rests_until = now.plus(BACKOFF_MAX);
            }
            AttemptOutcome::Skipped => self.clear(),
        }
        if self.is_failing() {
            self.taken = 0;
        }
        if self.is_failing() || self.is_busy(now) {
            self.clear();
        }
    }

    /// Has it left alone until a moment.
    pub(super) const fn rest(&mut self, until: Timestamp) {
        self.rests_until = until;
    }

    /// Leaves everything that waits to its lease.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
