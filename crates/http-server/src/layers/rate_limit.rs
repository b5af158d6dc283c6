//! Rate limits per account and class, and the headers that report them (interface §7.1, §8). One
//! class must never use up another's budget, nor one account another's.

use super::bounded_map::{BoundedMap, Evictable};
use super::bucket::{Bucket, Quota};
use crate::settings::{AccountLimits, Limits};
use application::peers::UsageDelta;
use domain::account::AccountId;
use http::header::{HeaderName, HeaderValue};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) use application::peers::RateLimitClass;

/// How many accounts and classes are kept: more than are active within a minute on the largest
/// gateway this is meant for. At some 60 bytes each they take 4 MB.
const REMEMBERED_MAX: usize = 65_536;

/// How many accounts and classes are kept whose usage was not yet shared with the other instances.
/// More are not active within a fifth of a second; where they are, the rest is not shared, which
/// errs in favour of the clients.
const UNPUBLISHED_MAX: usize = 4_096;

const MINUTE_S: u64 = 60;
const MINUTES_AN_HOUR: u64 = 60;
const HOUR_S: u64 = MINUTES_AN_HOUR * MINUTE_S;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// The allowance left to an account in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    limit: u32,
    remaining: u32,
    /// The time until nothing of the limit is used.
    reset: Duration,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitBreach {
    /// The budget is empty.
    Quota,
    /// The budget was empty in too many minutes of this hour.
    HourlyBlock,
}

/// A request over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exceeded {
    pub(crate) excess: LimitBreach,
    pub(crate) allowance: Allowance,
    /// The time until a request is accepted again.
    pub(crate) wait: Duration,
    /// Whether the account keeps sending in spite of refusals.
    pub(crate) goes_on: bool,
}

/// How many refusals of an account in a class are answered at once, and a minute. A client that
/// honours `Retry-After` or sends at a person's pace needs fewer.
const REFUSALS: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);

/// The limits, and the usage of each account.
#[derive(Debug)]
pub(crate) struct RateLimits {
    limits: Limits,
    /// Those of accounts that have their own.
    own: Arc<AccountLimits>,
    usage: BoundedMap<Usage>,
    /// The accounts with usage that was not yet shared with other instances. Its lock is taken
    /// under one of the usage map's locks, never the other way round.
    unpublished: Mutex<Vec<(AccountId, RateLimitClass)>>,
}

/// The usage of an account in a class.
#[derive(Debug, Default)]
struct Usage {
    bucket: Bucket,
    excesses: Excesses,
    refusals: Bucket,
    /// Requests admitted since usage was last shared.
    unpublished: u32,
}

/// The minutes of one hour in which requests were refused.
#[derive(Debug, Default)]
struct Excesses {
    /// The last of them, counted in uptime; its hour is the hour.
    last_minute: u64,
    minutes: u32,
}

impl Allowance {
    /// The headers of an answer.
    pub(crate) fn headers(self) -> [(HeaderName, HeaderValue); 3] {
        [
            (LIMIT, self.limit.into()),
            (REMAINING, self.remaining.into()),
            (RESET, seconds(self.reset).into()),
        ]
    }
}

/// Whole seconds, rounded up: a client that waits as long is not too early.
pub(crate) fn seconds(duration: Duration) -> u64 {
    let begun = u64::from(duration.subsec_nanos() > 0);
    duration.as_secs().saturating_add(begun)
}

impl RateLimits {
    pub(crate) fn new(limits: Limits, own: Arc<AccountLimits>) -> Self {
        Self {
            limits,
            own,
            usage: BoundedMap::new(REMEMBERED_MAX),
            unpublished: Mutex::default(),
        }
    }

    /// Counts a request, or refuses it. A refused request is not counted.
    pub(crate) fn admit(
        &self,
        account: &str,
        class: RateLimitClass,
        now: Duration,
    ) -> Result<Allowance, Exceeded> {
        let quota = self.quota(account, class);
        let key = self.usage.key((account, class));
        self.usage.with(key, now, |usage| {
            if let Some(wait) = usage
                .excesses
                .over(self.limits.violation_minutes_per_hour.get(), now)
            {
                let goes_on = usage.refused(now);
                return Err(exceeded(
                    (LimitBreach::HourlyBlock, goes_on),
                    quota,
                    wait,
                    wait,
                ));
            }
            match usage.bucket.take(quota, now) {
                Ok(level) => {
                    self.note(usage, account, class);
                    Ok(Allowance {
                        limit: quota.at_once().get(),
                        remaining: level.remaining,
                        reset: level.full_in,
                    })
                }
                Err(wait) => {
                    usage.excesses.note(now);
                    let reset = usage.bucket.level(quota, now).full_in;
                    let goes_on = usage.refused(now);
                    Err(exceeded((LimitBreach::Quota, goes_on), quota, reset, wait))
                }
            }
        })
    }

