//! Counts failed logins by their source address. It must never lock an account: failures of one
//! source affect that source alone.
//!
//! Two counts are kept for each source: failures of one identity with keys of one prefix, and the
//! number of prefixes that failed for that identity. So a guesser is stopped after ten guesses,
//! while a forgotten job that keeps using a revoked key stops only itself and not the programs
//! behind the same address that use the right one. A stopped source is refused with the right key
//! as well: the answer would disclose which guess was right.
//!
//! All failures of a source are counted too, for any identity: each identity that is tried for the
//! first time costs a read of the store. Where a source has had too many, only accounts that need
//! no read are checked, so other merchants behind the same address can go on.

use super::bounded_map::{BoundedMap, BoundedMapKey, Evictable};
use super::bucket::{Bucket, Quota};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

/// How many failing sources and identities are kept; at some 24 bytes each they take 2 MB. An
/// attacker who fails under more names than this evicts entries, and gains ten more guesses of keys
/// with 178 bits.
const REMEMBERED_MAX: usize = 65_536;

/// How many failures of one source stop reads of the store, for each failure that stops a guesser:
/// enough for an office of merchants whose keys were all replaced.
const SOURCE_TIMES: NonZeroU32 = NonZeroU32::MIN.saturating_add(29);

/// The length of the key prefix: the part that lists show.
const KEY_BEGINNING: usize = 12;

/// The part of an IPv6 address that is one source: what one customer is given (RFC 6177).
const IPV6_SOURCE: u128 = !0 << 64;

/// The failures of the last minute.
#[derive(Debug)]
pub(crate) struct LoginThrottle {
    quota: Quota,
    source_quota: Quota,
    failures: BoundedMap<Failures>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Failures(Bucket);

/// The counters of a login.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Login {
    beginning: BoundedMapKey,
    identity: BoundedMapKey,
    source: BoundedMapKey,
}

/// Too many failures; one more attempt is checked after this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Throttled {
    pub(crate) wait: Duration,
}

impl LoginThrottle {
    pub(crate) fn new(failures_per_minute: NonZeroU32) -> Self {
        Self {
            quota: Quota::per_minute(failures_per_minute),
            source_quota: Quota::per_minute(failures_per_minute.saturating_mul(SOURCE_TIMES)),
            failures: BoundedMap::new(REMEMBERED_MAX),
        }
    }

    /// The counters of a login attempt.
    pub(crate) fn login(&self, from: IpAddr, identity: &str, key: &str) -> Login {
        let from = source(from);
        let beginning = key.char_indices().nth(KEY_BEGINNING);
        let beginning = beginning.and_then(|(end, _)| key.get(..end));
        let beginning = beginning.unwrap_or(key);
        Login {
            beginning: self.failures.key((from, identity, beginning)),
            identity: self.failures.key((from, identity)),
            source: self.failures.key(from),
        }
    }

    /// Whether the store may be read for a login of this source.
    pub(crate) fn check_source(&self, login: Login, now: Duration) -> Result<(), Throttled> {
        self.failures.get(login.source).take(self.source_quota, now)
    }

    /// Whether the login may be attempted at all.
    pub(crate) fn check(&self, login: Login, now: Duration) -> Result<(), Throttled> {
        for key in [login.beginning, login.identity] {
            // A copy: an attempt is free, a failure is not.
            self.failures.get(key).take(self.quota, now)?;
        }
        Ok(())
    }

    /// Counts a failure. Many attempts at a time disclose no more than attempts one by one.
    pub(crate) fn failed(&self, login: Login, now: Duration) -> Result<(), Throttled> {
        let count = |failures: &mut Failures| failures.take(self.source_quota, now);
        // Where there are too many already, the next login is not checked.
        let _ = self.failures.with(login.source, now, count);
        let first = self.failures.with(login.beginning, now, |failures| {
            let first = failures.0.full_at() <= now;
            failures.take(self.quota, now).map(|()| first)
        })?;
        if first {
            let count = |failures: &mut Failures| failures.take(self.quota, now);
            self.failures.with(login.identity, now, count)?;
        }
        Ok(())
    }
}

impl Failures {
    fn take(&mut self, quota: Quota, now: Duration) -> Result<(), Throttled> {
        let taken = self.0.take(quota, now);
        taken.map(|_| ()).map_err(|wait| Throttled { wait })
    }
}

impl Evictable for Failures {
    fn idle_at(&self) -> Duration {
        self.0.full_at()
    }
}

