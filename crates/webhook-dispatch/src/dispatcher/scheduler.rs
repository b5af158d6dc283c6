//! Which delivery is next. It must do nothing itself: it decides what to claim and what to begin,
//! and is given the results.

use super::delivery::{AttemptOutcome, QueueKey, ScheduledDelivery};
use super::endpoint_queue::{EndpointQueue, Waiting};
use super::limits::{
    CLAIM_FOR_TRIAL, CLAIM_MAX, CLAIM_PER_ENDPOINT_MAX, CLAIM_PER_ENDPOINT_MIN,
    DOUBTFUL_UNDER_WAY_MAX, FAILED_UNDER_WAY_MAX, FAILING_UNDER_WAY_MAX, IN_FLIGHT_MAX,
    LINES_FORGOTTEN, LINES_MAX, NOTHING_DUE_REST, POLL, QUEUE_SOFT_LIMIT, WAITING_LOW, WAITING_MAX,
};
use super::round_robin::{QueueClass, RoundRobin};
use super::totals::QueueTotals;
use domain::time::Timestamp;
use ports::webhooks::{Claimed, DeliveryClaim};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// What is under way, what waits, and for whom.
#[derive(Debug, Default)]
pub(super) struct Scheduler {
    lines: HashMap<QueueKey, EndpointQueue>,
    /// Of all lines together.
    sums: QueueTotals,
    /// Endpoints for which something could be begun.
    turns: RoundRobin,
    /// Whether the last claim brought as much as it may.
    more: bool,
    /// Endpoints for which it did.
    more_for: HashSet<QueueKey>,
    /// When requested deliveries are claimed next: as often as due ones are looked for.
    asked_again_at: Option<Timestamp>,
}

impl Scheduler {
    /// What to claim now: requested deliveries, one at a time for each endpoint; due ones for every
    /// endpoint that is not full, in backoff or failing; and one delivery each for those that are
    /// due for a probe.
    pub(super) fn claims(&self, now: Timestamp, lease: Duration) -> Vec<DeliveryClaim> {
        let room = WAITING_MAX.saturating_sub(self.sums.waiting).min(CLAIM_MAX);
        if room == 0 {
            return Vec::new();
        }
        let claim = |per_endpoint, leave_alone: &dyn Fn(&EndpointQueue) -> bool| {
            let except = self.lines.iter().filter(|(_, line)| leave_alone(line));
            DeliveryClaim {
                now,
                lease,
                limit: u32::try_from(room).unwrap_or(u32::MAX),
                per_endpoint,
                except: except.map(|(key, _)| key.clone()).collect(),
                only_asked_for: false,
            }
        };
        let per_endpoint = if self.is_crowded() {
            CLAIM_PER_ENDPOINT_MIN
        } else {
            CLAIM_PER_ENDPOINT_MAX
        };
        let enough = |line: &EndpointQueue| self.has_enough(line) || line.is_busy(now);
        let mut claims = Vec::new();
        // Where nothing is in its way, it is what the claim for all brings first.
        let in_the_way = |line: &EndpointQueue| line.is_in_the_way(now);
        let is_time = self.asked_again_at.is_none_or(|at| at <= now);
        if is_time && self.lines.values().any(in_the_way) {
            claims.push(DeliveryClaim {
                only_asked_for: true,
                ..claim(CLAIM_FOR_TRIAL, &|line| line.has_requested(now))
            });
        }
        claims.push(claim(per_endpoint, &|line| {
            enough(line) || line.is_failing()
        }));
        let is_due = |line: &EndpointQueue| line.is_due_for_trial(now);
        let trials = self.sums.failing_under_way < FAILING_UNDER_WAY_MAX;
        if trials && self.lines.values().any(is_due) {
            claims.push(claim(CLAIM_FOR_TRIAL, &|line| {
                enough(line) || (line.is_failing() && !is_due(line))
            }));
        }
        claims
    }

    /// Takes in what a claim brought.
    pub(super) fn admit(&mut self, claim: &DeliveryClaim, claimed: Vec<Claimed>) {
        let until = claim.now.plus(claim.lease);
        let brought = claimed.len();
        let mut each = HashMap::new();
        for claimed in claimed {
            let key = (claimed.endpoint.account.clone(), claimed.endpoint.id);
            let count: &mut u32 = each.entry(key.clone()).or_default();
            *count = count.saturating_add(1);
            let waiting = Waiting {
                claimed,
                since: claim.now,
                until,
                asked_for: claim.only_asked_for,
            };
            self.queue(&key, waiting, claim.now);
        }
        if claim.only_asked_for {
            self.asked_again_at = Some(claim.now.plus(POLL));
        } else if claim.per_endpoint == CLAIM_FOR_TRIAL {
            self.rest_who_has_nothing_due(claim.now);
        } else {
            self.more = brought >= usize::try_from(claim.limit).unwrap_or(usize::MAX);
            each.retain(|_, count| *count >= claim.per_endpoint);
            self.more_for = each.into_keys().collect();
        }
        self.forget(claim.now);
    }

