//! The circuit breaker of one provider and biller: it opens when too many of the last submissions
//! failed, lets a few through as a trial after a while, and closes when one of these succeeds. It
//! is pure: it must not read a clock; moments are uptimes, which no setting of a clock changes.

use std::collections::VecDeque;
use std::time::Duration;

/// When a breaker opens, and how it closes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerLimits {
    /// So many failures open it; at least one.
    pub failures: u32,
    /// Among so many of the last submissions; at least as many as `failures`.
    pub of_last: u32,
    /// How long it stays open before a trial.
    pub open_for: Duration,
    /// How many submissions may be under way at once as a trial; at least one.
    pub trials: u32,
}

impl BreakerLimits {
    /// The limits of an account that says nothing else: half of the last twenty. Fewer would open
    /// it by chance where a tenth fails; more would leave more payments undecided before it opens.
    /// Half a minute is what a restart of a provider takes, and one trial costs one payment at
    /// most.
    pub const DEFAULT: Self = Self {
        failures: 10,
        of_last: 20,
        open_for: Duration::from_secs(30),
        trials: 1,
    };
}

/// What a submission says of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallResult {
    /// It works, whatever became of the order.
    Success,
    /// It does not, or its answer is not known.
    Failure,
    /// Nothing: the submission was held back here.
    Neutral,
}

/// What changed, for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BreakerChange {
    /// It opened, after so many failures; after a trial that failed there is one.
    Opened(u32),
    /// It closed.
    Closed,
}

/// A submission that a breaker let through, with the number of the state it was let through in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BreakerCall(u64);

/// The breaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breaker {
    limits: BreakerLimits,
    state: BreakerState,
    /// Rises with each change of state. A submission of an earlier state says nothing of this one:
    /// it may have been under way for long.
    number: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum BreakerState {
    /// The last results, oldest first; `true` is a failure.
    Closed(VecDeque<bool>),
    Open {
        until: Duration,
    },
    HalfOpen {
        under_way: u32,
    },
}

impl Breaker {
    pub(crate) const fn new(limits: BreakerLimits) -> Self {
        Self {
            limits,
            state: BreakerState::Closed(VecDeque::new()),
            number: 0,
        }
    }

    /// Goes on by other limits.
    pub(crate) const fn set_limits(&mut self, limits: BreakerLimits) {
        self.limits = limits;
    }

    /// Whether a submission may begin.
    pub(crate) fn admits(&self, uptime: Duration) -> bool {
        match self.state {
            BreakerState::Closed(_) => true,
            BreakerState::Open { until } => uptime >= until,
            BreakerState::HalfOpen { under_way } => under_way < self.limits.trials.max(1),
        }
    }

    /// Lets a submission through; `None` where it must not begin. Each that begins must end.
    pub(crate) fn begin(&mut self, uptime: Duration) -> Option<BreakerCall> {
        if !self.admits(uptime) {
            return None;
        }
        if let BreakerState::Open { .. } = self.state {
            self.become_state(BreakerState::HalfOpen { under_way: 0 });
        }
        if let BreakerState::HalfOpen { under_way } = &mut self.state {
            *under_way = under_way.saturating_add(1);
        }
        Some(BreakerCall(self.number))
    }

    /// Takes in how a submission ended.
    pub(crate) fn end(
        &mut self,
        call: BreakerCall,
        result: CallResult,
        uptime: Duration,
    ) -> Option<BreakerChange> {
        if call.0 != self.number {
            return None;
        }
        let failures = match (&mut self.state, result) {
            (BreakerState::Open { .. }, _) | (BreakerState::Closed(_), CallResult::Neutral) => {
                return None;
            }
            (BreakerState::Closed(results), CallResult::Success | CallResult::Failure) => {
                results.push_back(result == CallResult::Failure);
                if results.len() > usize::try_from(self.limits.of_last).unwrap_or(usize::MAX) {
                    results.pop_front();
                }
                let failures = results.iter().filter(|failed| **failed).count();
                let failures = u32::try_from(failures).unwrap_or(u32::MAX);
                if failures < self.limits.failures.max(1) {
                    return None;
                }
                failures
            }
            (BreakerState::HalfOpen { under_way }, CallResult::Neutral) => {
                *under_way = under_way.saturating_sub(1);
                return None;
            }
            (BreakerState::HalfOpen { .. }, CallResult::Success) => {
                self.become_state(BreakerState::Closed(VecDeque::new()));
                return Some(BreakerChange::Closed);
            }
            (BreakerState::HalfOpen { .. }, CallResult::Failure) => 1,
        };
        let until = uptime.saturating_add(self.limits.open_for);
        self.become_state(BreakerState::Open { until });
        Some(BreakerChange::Opened(failures))
    }

