//! What waits for one endpoint, and how well it was served. It must know nothing of other
//! endpoints.

use super::attempt::Ending;
use super::limits::{
    FAILURES_MAX, FIRST_REST, LEASE_LEFT_MIN, PER_ENDPOINT_MAX, REST_MAX, SHARE, WAITING_LOW,
};
use domain::time::Timestamp;
use ports::webhooks::Claimed;
use std::collections::VecDeque;

/// Far more doublings than the longest pause needs.
const DOUBLINGS_MAX: u32 = 16;

/// A delivery that waits for a place, and until when it is ours.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) claimed: Claimed,
    pub(super) until: Timestamp,
}

/// One endpoint.
#[derive(Debug)]
pub(super) struct Line {
    waiting: VecDeque<Waiting>,
    under_way: usize,
    failures: u32,
    rests_until: Timestamp,
    /// Whether the last claim brought as much as it may.
    more: bool,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            under_way: 0,
            failures: 0,
            rests_until: Timestamp::from_millis(i64::MIN),
            more: false,
        }
    }
}

impl Line {
    /// Whether it failed so often that it is tried by one delivery at a time.
    pub(super) const fn is_failing(&self) -> bool {
        self.failures >= FAILURES_MAX
    }

    /// How many attempts are under way to it while it fails.
    pub(super) const fn failing_under_way(&self) -> usize {
        if self.is_failing() { self.under_way } else { 0 }
    }

    /// Whether nothing of it is here.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way == 0 && self.waiting.is_empty()
    }

    /// Whether nothing needs to be remembered of it.
    pub(super) fn is_forgotten(&self) -> bool {
        self.is_idle() && self.failures == 0
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) const fn rests_until(&self) -> Timestamp {
        self.rests_until
    }

    /// Whether a failing endpoint is tried by the next delivery there is.
    pub(super) fn is_due_for_trial(&self, now: Timestamp) -> bool {
        self.is_failing() && self.is_idle() && self.rests_until <= now
    }

    /// Whether it has as much waiting as it should.
    pub(super) fn is_supplied(&self) -> bool {
        self.waiting.len() >= WAITING_LOW
    }

    /// Whether it soon has a free place and nothing for it, though more is known to be due.
    pub(super) fn runs_low(&self) -> bool {
        self.more && !self.is_failing() && !self.is_supplied()
    }

    pub(super) const fn set_more(&mut self, more: bool) {
        self.more = more;
    }

    /// Takes a delivery in; `false` where it is rather left to its lease.
    pub(super) fn take_in(&mut self, waiting: Waiting, now: Timestamp) -> bool {
        let takes = !self.is_failing() || self.is_due_for_trial(now);
        if takes {
            self.waiting.push_back(waiting);
        }
        takes
    }

    /// The next delivery, where so many places are free in all; how many were dropped because their
    /// lease ends, too.
    pub(super) fn next(&mut self, free: usize, now: Timestamp) -> (Option<Waiting>, usize) {
        let places = if self.is_failing() {
            1
        } else {
            let share = free.checked_div(SHARE).unwrap_or_default();
            PER_ENDPOINT_MAX.min(share.max(1))
        };
        if free == 0 || self.under_way >= places {
            return (None, 0);
        }
        let mut dropped = 0_usize;
        while let Some(waiting) = self.waiting.pop_front() {
            if now.plus(LEASE_LEFT_MIN) <= waiting.until {
                self.under_way = self.under_way.saturating_add(1);
                return (Some(waiting), dropped);
            }
            dropped = dropped.saturating_add(1);
        }
        (None, dropped)
    }

    /// Takes note of how an attempt ended. What waits for an endpoint that fails is dropped, and
    /// how much that was is answered: it comes back when its lease ends.
    pub(super) fn ended(&mut self, ending: Ending, now: Timestamp) -> usize {
        self.under_way = self.under_way.saturating_sub(1);
        match ending {
            Ending::Taken => self.failures = 0,
            Ending::Failed { leave_alone } => {
                self.failures = self.failures.saturating_add(1);
                if self.is_failing() {
                    let doublings = self.failures.saturating_sub(FAILURES_MAX);
                    let factor = 1_u32 << doublings.min(DOUBLINGS_MAX);
                    let pause = FIRST_REST.saturating_mul(factor);
                    let pause = pause.max(leave_alone.unwrap_or_default()).min(REST_MAX);
                    self.rests_until = now.plus(pause);
                }
            }
            // It is about to be disabled.
            Ending::Gone => {
                self.failures = FAILURES_MAX.max(self.failures.saturating_add(1));
                self.rests_until = now.plus(REST_MAX);
            }
        }
        if self.is_failing() { self.clear() } else { 0 }
    }

    /// Has it left alone until a moment.
    pub(super) const fn rest(&mut self, until: Timestamp) {
        self.rests_until = until;
    }

    /// Drops what waits and answers how much that was.
    pub(super) fn clear(&mut self) -> usize {
        let dropped = self.waiting.len();
        self.waiting.clear();
        dropped
    }
}