    fn queue(&mut self, key: &QueueKey, waiting: Waiting, now: Timestamp) {
        if !self.lines.contains_key(key) {
            let line = EndpointQueue::of(waiting.claimed.endpoint.health);
            self.sums = self.sums.with(QueueTotals::of(&line));
            self.lines.insert(key.clone(), line);
        }
        self.change(key, |line| line.admit(waiting, now));
    }

    /// Whether so much waits that only those are claimed for who have nothing: what waits may be
    /// for endpoints that hang, and must not take the turn of others.
    const fn is_crowded(&self) -> bool {
        self.sums.waiting >= QUEUE_SOFT_LIMIT
    }

    fn has_enough(&self, line: &EndpointQueue) -> bool {
        line.waiting() >= if self.is_crowded() { 1 } else { WAITING_LOW }
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
    pub(super) fn runs_low(&self, now: Timestamp) -> bool {
        let is_low = |line: &EndpointQueue| {
            !line.is_failing() && !line.is_busy(now) && !self.has_enough(line)
        };
        let is_low = |key| self.lines.get(key).is_some_and(is_low);
        let has_room = self.sums.waiting <= WAITING_MAX.saturating_sub(CLAIM_MAX);
        has_room && (self.more || self.more_for.iter().any(is_low))
    }

    /// What to begin now, one after the other: endpoints take turns.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<ScheduledDelivery> {
        let mut looked_at = None;
        // Passed over is only who has something under way already, and none of these are many.
        while self.free() > 0 {
            let (turn, key) = self.turns.after(looked_at, |of| self.has_capacity(of))?;
            let free = self.free();
            let next = self.change(&key, |line| Some((line.next(free, now)?, line.asker())));
            if let Some((Waiting { claimed, since, .. }, asker)) = next.flatten() {
                self.turns.send_back(&key);
                return Some(ScheduledDelivery {
                    key,
                    claimed,
                    since,
                    asker,
                });
            }
            looked_at = Some(turn);
        }
        None
    }

    const fn free(&self) -> usize {
        IN_FLIGHT_MAX.saturating_sub(self.sums.under_way)
    }

    const fn has_capacity(&self, of: QueueClass) -> bool {
        let QueueClass {
            doubtful,
            failed,
            failing,
        } = of;
        (!doubtful || self.sums.doubtful_under_way < DOUBTFUL_UNDER_WAY_MAX)
            && (!failed || self.sums.failed_under_way < FAILED_UNDER_WAY_MAX)
            && (!failing || self.sums.failing_under_way < FAILING_UNDER_WAY_MAX)
    }

    /// Takes note of how an attempt ended.
    pub(super) fn ended(&mut self, key: &QueueKey, ending: AttemptOutcome, now: Timestamp) {
        self.change(key, |line| line.ended(ending, now));
        self.forget(now);
    }

    /// Leaves everything that has not begun to its lease.
    pub(super) fn clear(&mut self) {
        self.turns = RoundRobin::default();
        for line in self.lines.values_mut() {
            line.clear();
        }
        self.sums = self.lines.values().map(QueueTotals::of).sum();
    }

    /// Changes a line, and the sums and its turn with it.
    fn change<T>(
        &mut self,
        key: &QueueKey,
        change: impl FnOnce(&mut EndpointQueue) -> T,
    ) -> Option<T> {
        let line = self.lines.get_mut(key)?;
        let before = QueueTotals::of(line);
        let changed = change(line);
        self.sums = self.sums.without(before).with(QueueTotals::of(line));
        self.turns.put(key, line.class());
        Some(changed)
    }

    /// Evicts endpoints without deliveries here, where more of them are remembered than may be. An
    /// evicted endpoint begins anew.
    fn forget(&mut self, now: Timestamp) {
        if self.sums.idle < LINES_MAX.saturating_add(LINES_FORGOTTEN) {
            return;
        }
        let idle = self.lines.iter().filter(|(_, line)| line.is_idle());
        let idle = idle.map(|(key, line)| (line.worth(now), key.clone()));
        let mut idle: Vec<_> = idle.collect();
        idle.sort_unstable();
        for (_, key) in idle.into_iter().take(LINES_FORGOTTEN) {
            if let Some(line) = self.lines.remove(&key) {
                self.sums = self.sums.without(QueueTotals::of(&line));
            }
        }
    }
}

#[cfg(test)]
mod tests;
