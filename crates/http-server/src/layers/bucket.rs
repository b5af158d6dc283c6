//! A token bucket: a budget with a burst size and a refill rate per minute. It must not read the
//! clock; it is given the uptime, which no change of the system time affects.

use std::num::NonZeroU32;
use std::time::Duration;

const MINUTE_NANOS: u64 = 60_000_000_000;

/// The size of a budget and its refill rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    per_minute: NonZeroU32,
    at_once: NonZeroU32,
}

impl Quota {
    /// `per_minute` units a minute, and `at_once` of them at once. More at once than in a minute is
    /// not possible.
    pub fn new(per_minute: NonZeroU32, at_once: NonZeroU32) -> Self {
        let at_once = at_once.min(per_minute);
        Self {
            per_minute,
            at_once,
        }
    }

    /// `per_minute` units a minute, all of them at once if need be.
    pub fn per_minute(per_minute: NonZeroU32) -> Self {
        Self::new(per_minute, per_minute)
    }

    /// The units granted per minute in the long run.
    pub const fn a_minute(self) -> NonZeroU32 {
        self.per_minute
    }

    /// The units a full budget grants at once.
    pub const fn at_once(self) -> NonZeroU32 {
        self.at_once
    }

    /// The time in which one unit is refilled.
    fn interval(self) -> i64 {
        let nanos = MINUTE_NANOS / u64::from(self.per_minute.get());
        i64::try_from(nanos).unwrap_or(i64::MAX)
    }

    /// The time in which an empty budget is full again: a minute at most.
    fn refill(self) -> i64 {
        self.interval()
            .saturating_mul(i64::from(self.at_once.get()))
    }

    /// The time in which the deepest debt becomes a full budget again: usage by other instances at
    /// one moment costs one refill more, and no longer.
    fn deepest(self) -> i64 {
        self.refill().saturating_mul(2)
    }
}

/// What is left of a budget, stored as the moment at which it will be full again: the generic cell
/// rate algorithm, which needs no timer and one number for each budget. A new one is full.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bucket {
    /// Nanoseconds of uptime.
    full_at: i64,
}

/// The level of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Level {
    /// The units that can be taken now.
    pub(crate) remaining: u32,
    /// The time until it is full again.
    pub(crate) full_in: Duration,
}

impl Bucket {
    /// The level of the budget.
    pub(crate) fn level(self, quota: Quota, now: Duration) -> Level {
        let used = self.used(now);
        let left = (quota.refill() - used) / quota.interval();
        Level {
            remaining: u32::try_from(left).unwrap_or(0),
            full_in: duration(used),
        }
    }

    /// Takes one unit. Where there is none, nothing changes and the error is the time until there
    /// is one.
    pub(crate) fn take(&mut self, quota: Quota, now: Duration) -> Result<Level, Duration> {
        let used = self.used(now).saturating_add(quota.interval());
        let missing = used.saturating_sub(quota.refill());
        if missing > 0 {
            return Err(duration(missing));
        }
        self.full_at = nanos(now).saturating_add(used);
        Ok(self.level(quota, now))
    }

    /// Takes units that another instance has granted already. Where there are too few, the budget
    /// goes into debt, which the refill pays first. Otherwise instances that share a budget and
    /// find it empty would each grant the whole refill.
    pub(crate) fn spend(&mut self, quota: Quota, units: u32, now: Duration) {
        let spent = quota.interval().saturating_mul(i64::from(units));
        let used = self.used(now).saturating_add(spent);
        self.full_at = nanos(now).saturating_add(used.min(quota.deepest()));
    }

    /// The uptime from which it equals a new one.
    pub(crate) fn full_at(self) -> Duration {
        duration(self.full_at)
    }

    /// What is missing from a full budget.
    fn used(self, now: Duration) -> i64 {
        self.full_at.saturating_sub(nanos(now)).max(0)
    }
}

fn nanos(uptime: Duration) -> i64 {
    i64::try_from(uptime.as_nanos()).unwrap_or(i64::MAX)
}