    fn become_state(&mut self, state: BreakerState) {
        self.state = state;
        self.number = self.number.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMITS: BreakerLimits = BreakerLimits {
        failures: 3,
        of_last: 5,
        open_for: Duration::from_secs(30),
        trials: 1,
    };

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A breaker after some submissions, one after the other.
    fn after(results: &[CallResult]) -> (Breaker, Option<BreakerChange>) {
        let mut breaker = Breaker::new(LIMITS);
        let mut last = None;
        for result in results {
            let call = breaker.begin(at(0)).unwrap();
            last = breaker.end(call, *result, at(0));
        }
        (breaker, last)
    }

    use CallResult::{Failure, Neutral, Success};

    #[test]
    fn it_opens_at_so_many_failures_of_the_last_submissions() {
        let (breaker, change) = after(&[Failure, Success, Failure, Neutral, Success, Failure]);
        assert_eq!(change, Some(BreakerChange::Opened(3)));
        assert!(!breaker.admits(at(29)) && breaker.admits(at(30)));
        // The first failure is forgotten by the time of the third.
        let (breaker, change) = after(&[Failure, Success, Success, Success, Failure, Failure]);
        assert_eq!(change, None);
        assert!(breaker.admits(at(0)));
    }

    #[test]
    fn one_trial_is_let_through_and_decides() {
        let (mut breaker, _) = after(&[Failure; 3]);
        let trial = breaker.begin(at(30)).unwrap();
        assert_eq!(breaker.begin(at(30)), None);
        let change = breaker.end(trial, Failure, at(31));
        assert_eq!(change, Some(BreakerChange::Opened(1)));
        assert!(!breaker.admits(at(60)) && breaker.admits(at(61)));
        let trial = breaker.begin(at(61)).unwrap();
        assert_eq!(
            breaker.end(trial, Success, at(62)),
            Some(BreakerChange::Closed)
        );
        // It begins anew: two failures are not enough.
        for _ in 0..2 {
            let call = breaker.begin(at(62)).unwrap();
            assert_eq!(breaker.end(call, Failure, at(62)), None);
        }
        assert!(breaker.admits(at(62)));
    }

    #[test]
    fn a_trial_that_was_held_back_here_leaves_its_place_to_another() {
        let (mut breaker, _) = after(&[Failure; 3]);
        let trial = breaker.begin(at(30)).unwrap();
        assert_eq!(breaker.end(trial, Neutral, at(31)), None);
        assert!(breaker.begin(at(31)).is_some());
    }

    #[test]
    fn what_began_before_a_change_says_nothing_after_it() {
        let mut breaker = Breaker::new(LIMITS);
        let early: Vec<_> = (0..4).map(|_| breaker.begin(at(0)).unwrap()).collect();
        let changes: Vec<_> = early
            .iter()
            .map(|call| breaker.end(*call, Failure, at(1)))
            .collect();
        assert_eq!(changes, [None, None, Some(BreakerChange::Opened(3)), None]);
        let trial = breaker.begin(at(31)).unwrap();
        assert_eq!(breaker.end(early[3], Success, at(31)), None);
        assert_eq!(breaker.begin(at(31)), None);
        assert_eq!(
            breaker.end(trial, Success, at(32)),
            Some(BreakerChange::Closed)
        );
    }

    /// What is done to a breaker: some time passes, then a submission begins, or one ends.
    #[derive(Debug, Clone)]
    enum Step {
        Begin(u64),
        End(u64, prop::sample::Index, CallResult),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let result = prop_oneof![1 => Just(Success), 3 => Just(Failure), 1 => Just(Neutral)];
        let seconds = || prop_oneof![4 => Just(0_u64), 1 => 0..40_u64];
        let begin = seconds().prop_map(Step::Begin);
        let end = (seconds(), any::<prop::sample::Index>(), result)
            .prop_map(|(seconds, which, result)| Step::End(seconds, which, result));
        prop::collection::vec(prop_oneof![begin, end], 0..200)
    }

    proptest! {
        #[test]
        fn it_is_never_open_for_longer_and_never_tries_more_than_it_may(
            steps in steps(),
            trials in 1..4_u32,
        ) {
            let limits = BreakerLimits { trials, ..LIMITS };
            let mut breaker = Breaker::new(limits);
            let mut uptime = Duration::ZERO;
            let mut under_way: Vec<BreakerCall> = Vec::new();
            let mut opened: Option<Duration> = None;
            for step in steps {
                match step {
                    Step::Begin(seconds) => {
                        uptime += at(seconds);
                        let admitted = breaker.admits(uptime);
                        let call = breaker.begin(uptime);
                        prop_assert_eq!(call.is_some(), admitted);
                        if let Some(opened) = opened {
                            // Closed to all but trials, and to all before its time.
                            let waits = uptime < opened + limits.open_for;
                            prop_assert!(!(waits && call.is_some()));
                        } else {
                            prop_assert!(call.is_some());
                        }
                        under_way.extend(call);
                        if opened.is_some() {
                            let trying = under_way.iter().filter(|it| it.0 == breaker.number);
                            prop_assert!(trying.count() <= trials as usize);
                        }
                    }
                    Step::End(seconds, which, result) => {
                        uptime += at(seconds);
                        if under_way.is_empty() {
                            continue;
                        }
                        let call = under_way.remove(which.index(under_way.len()));
                        match breaker.end(call, result, uptime) {
                            Some(BreakerChange::Opened(_)) => {
                                prop_assert_eq!(result, Failure);
                                opened = Some(uptime);
                            }
                            Some(BreakerChange::Closed) => {
                                prop_assert_eq!(result, Success);
                                prop_assert!(opened.is_some());
                                opened = None;
                            }
                            None => {}
                        }
                    }
                }
            }
            // Whatever happened: once everything has ended, it can be tried and closes on success.
            for call in under_way {
                let _ = breaker.end(call, Failure, uptime);
            }
            let later = uptime + limits.open_for;
            let call = breaker.begin(later).unwrap();
            let _ = breaker.end(call, Success, later);
            prop_assert!(breaker.begin(later).is_some());
        }
    }
}
