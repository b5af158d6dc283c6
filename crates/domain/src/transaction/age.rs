//! How long an attempt has been without an answer, counted in bounded steps. It must never be read
//! off one difference of two clock values: a wall clock may be set at any time.

use crate::time::Timestamp;
use std::time::Duration;

/// How long an attempt has been without a definite answer, as far as recorded steps show it.
///
/// Each step adds the time since the step before, and [`Age::STEP_MAX`] at most. A clock that is
/// set forwards adds one step; one that is set back adds nothing for one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    elapsed: Duration,
    counted_to: Timestamp,
}

impl Age {
    /// The most that one step adds: twice the longest pause between two queries, which is a
    /// minute. While an attempt is queried as often as it should be, no time is lost; a clock that
    /// is set forwards adds at most this.
    pub const STEP_MAX: Duration = Duration::from_mins(2);

    /// No time at all, counted from a moment.
    pub const fn zero_at(start: Timestamp) -> Self {
        Self {
            elapsed: Duration::ZERO,
            counted_to: start,
        }
    }

    /// An age as it was recorded.
    pub const fn new(elapsed: Duration, counted_to: Timestamp) -> Self {
        Self {
            elapsed,
            counted_to,
        }
    }

    /// The time counted so far.
    pub const fn elapsed(self) -> Duration {
        self.elapsed
    }

    /// The moment up to which it is counted.
    pub const fn counted_to(self) -> Timestamp {
        self.counted_to
    }

    /// The age after a step recorded for the moment `now`.
    ///
    /// A moment a little before the last one counted comes from a question that was asked earlier,
    /// or from an instance whose clock is behind: the count goes on from the later moment, so that
    /// no time is counted twice. A moment further back means that the clock was set back: the count
    /// goes on from there.
    #[must_use]
    pub fn until(self, now: Timestamp) -> Self {
        let step = now.since(self.counted_to).min(Self::STEP_MAX);
        let was_set_back = self.counted_to.since(now) > Self::STEP_MAX;
        Self {
            elapsed: self.elapsed.saturating_add(step),
            counted_to: if was_set_back {
                now
            } else {
                self.counted_to.max(now)
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    const HOUR: i64 = 3_600_000;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn seconds(seconds: i64) -> Timestamp {
        at(seconds * 1_000)
    }

    #[test]
    fn a_clock_set_forwards_adds_one_step_at_most() {
        let age = Age::zero_at(at(0)).until(at(26 * HOUR));
        assert_eq!(age.elapsed(), Age::STEP_MAX);
        let next = age.until(at(26 * HOUR + 1_000));
        assert_eq!(next.elapsed(), Age::STEP_MAX + Duration::from_secs(1));
    }

    #[test]
    fn a_clock_set_back_adds_nothing_for_one_step_only() {
        let age = Age::zero_at(at(26 * HOUR)).until(at(0));
        assert_eq!(age.elapsed(), Duration::ZERO);
        assert_eq!(age.until(at(1_000)).elapsed(), Duration::from_secs(1));
    }

    #[test]
    fn a_moment_one_step_back_is_of_a_clock_that_is_behind_and_one_before_it_of_one_set_back() {
        let age = Age::zero_at(at(26 * HOUR));
        let step = i64::try_from(Age::STEP_MAX.as_millis()).unwrap();
        let behind = age.until(at(26 * HOUR - step));
        assert_eq!(behind.counted_to(), at(26 * HOUR));
        let set_back = age.until(at(26 * HOUR - step - 1));
        assert_eq!(set_back.counted_to(), at(26 * HOUR - step - 1));
    }

    #[test]
    fn a_question_asked_before_the_last_step_counts_no_time_twice() {
        let age = Age::zero_at(seconds(0)).until(seconds(100));
        let overtaken = age.until(seconds(75));
        assert_eq!(overtaken.until(seconds(130)).elapsed().as_secs(), 130);
    }

    /// Clock values around steps of any size, in both directions.
    fn moments() -> impl Strategy<Value = Vec<i64>> {
        let near = -300_000_i64..300_000;
        let far = -40 * HOUR..40 * HOUR;
        let step = prop_oneof![4 => near, 1 => far, 1 => any::<i64>()];
        vec(step, 0..40).prop_map(|steps| {
            let next = |now: &mut i64, step: i64| {
                *now = now.saturating_add(step);
                Some(*now)
            };
            steps.into_iter().scan(0, next).collect()
        })
    }

    proptest! {
        /// Whatever the clock shows: one step adds no more than its bound, nothing is ever taken
        /// away, and all steps together add no more than the clock went forwards between them.
        #[test]
        fn no_sequence_of_clock_values_counts_more_than_it_shows(moments in moments()) {
            let mut age = Age::zero_at(at(0));
            let (mut shown, mut forwards) = (0_i64, Duration::ZERO);
            for moment in moments {
                let after = age.until(at(moment));
                prop_assert!(after.elapsed() >= age.elapsed());
                let step = after.elapsed().saturating_sub(age.elapsed());
                prop_assert!(step <= Age::STEP_MAX);
                forwards += at(moment).since(at(shown));
                prop_assert!(after.elapsed() <= forwards);
                (age, shown) = (after, moment);
            }
        }

        /// With clocks that differ by no more than the bound of a step, in any order of who
        /// records: never more than the true time and that difference.
        #[test]
        fn clocks_that_differ_a_little_count_no_time_twice(
            steps in vec((0_i64..60_000, 0_i64..=120_000), 0..80),
        ) {
            let mut age = Age::zero_at(at(0));
            let (mut truth, mut ahead_most) = (0_i64, 0_i64);
            for (step, ahead) in steps {
                truth += step;
                ahead_most = ahead_most.max(ahead);
                age = age.until(at(truth + ahead));
                let most = at(truth + ahead_most).since(at(0));
                prop_assert!(age.elapsed() <= most, "{age:?} after {most:?}");
            }
        }

        /// While each step follows within its bound and the clock is right, no time is lost.
        #[test]
        fn a_right_clock_loses_no_time(steps in vec(0_i64..=120_000, 0..40)) {
            let mut age = Age::zero_at(at(0));
            let mut now = 0;
            for step in steps {
                now += step;
                age = age.until(at(now));
            }
            prop_assert_eq!(age.elapsed(), at(now).since(at(0)));
        }
    }
}
