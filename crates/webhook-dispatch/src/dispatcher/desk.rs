//! Whose turn it is. It must do nothing itself: it says what to claim and what to begin, and is
//! told what became of it.

use super::attempt::Ending;
use super::limits::{
    CLAIM_MAX, CLAIM_PER_ENDPOINT_MAX, FAILING_MAX, FAILING_UNDER_WAY_MAX, NOTHING_DUE_REST,
    UNDER_WAY_MAX, WAITING_MAX,
};
use super::line::{Line, Waiting};
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::EndpointId;
use ports::webhooks::{Claimed, DeliveryClaim};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// Names an endpoint.
pub(super) type Key = (AccountId, EndpointId);

/// What is under way, what waits, and for whom.
#[derive(Debug, Default)]
pub(super) struct Desk {
    lines: HashMap<Key, Line>,
    /// Endpoints for which something waits, each once, the next first.
    turns: VecDeque<Key>,
    under_way: usize,
    /// Of these, to endpoints that are failing.
    failing_under_way: usize,
    waiting: usize,
    /// Whether the last claim brought as much as it may.
    more: bool,
}

impl Desk {
    /// What to claim now: for everyone but who has enough or is failing, and one delivery each for
    /// those whose turn to be tried it is.
    pub(super) fn claims(&self, now: Timestamp, lease: Duration) -> Vec<DeliveryClaim> {
        let room = WAITING_MAX.saturating_sub(self.waiting).min(CLAIM_MAX);
        if room == 0 {
            return Vec::new();
        }
        let except = |leave_alone: &dyn Fn(&Line) -> bool| {
            let left = self.lines.iter().filter(|(_, line)| leave_alone(line));
            left.map(|(key, _)| key.clone()).collect::<Vec<_>>()
        };
        let claim = |per_endpoint, except| DeliveryClaim {
            now,
            lease,
            limit: u32::try_from(room).unwrap_or(u32::MAX),
            per_endpoint,
            except,
        };
        let per_endpoint = u32::try_from(CLAIM_PER_ENDPOINT_MAX).unwrap_or(u32::MAX);
        let healthy = except(&|line| line.is_supplied() || line.is_failing());
        let mut claims = vec![claim(per_endpoint, healthy)];
        let has_trials = self.lines.values().any(|line| line.is_due_for_trial(now));
        if has_trials && self.failing_under_way < FAILING_UNDER_WAY_MAX {
            let trials = except(&|line| {
                line.is_supplied() || (line.is_failing() && !line.is_due_for_trial(now))
            });
            claims.push(claim(1, trials));
        }
        claims
    }

    /// Takes in what a claim brought.
    pub(super) fn take_in(&mut self, claim: &DeliveryClaim, claimed: Vec<Claimed>) {
        let until = claim.now.plus(claim.lease);
        let is_trial = claim.per_endpoint == 1;
        let brought = claimed.len();
        let mut each: HashMap<Key, usize> = HashMap::new();
        for claimed in claimed {
            let key = (claimed.endpoint.account.clone(), claimed.endpoint.id);
            let count = each.entry(key.clone()).or_default();
            *count = count.saturating_add(1);
            let line = self.lines.entry(key.clone()).or_default();
            let had_none = line.waiting() == 0;
            if line.take_in(Waiting { claimed, until }, claim.now) {
                self.waiting = self.waiting.saturating_add(1);
                if had_none {
                    self.turns.push_back(key);
                }
            }
        }
        if is_trial {
            self.rest_who_has_nothing_due(claim.now);
        } else {
            self.more = brought >= usize::try_from(claim.limit).unwrap_or(usize::MAX);
            for (key, line) in &mut self.lines {
                line.set_more(each.get(key).is_some_and(|n| *n >= CLAIM_PER_ENDPOINT_MAX));
            }
        }
    }

    /// What was not claimed for a trial is not due: it is not asked for at once again.
    fn rest_who_has_nothing_due(&mut self, now: Timestamp) {
        let until = now.plus(NOTHING_DUE_REST);
        for line in self.lines.values_mut() {
            if line.is_due_for_trial(now) {
                line.rest(until);
            }
        }
    }

    /// Whether there is soon nothing to do though more is known to be due.
    pub(super) fn runs_low(&self) -> bool {
        let in_all = self.more && self.waiting < WAITING_MAX / 4;
        in_all || self.lines.values().any(Line::runs_low)
    }

    /// What to begin now, one after the other: endpoints take turns.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<(Key, Claimed)> {
        for _ in 0..self.turns.len() {
            let free = UNDER_WAY_MAX.saturating_sub(self.under_way);
            let key = self.turns.pop_front()?;
            let Some(line) = self.lines.get_mut(&key) else {
                continue;
            };
            let failing = line.is_failing();
            let full = failing && self.failing_under_way >= FAILING_UNDER_WAY_MAX;
            let (next, dropped) = if full {
                (None, 0)
            } else {
                line.next(free, now)
            };
            self.waiting = self.waiting.saturating_sub(dropped);
            if line.waiting() > 0 {
                self.turns.push_back(key.clone());
            }
            if let Some(Waiting { claimed, .. }) = next {
                self.waiting = self.waiting.saturating_sub(1);
                self.under_way = self.under_way.saturating_add(1);
                if failing {
                    self.failing_under_way = self.failing_under_way.saturating_add(1);
                }
                return Some((key, claimed));
            }
        }
        None
    }

    /// Takes note of how an attempt ended.
    pub(super) fn ended(&mut self, key: &Key, ending: Ending, now: Timestamp) {
        self.under_way = self.under_way.saturating_sub(1);
        let Some(line) = self.lines.get_mut(key) else {
            return;
        };
        let before = line.failing_under_way();
        let dropped = line.ended(ending, now);
        let after = line.failing_under_way();
        self.failing_under_way = self
            .failing_under_way
            .saturating_sub(before)
            .saturating_add(after);
        if dropped > 0 {
            self.waiting = self.waiting.saturating_sub(dropped);
            self.turns.retain(|turn| turn != key);
        }
        if line.is_forgotten() {
            self.lines.remove(key);
        } else if line.is_idle() {
            self.forget_the_oldest();
        }
    }

    /// Leaves everything that has not begun to its lease.
    pub(super) fn clear(&mut self) {
        self.turns.clear();
        self.waiting = 0;
        for line in self.lines.values_mut() {
            line.clear();
        }
    }

    /// Forgets an endpoint where more are remembered than may be: the one that was heard of longest
    /// ago of those that nothing is under way to.
    fn forget_the_oldest(&mut self) {
        if self.lines.len() <= FAILING_MAX {
            return;
        }
        let idle = self.lines.iter().filter(|(_, line)| line.is_idle());
        let oldest = idle.min_by_key(|(_, line)| line.rests_until());
        if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
            self.lines.remove(&oldest);
        }
    }
}