    /// The requests admitted here since the last call.
    pub(crate) fn used_here(&self) -> Vec<UsageDelta> {
        let unpublished = std::mem::take(&mut *self.unpublished());
        let spent = unpublished.into_iter().filter_map(|(account, class)| {
            let key = self.usage.key((account.as_str(), class));
            // An entry evicted meanwhile has no usage left to share.
            let count = self
                .usage
                .with_known(key, |usage| std::mem::take(&mut usage.unpublished))?;
            (count > 0).then_some(UsageDelta {
                account,
                class,
                count,
            })
        });
        spent.collect()
    }

    /// Counts the requests admitted by other instances.
    pub(crate) fn used_elsewhere(&self, spent: &[UsageDelta], now: Duration) {
        for UsageDelta {
            account,
            class,
            count,
        } in spent
        {
            let (key, quota) = (
                self.usage.key((account.as_str(), class)),
                self.quota(account.as_str(), *class),
            );
            self.usage
                .with(key, now, |usage| usage.bucket.spend(quota, *count, now));
        }
    }

    /// Records one more admitted request to be shared.
    fn note(&self, usage: &mut Usage, account: &str, class: RateLimitClass) {
        if usage.unpublished == 0 {
            let mut unpublished = self.unpublished();
            let Ok(account) = AccountId::parse(account) else {
                return;
            };
            if unpublished.len() >= UNPUBLISHED_MAX {
                return;
            }
            unpublished.push((account, class));
        }
        usage.unpublished = usage.unpublished.saturating_add(1);
    }

    fn unpublished(&self) -> MutexGuard<'_, Vec<(AccountId, RateLimitClass)>> {
        self.unpublished
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the limit that an account exceeded.
    pub(crate) fn named(&self, account: &str, class: RateLimitClass) -> String {
        let quota = self.quota(account, class);
        let what = class.code();
        let (at_once, a_minute) = (quota.at_once(), quota.a_minute());
        format!("{what}: {at_once} at once and {a_minute} a minute")
    }

    fn quota(&self, account: &str, class: RateLimitClass) -> Quota {
        let limits = self.own.of(account).unwrap_or(self.limits);
        match class {
            RateLimitClass::Payments => limits.payments,
            RateLimitClass::Bulks => limits.bulks,
            RateLimitClass::Reads => limits.reads,
            RateLimitClass::Lookups => limits.lookups,
        }
    }
}

impl Usage {
    /// Counts a refusal; returns whether there were too many lately.
    fn refused(&mut self, now: Duration) -> bool {
        self.refusals
            .take(Quota::per_minute(REFUSALS), now)
            .is_err()
    }
}

fn exceeded(
    (excess, goes_on): (LimitBreach, bool),
    quota: Quota,
    reset: Duration,
    wait: Duration,
) -> Exceeded {
    let allowance = Allowance {
        limit: quota.at_once().get(),
        remaining: 0,
        reset,
    };
    Exceeded {
        excess,
        allowance,
        wait,
        goes_on,
    }
}

impl Excesses {
    /// The time to the next hour, where this one has had too many.
    fn over(&self, max: u32, now: Duration) -> Option<Duration> {
        let rest = self.end().saturating_sub(now);
        (self.minutes >= max && !rest.is_zero()).then_some(rest)
    }

    fn note(&mut self, now: Duration) {
        let minute = now.as_secs() / MINUTE_S;
        if self.last_minute / MINUTES_AN_HOUR != minute / MINUTES_AN_HOUR {
            self.minutes = 0;
        }
        if self.minutes == 0 || self.last_minute != minute {
            self.minutes = self.minutes.saturating_add(1);
        }
        self.last_minute = minute;
    }

    /// The uptime from which it counts for nothing: the end of its hour.
    fn end(&self) -> Duration {
        let hour = self.last_minute / MINUTES_AN_HOUR;
        Duration::from_secs(hour.saturating_add(1).saturating_mul(HOUR_S))
    }
}