fn source(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & IPV6_SOURCE).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_hours(1);
    const STALE: &str = "mk_test_AAAA11111111";
    const RIGHT: &str = "mk_test_BBBB22222222";

    fn throttle() -> LoginThrottle {
        LoginThrottle::new(NonZeroU32::new(10).unwrap())
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// Sends a hundred attempts at one moment, all of which fail, and returns how many are checked.
    fn tried(throttle: &LoginThrottle, from: &str, identity: &str, key: impl Fn(u32) -> String) {
        let looked_at = (0..100).filter(|number| {
            let login = throttle.login(address(from), identity, &key(*number));
            throttle.check(login, NOW).is_ok() && throttle.failed(login, NOW).is_ok()
        });
        assert_eq!(looked_at.count(), 10);
    }

    fn is_tried(throttle: &LoginThrottle, from: &str, identity: &str, key: &str) -> bool {
        let login = throttle.login(address(from), identity, key);
        throttle.check(login, NOW).is_ok()
    }

    #[test]
    fn a_guesser_is_stopped_and_the_right_key_opens_nothing_from_there() {
        let throttle = throttle();
        tried(&throttle, "192.0.2.1", "shop", |number| {
            format!("mk_test_{number:04}")
        });
        assert!(!is_tried(&throttle, "192.0.2.1", "shop", RIGHT));
        assert!(is_tried(&throttle, "192.0.2.2", "shop", RIGHT));
        assert!(is_tried(&throttle, "192.0.2.1", "other", RIGHT));
    }

    #[test]
    fn a_stale_key_stops_itself_and_not_the_right_one_beside_it() {
        let throttle = throttle();
        tried(&throttle, "192.0.2.1", "shop", |_| STALE.to_owned());
        assert!(!is_tried(&throttle, "192.0.2.1", "shop", STALE));
        assert!(is_tried(&throttle, "192.0.2.1", "shop", RIGHT));
    }

    #[test]
    fn keys_that_begin_alike_are_guesses_of_one_key() {
        let throttle = throttle();
        tried(&throttle, "192.0.2.1", "shop", |number| {
            format!("mk_test_BBBB{number}")
        });
        assert!(!is_tried(&throttle, "192.0.2.1", "shop", RIGHT));
    }

    #[test]
    fn an_attempt_is_looked_at_again_when_one_failure_is_old_enough() {
        let throttle = throttle();
        tried(&throttle, "192.0.2.1", "shop", |_| STALE.to_owned());
        let login = throttle.login(address("192.0.2.1"), "shop", STALE);
        let wait = Duration::from_secs(6);
        assert_eq!(throttle.check(login, NOW), Err(Throttled { wait }));
        let later = NOW + wait;
        assert_eq!(throttle.check(login, later), Ok(()));
        assert_eq!(throttle.failed(login, later), Ok(()));
        assert_eq!(throttle.check(login, later), Err(Throttled { wait }));
    }

    #[test]
    fn attempts_at_one_moment_are_no_way_around() {
        let throttle = throttle();
        let login = throttle.login(address("192.0.2.1"), "shop", STALE);
        let checked = (0..50).filter(|_| throttle.check(login, NOW).is_ok());
        assert_eq!(checked.count(), 50);
        let failed = (0..50).filter(|_| throttle.failed(login, NOW).is_ok());
        assert_eq!(failed.count(), 10);
    }

    #[test]
    fn one_customer_of_ipv6_is_one_source() {
        let throttle = throttle();
        tried(&throttle, "2001:db8::1", "shop", |number| {
            format!("mk_test_{number:04}")
        });
        assert!(!is_tried(&throttle, "2001:db8::ffff:2", "shop", RIGHT));
        assert!(is_tried(&throttle, "2001:db8:0:1::1", "shop", RIGHT));
        let mapped = source(address("::ffff:192.0.2.1"));
        assert_eq!(mapped, address("192.0.2.1"));
    }

    #[test]
    fn failures_of_many_identities_stop_reads_for_their_source_alone() {
        let throttle = throttle();
        let may_read = |from, number: u32| {
            let login = throttle.login(address(from), &format!("shop-{number}"), STALE);
            let checked = throttle.check_source(login, NOW).is_ok();
            checked && throttle.failed(login, NOW).is_ok()
        };
        let read = (0..1000).filter(|number| may_read("192.0.2.1", *number));
        assert_eq!(read.count(), 10 * 30);
        assert!(may_read("192.0.2.2", 1));
        let login = throttle.login(address("192.0.2.1"), "another", RIGHT);
        assert_eq!(throttle.check(login, NOW), Ok(()));
        let wait = Duration::from_millis(200);
        assert_eq!(throttle.check_source(login, NOW), Err(Throttled { wait }));
        assert_eq!(throttle.check_source(login, NOW + wait), Ok(()));
    }

    #[test]
    fn a_key_may_be_any_text() {
        let throttle = throttle();
        for key in ["", "é", &"é".repeat(100)] {
            let login = throttle.login(address("192.0.2.1"), "", key);
            assert_eq!(throttle.check(login, NOW), Ok(()));
        }
    }
}