fn duration(nanos: i64) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: Duration = Duration::from_hours(1);

    fn quota(per_minute: u32, at_once: u32) -> Quota {
        let number = |count| NonZeroU32::new(count).unwrap();
        Quota::new(number(per_minute), number(at_once))
    }

    fn after(millis: u64) -> Duration {
        NOW + Duration::from_millis(millis)
    }

    fn drained(quota: Quota) -> Bucket {
        let mut bucket = Bucket::default();
        while bucket.take(quota, NOW).is_ok() {}
        bucket
    }

    #[test]
    fn as_much_as_it_holds_can_be_taken_at_once_and_no_more() {
        let quota = quota(300, 60);
        let mut bucket = Bucket::default();
        for left in (0..60).rev() {
            assert_eq!(bucket.take(quota, NOW).unwrap().remaining, left);
        }
        assert_eq!(bucket.take(quota, NOW), Err(Duration::from_millis(200)));
        let full_in = bucket.level(quota, NOW).full_in;
        assert_eq!(full_in, Duration::from_secs(12));
    }

    #[test]
    fn units_come_back_one_by_one() {
        let quota = quota(300, 60);
        let mut bucket = drained(quota);
        assert_eq!(
            bucket.take(quota, after(199)),
            Err(Duration::from_millis(1))
        );
        assert_eq!(bucket.take(quota, after(200)).unwrap().remaining, 0);
        assert!(bucket.take(quota, after(200)).is_err());
        assert_eq!(bucket.level(quota, after(12_200)).remaining, 60);
        assert_eq!(bucket.full_at(), after(12_200));
    }

    #[test]
    fn a_refused_attempt_costs_nothing() {
        let quota = quota(60, 60);
        let mut bucket = drained(quota);
        for _ in 0..1000 {
            assert!(bucket.take(quota, NOW).is_err());
        }
        assert!(bucket.take(quota, after(1000)).is_ok());
    }

    #[test]
    fn what_others_spent_is_gone_like_what_was_taken() {
        let quota = quota(300, 60);
        let (mut taken, mut spent) = (Bucket::default(), Bucket::default());
        for _ in 0..7 {
            taken.take(quota, NOW).unwrap();
        }
        spent.spend(quota, 7, NOW);
        assert_eq!(spent.level(quota, NOW), taken.level(quota, NOW));
        assert_eq!(spent.level(quota, NOW).remaining, 53);
    }

    #[test]
    fn a_debt_is_paid_before_anything_is_given_away_and_lasts_one_refill_at_most() {
        let quota = quota(300, 60);
        let mut bucket = drained(quota);
        bucket.spend(quota, 2, NOW);
        assert_eq!(bucket.level(quota, NOW).remaining, 0);
        assert_eq!(bucket.take(quota, NOW), Err(Duration::from_millis(600)));
        assert!(bucket.take(quota, after(599)).is_err());
        assert_eq!(bucket.take(quota, after(600)).unwrap().remaining, 0);
        bucket.spend(quota, u32::MAX, after(600));
        let full_in = bucket.level(quota, after(600)).full_in;
        assert_eq!(full_in, Duration::from_secs(24));
        assert_eq!(
            bucket.take(quota, after(600)),
            Err(Duration::from_millis(12_200))
        );
    }

    /// The units that several instances grant together, if they share their usage every 200 ms and
    /// each receives so many requests in between.
    fn shared(quota: Quota, asked: &[Vec<u8>]) -> u64 {
        let mut buckets = vec![Bucket::default(); asked[0].len()];
        let (mut now, mut granted) = (NOW, 0);
        for asked in asked {
            let given = buckets.iter_mut().zip(asked).map(|(bucket, asked)| {
                let given = (0..*asked).filter(|_| bucket.take(quota, now).is_ok());
                u32::try_from(given.count()).unwrap()
            });
            let given: Vec<u32> = given.collect();
            let all: u32 = given.iter().sum();
            granted += u64::from(all);
            for (bucket, own) in buckets.iter_mut().zip(given) {
                bucket.spend(quota, all - own, now);
            }
            now += Duration::from_millis(200);
        }
        granted
    }

    #[test]
    fn as_many_as_there_may_be_share_the_ordinary_budgets_in_the_long_run() {
        for (per_minute, at_once) in [(300, 60), (1200, 1200)] {
            for instances in [2_usize, 30] {
                let quota = quota(per_minute, at_once);
                let minutes = |count: usize| vec![vec![100; instances]; 300 * count];
                let [first, all] = [1, 4].map(|count| shared(quota, &minutes(count)));
                let later = all - first;
                let fair = 3 * u64::from(per_minute);
                assert!(later <= fair + u64::from(at_once), "{later} of {fair}");
                assert!(later + u64::from(at_once) >= fair, "{later} of {fair}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_pace_gets_more_than_a_full_budget_and_what_came_back(
            per_minute in 1_u32..100_000,
            at_once in 1_u32..1000,
            pauses in proptest::collection::vec(0_u64..3000, 1..300),
        ) {
            let quota = quota(per_minute, at_once);
            let (mut bucket, mut now, mut granted) = (Bucket::default(), NOW, 0_u64);
            for pause in pauses {
                now += Duration::from_millis(pause);
                granted += u64::from(bucket.take(quota, now).is_ok());
            }
            let came_back = u64::try_from(now.saturating_sub(NOW).as_nanos()).unwrap()
                / u64::try_from(quota.interval()).unwrap();
            prop_assert!(granted <= u64::from(quota.at_once().get()) + came_back);
        }

        #[test]
        fn spending_never_adds_and_never_takes_more_than_a_refill_beyond_empty(
            (per_minute, at_once) in (1_u32..100_000, 1_u32..1000),
            steps in proptest::collection::vec((0_u64..3000, any::<u16>()), 1..100),
        ) {
            let quota = quota(per_minute, at_once);
            let (mut bucket, mut now) = (Bucket::default(), NOW);
            for (pause, units) in steps {
                now += Duration::from_millis(pause);
                let before = bucket.level(quota, now);
                bucket.spend(quota, u32::from(units), now);
                let after = bucket.level(quota, now);
                let all = before.remaining.saturating_sub(u32::from(units));
                prop_assert_eq!(after.remaining, all);
                prop_assert!(after.full_in >= before.full_in);
                prop_assert!(after.full_in <= duration(quota.refill()) * 2);
            }
        }

        #[test]
        fn two_instances_that_share_usage_give_away_one_budget_more_than_one_at_most(
            (per_minute, at_once) in (1_u32..6000, 1_u32..100),
            asked in proptest::collection::vec(proptest::collection::vec(0_u8..100, 2), 1..300),
        ) {
            let quota = quota(per_minute, at_once);
            let granted = shared(quota, &asked);
            let time = i64::try_from(asked.len()).unwrap() * 200_000_000;
            let came_back = u64::try_from(time / quota.interval()).unwrap();
            prop_assert!(granted <= 2 * u64::from(quota.at_once().get()) + came_back);
        }
    }
}