impl Evictable for Usage {
    fn idle_at(&self) -> Duration {
        let full_at = self.bucket.full_at().max(self.refusals.full_at());
        if self.excesses.minutes == 0 {
            full_at
        } else {
            full_at.max(self.excesses.end())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the hour.
    const NOW: Duration = Duration::from_hours(5);

    fn after(seconds: u64) -> Duration {
        NOW + Duration::from_secs(seconds)
    }

    fn drain(limits: &RateLimits, class: RateLimitClass, now: Duration) -> Exceeded {
        let refused = (0..2000).find_map(|_| limits.admit("shop", class, now).err());
        refused.unwrap()
    }

    #[test]
    fn each_class_has_its_own_budget() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        for (class, at_once) in [
            (RateLimitClass::Payments, 60),
            (RateLimitClass::Bulks, 10),
            (RateLimitClass::Reads, 1200),
            (RateLimitClass::Lookups, 60),
        ] {
            let first = limits.admit("shop", class, NOW).unwrap();
            assert_eq!((first.limit, first.remaining), (at_once, at_once - 1));
            drain(&limits, class, NOW);
        }
        let other = limits.admit("other", RateLimitClass::Payments, NOW);
        assert_eq!(other.unwrap().remaining, 59);
    }

    #[test]
    fn an_account_with_limits_of_its_own_has_those_as_soon_as_they_are_replaced() {
        let own = |reads: u32| {
            let reads = Quota::per_minute(NonZeroU32::new(reads).unwrap());
            let limits = Limits {
                reads,
                ..Limits::default()
            };
            [(AccountId::parse("shop").unwrap(), limits)]
        };
        let table = Arc::new(AccountLimits::new(own(3)));
        let limits = RateLimits::new(Limits::default(), Arc::clone(&table));
        let class = RateLimitClass::Reads;
        let admitted = |account: &str, now| {
            let admitted = (0..2000).map_while(|_| limits.admit(account, class, now).ok());
            admitted.last().map(|it| it.limit)
        };
        assert_eq!(admitted("shop", NOW), Some(3));
        assert_eq!(admitted("other", NOW), Some(1200));
        assert!(
            limits
                .named("shop", class)
                .contains("3 at once and 3 a minute")
        );
        let payments = limits.admit("shop", RateLimitClass::Payments, NOW).unwrap();
        assert_eq!(payments.limit, 60);
        table.replace(own(5));
        assert_eq!(admitted("shop", after(60)), Some(5));
        table.replace([]);
        assert_eq!(admitted("shop", after(120)), Some(1200));
    }

    #[test]
    fn the_tenth_full_minute_of_an_hour_ends_it() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        for minute in 0..10 {
            let now = after(minute * 60);
            let refused = drain(&limits, RateLimitClass::Lookups, now);
            assert_eq!(refused.excess, LimitBreach::Quota, "{minute}");
        }
        let refused = drain(&limits, RateLimitClass::Lookups, after(9 * 60));
        assert_eq!(refused.excess, LimitBreach::HourlyBlock);
        assert_eq!(refused.wait, Duration::from_mins(51));
        assert_eq!(refused.allowance.remaining, 0);
        let blocked = limits.admit("shop", RateLimitClass::Lookups, after(3599));
        assert_eq!(blocked.unwrap_err().wait, Duration::from_secs(1));
        assert!(
            limits
                .admit("shop", RateLimitClass::Reads, after(3599))
                .is_ok()
        );
        assert!(
            limits
                .admit("shop", RateLimitClass::Lookups, after(3600))
                .is_ok()
        );
    }

