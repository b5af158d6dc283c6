//! How much of our money at a provider each instance may still sell, in naira. An instance leases a
//! tranche and sells within it, so no payment waits for another instance. Everything that is not
//! known for certain counts as spent: the reserve must never promise the same naira twice.

use crate::money::{Currency, Money};
use crate::provider::ProviderId;
use crate::time::Timestamp;
use std::time::Duration;

/// An instance, as the store distinguishes it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrancheHolder(pub i64);

/// What an instance may sell until a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatTranche {
    /// Which instance.
    pub holder: TrancheHolder,
    /// At most so much of it is unspent.
    pub amount: Money,
    /// From when on it is the holder's no more, by the time of the store.
    pub until: Timestamp,
}

/// What an instance asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrancheRequest {
    /// At which provider.
    pub provider: ProviderId,
    /// Which instance asks.
    pub holder: TrancheHolder,
    /// What it has not spent of the tranche it has.
    pub unspent: Money,
    /// What it wants to have altogether.
    pub wanted: Money,
}

/// What an instance is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrancheGrant {
    /// What it keeps of the unspent: all of it, or nothing where its lease had ended.
    pub kept: Money,
    /// What it is given besides.
    pub granted: Money,
}

/// Our money at a provider as it is divided among instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloatReserve {
    /// What no instance has.
    pub free: Money,
    /// When that was last counted from the ledger; `None` where it must be counted anew.
    pub counted_at: Option<Timestamp>,
    /// What instances have.
    pub tranches: Vec<FloatTranche>,
}

impl FloatReserve {
    /// How long an instance has a tranche. One that died holds it back for so long at the most.
    pub const LEASE: Duration = Duration::from_mins(5);

    /// The holder stops so much sooner, for clocks that do not run alike.
    pub const MARGIN: Duration = Duration::from_secs(15);

    /// After this the ledger is counted again: what orders cost less than their amounts is then
    /// free again. Counting reads the whole ledger.
    pub const COUNTED_EVERY: Duration = Duration::from_hours(1);

    /// The same where less is free than is wanted.
    pub const COUNTED_EVERY_WHEN_SHORT: Duration = Duration::from_mins(1);

    /// A reserve of which nothing is known.
    pub const UNKNOWN: Self = Self {
        free: Money::zero(Currency::Ngn),
        counted_at: None,
        tranches: Vec::new(),
    };

    /// Whether the ledger must be counted before the request is answered.
    pub fn must_count(&self, request: &TrancheRequest, now: Timestamp) -> bool {
        let Some(counted_at) = self.counted_at else {
            return true;
        };
        let age = now.since(counted_at);
        let has_ended = self.tranches.iter().any(|it| it.until <= now);
        let is_new = !self.tranches.iter().any(|it| it.holder == request.holder);
        let short = self.free.minor() < missing(request, request.unspent);
        has_ended
            || is_new
            || now < counted_at
            || age >= Self::COUNTED_EVERY
            || (short && age >= Self::COUNTED_EVERY_WHEN_SHORT)
    }

    /// The reserve after the ledger was counted: `left` is what was paid in, less what was spent,
    /// less the cost of every attempt that is open. It must have been read after the request was
    /// made and before any other is answered.
    #[must_use]
    pub fn counted(mut self, left: Money, request: &TrancheRequest, now: Timestamp) -> Self {
        let kept = self.kept(request, now);
        self.tranches.retain(|it| now < it.until);
        for tranche in &mut self.tranches {
            // Of a clock that was ahead.
            tranche.until = tranche.until.min(now.plus(Self::LEASE));
        }
        let others = self.tranches.iter();
        let others = others.filter(|it| it.holder != request.holder);
        let taken = others.fold(kept, |sum, it| sum.saturating_add(it.amount.minor()));
        self.free = naira(left.minor().saturating_sub(taken));
        self.counted_at = Some(now);
        self
    }

    /// Answers a request.
    #[must_use]
    pub fn lease(mut self, request: &TrancheRequest, now: Timestamp) -> (Self, TrancheGrant) {
        let kept = self.kept(request, now);
        let granted = missing(request, naira(kept)).min(self.free.minor()).max(0);
        self.free = naira(self.free.minor().saturating_sub(granted));
        self.tranches.retain(|it| it.holder != request.holder);
        self.tranches.push(FloatTranche {
            holder: request.holder,
            amount: naira(kept.saturating_add(granted)),
            until: now.plus(Self::LEASE),
        });
        let grant = TrancheGrant {
            kept: naira(kept),
            granted: naira(granted),
        };
        (self, grant)
    }

    /// What the holder keeps: nothing where its lease ended, for then it may be another's, and
    /// never more than it was given.
    fn kept(&self, request: &TrancheRequest, now: Timestamp) -> i64 {
        let mut tranches = self.tranches.iter();
        let own = tranches.find(|it| it.holder == request.holder && now < it.until);
        own.map_or(0, |own| {
            request.unspent.minor().clamp(0, own.amount.minor())
        })
    }
}