    #[test]
    fn nine_full_minutes_of_one_hour_and_one_of_the_next_end_nothing() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        for minute in 51..=60 {
            let refused = drain(&limits, RateLimitClass::Lookups, after(minute * 60));
            assert_eq!(refused.excess, LimitBreach::Quota, "{minute}");
        }
        let again = drain(&limits, RateLimitClass::Lookups, after(60 * 60));
        assert_eq!(again.excess, LimitBreach::Quota);
    }

    #[test]
    fn after_sixty_refusals_in_a_minute_an_account_goes_on_regardless() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        drain(&limits, RateLimitClass::Payments, NOW);
        let refused = |account, now| {
            limits
                .admit(account, RateLimitClass::Payments, now)
                .unwrap_err()
        };
        // One was refused when the budget was found empty.
        let at_once = (0..100).filter(|_| !refused("shop", NOW).goes_on).count();
        assert_eq!(at_once, 59);
        let later = after(61);
        assert!(!drain(&limits, RateLimitClass::Payments, later).goes_on);
        assert!(!refused("shop", later).goes_on);
    }

    fn spent(account: &str, class: RateLimitClass, count: u32) -> UsageDelta {
        UsageDelta {
            account: AccountId::parse(account).unwrap(),
            class,
            count,
        }
    }

    #[test]
    fn what_was_let_in_is_published_once_for_each_account_and_class() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        assert_eq!(limits.used_here(), []);
        for (account, class) in [
            ("shop", RateLimitClass::Payments),
            ("shop", RateLimitClass::Reads),
            ("shop", RateLimitClass::Payments),
            ("other", RateLimitClass::Payments),
        ] {
            limits.admit(account, class, NOW).unwrap();
        }
        let reported = [
            spent("shop", RateLimitClass::Payments, 2),
            spent("shop", RateLimitClass::Reads, 1),
            spent("other", RateLimitClass::Payments, 1),
        ];
        assert_eq!(limits.used_here(), reported);
        assert_eq!(limits.used_here(), []);
        limits.admit("shop", RateLimitClass::Reads, NOW).unwrap();
        assert_eq!(
            limits.used_here(),
            [spent("shop", RateLimitClass::Reads, 1)]
        );
    }

    #[test]
    fn what_was_refused_or_spent_elsewhere_is_not_published() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        drain(&limits, RateLimitClass::Lookups, NOW);
        assert_eq!(
            limits.used_here(),
            [spent("shop", RateLimitClass::Lookups, 60)]
        );
        drain(&limits, RateLimitClass::Lookups, NOW);
        limits.used_elsewhere(&[spent("other", RateLimitClass::Lookups, 5)], NOW);
        assert_eq!(limits.used_here(), []);
    }

    #[test]
    fn what_was_spent_elsewhere_is_missing_here_from_that_class_of_that_account() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        limits.used_elsewhere(&[spent("shop", RateLimitClass::Payments, 9)], NOW);
        let left = |account, class| limits.admit(account, class, NOW).unwrap().remaining;
        assert_eq!(left("shop", RateLimitClass::Payments), 50);
        assert_eq!(left("shop", RateLimitClass::Lookups), 59);
        assert_eq!(left("other", RateLimitClass::Payments), 59);
    }

    #[test]
    fn a_debt_is_reported_like_any_other_limit() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        limits.used_elsewhere(&[spent("shop", RateLimitClass::Payments, 65)], NOW);
        let refused = limits
            .admit("shop", RateLimitClass::Payments, NOW)
            .unwrap_err();
        assert_eq!(refused.wait, Duration::from_millis(1200));
        assert_eq!(refused.allowance.remaining, 0);
        assert_eq!(refused.allowance.reset, Duration::from_secs(13));
    }

    #[test]
    fn of_a_flood_of_accounts_a_bounded_part_is_published() {
        let limits = RateLimits::new(Limits::default(), Arc::default());
        let flood = |limits: &RateLimits| {
            for account in 0..20_000 {
                let account = format!("shop-{account}");
                limits.admit(&account, RateLimitClass::Reads, NOW).unwrap();
            }
        };
        for _ in 0..2 {
            flood(&limits);
            assert_eq!(limits.used_here().len(), UNPUBLISHED_MAX);
        }
        assert_eq!(limits.unpublished().len(), 0);
    }

    #[test]
    fn what_is_left_is_reported_in_whole_seconds() {
        let allowance = Allowance {
            limit: 60,
            remaining: 3,
            reset: Duration::from_millis(11_001),
        };
        let shown = allowance.headers().map(|(_, value)| value);
        assert_eq!(shown, ["60", "3", "12"]);
        assert_eq!(seconds(Duration::ZERO), 0);
        assert_eq!(seconds(Duration::from_secs(2)), 2);
    }

    #[test]
    fn who_was_refused_this_hour_is_not_forgotten_before_it_ends() {
        let mut usage = Usage::default();
        assert!(usage.idle_at() <= NOW);
        usage.excesses.note(NOW);
        assert_eq!(usage.idle_at(), after(3600));
    }
}