/// What lacks to what is wanted.
fn missing(request: &TrancheRequest, kept: Money) -> i64 {
    request.wanted.minor().saturating_sub(kept.minor()).max(0)
}

const fn naira(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn request(holder: i64, unspent: i64, wanted: i64) -> TrancheRequest {
        TrancheRequest {
            provider: ProviderId::parse("shop").unwrap(),
            holder: TrancheHolder(holder),
            unspent: naira(unspent),
            wanted: naira(wanted),
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1_000)
    }

    #[test]
    fn instances_are_given_tranches_until_nothing_is_free() {
        let first = request(1, 0, 60);
        let reserve = FloatReserve::UNKNOWN;
        assert!(reserve.must_count(&first, at(0)));
        let reserve = reserve.counted(naira(100), &first, at(0));
        let (reserve, grant) = reserve.lease(&first, at(0));
        assert_eq!((grant.kept, grant.granted), (naira(0), naira(60)));
        let second = request(2, 0, 60);
        assert!(reserve.must_count(&second, at(1)), "it has none yet");
        let reserve = reserve.counted(naira(100), &second, at(1));
        let (reserve, grant) = reserve.lease(&second, at(1));
        assert_eq!(grant.granted, naira(40));
        assert_eq!(reserve.free, naira(0));
        // The first spent 50 and asks for as much again: nothing is free.
        let again = request(1, 10, 60);
        assert!(!reserve.must_count(&again, at(2)));
        let (reserve, grant) = reserve.lease(&again, at(2));
        assert_eq!((grant.kept, grant.granted), (naira(10), naira(0)));
        // A minute later it is counted: 20 were refused and are ours again.
        assert!(reserve.must_count(&again, at(62)));
        let reserve = reserve.counted(naira(70), &again, at(62));
        let (reserve, grant) = reserve.lease(&again, at(62));
        assert_eq!(grant.granted, naira(20));
        assert_eq!(reserve.free, naira(0));
    }

    #[test]
    fn a_lease_that_ended_is_lost_and_free_once_it_is_counted() {
        let (reserve, _) = FloatReserve::UNKNOWN
            .counted(naira(100), &request(1, 0, 60), at(0))
            .lease(&request(1, 0, 60), at(0));
        let (reserve, _) = reserve
            .counted(naira(100), &request(2, 0, 30), at(1))
            .lease(&request(2, 0, 30), at(1));
        let late = request(1, 60, 60);
        assert!(reserve.must_count(&late, at(300)));
        let reserve = reserve.counted(naira(100), &late, at(300));
        assert_eq!(reserve.free, naira(70), "the second has 30 for a second");
        let (_, grant) = reserve.lease(&late, at(300));
        assert_eq!((grant.kept, grant.granted), (naira(0), naira(60)));
    }

    #[test]
    fn an_overdrawn_float_grants_nothing() {
        let asked = request(1, 0, 60);
        let reserve = FloatReserve::UNKNOWN.counted(naira(-5), &asked, at(0));
        let (reserve, grant) = reserve.lease(&asked, at(0));
        assert_eq!(grant.granted, naira(0));
        assert_eq!(reserve.free, naira(-5));
    }

    /// What happens: an instance asks, or sells of what it has; or time passes.
    #[derive(Debug, Clone)]
    enum Step {
        Lease(usize, i64),
        Sell(usize, i64),
        Wait(i64),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            3 => (0..3_usize, 1..80_i64).prop_map(|(who, wanted)| Step::Lease(who, wanted)),
            4 => (0..3_usize, 1..40_i64).prop_map(|(who, amount)| Step::Sell(who, amount)),
            1 => (1..400_i64).prop_map(Step::Wait),
        ];
        prop::collection::vec(step, 0..120)
    }

    /// What an instance has, and until when.
    #[derive(Debug, Clone, Copy, Default)]
    struct Instance {
        left: i64,
        until: i64,
    }

    proptest! {
        #[test]
        fn no_more_is_sold_than_was_paid_in(paid_in in 0..300_i64, steps in steps()) {
            let mut reserve = FloatReserve::UNKNOWN;
            let mut instances = [Instance::default(); 3];
            let (mut now, mut sold) = (0_i64, 0_i64);
            for step in steps {
                match step {
                    Step::Wait(seconds) => now += seconds,
                    Step::Lease(who, wanted) => {
                        let instance = &mut instances[who];
                        if instance.until <= now {
                            instance.left = 0;
                        }
                        let asked = request(i64::try_from(who).unwrap(), instance.left, wanted);
                        if reserve.must_count(&asked, at(now)) {
                            reserve = reserve.counted(naira(paid_in - sold), &asked, at(now));
                        }
                        let (after, grant) = reserve.lease(&asked, at(now));
                        reserve = after;
                        instance.left = grant.kept.minor() + grant.granted.minor();
                        instance.until = now + 300;
                    }
                    Step::Sell(who, amount) => {
                        let instance = &mut instances[who];
                        if now < instance.until && amount <= instance.left {
                            instance.left -= amount;
                            sold += amount;
                        }
                    }
                }
                prop_assert!(sold <= paid_in, "{sold} of {paid_in}");
            }
        }
    }
}
