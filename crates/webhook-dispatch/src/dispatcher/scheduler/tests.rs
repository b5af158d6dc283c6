//! Properties of the scheduler under any sequence of calls. Tests here must look at nothing but
//! what is claimed and begun.

mod patience;

use super::*;
use crate::dispatcher::limits::{LEASE, LEASE_LEFT_MIN, PER_ENDPOINT_MAX};
use crate::guard::LookupPriority;
use domain::webhook::{Delivery, DeliveryState};
use proptest::prelude::*;
use testkit::builders::{START, account, endpoint, ping};

const SECOND: Duration = Duration::from_secs(1);

fn claimed(to: u64, n: u64) -> Claimed {
    let endpoint = endpoint("shop", to);
    Claimed {
        delivery: Delivery {
            account: endpoint.account.clone(),
            endpoint: endpoint.id,
            event: ping(n, START),
            attempts: 0,
            round: 0,
            state: DeliveryState::Due(START),
        },
        account: account("shop").build(),
        endpoint,
    }
}

fn key(to: u64) -> QueueKey {
    let endpoint = endpoint("shop", to);
    (endpoint.account, endpoint.id)
}

impl Scheduler {
    /// The claims but for requested deliveries.
    fn ordinary(&self, now: Timestamp) -> Vec<DeliveryClaim> {
        let mut claims = self.claims(now, LEASE);
        claims.retain(|claim| !claim.only_asked_for);
        claims
    }

    /// What is claimed of that.
    fn asked_for(&self, now: Timestamp) -> DeliveryClaim {
        let mut claims = self.claims(now, LEASE).into_iter();
        let claim = claims.find(|claim| claim.only_asked_for).unwrap();
        assert_eq!(claim.per_endpoint, 1);
        claim
    }

    /// Takes in so many deliveries to each of some endpoints, as a claim at a moment brings them.
    fn gets(&mut self, to: impl IntoIterator<Item = u64>, each: u64, now: Timestamp) {
        let claim = self.ordinary(now).remove(0);
        let to = to
            .into_iter()
            .filter(|to| !claim.except.contains(&key(*to)));
        let each = each.min(claim.per_endpoint.into());
        let brought = to.flat_map(|to| (1..=each).map(move |n| claimed(to, n)));
        let brought = brought.collect();
        self.admit(&claim, brought);
    }

    /// Begins all it can and says to whom.
    fn begins(&mut self, now: Timestamp) -> Vec<u64> {
        let next = std::iter::from_fn(|| self.next(now));
        next.map(|turn| turn.key.1.get()).collect()
    }

    /// Has an endpoint take so many deliveries, one after the other.
    fn proves(&mut self, to: u64, many: u64) {
        for _ in 0..many {
            self.gets([to], 1, START);
            assert_eq!(self.begins(START), [to]);
            self.ended(&key(to), AttemptOutcome::Accepted, START);
        }
    }

    fn excepts(&self, to: u64, now: Timestamp) -> bool {
        self.ordinary(now)[0].except.contains(&key(to))
    }

    /// What must hold at any time.
    fn is_sound(&self) {
        let sums: QueueTotals = self.lines.values().map(QueueTotals::of).sum();
        assert_eq!(self.sums, sums);
        assert!(sums.under_way <= IN_FLIGHT_MAX);
        assert!(sums.doubtful_under_way <= DOUBTFUL_UNDER_WAY_MAX + PER_ENDPOINT_MAX);
        assert!(sums.failed_under_way <= FAILED_UNDER_WAY_MAX + PER_ENDPOINT_MAX);
        let mut turns: Vec<_> = self.turns.all().collect();
        turns.sort();
        let waits = |(key, line): (_, &EndpointQueue)| Some((key, line.class()?));
        let mut waits: Vec<_> = self.lines.iter().filter_map(waits).collect();
        waits.sort();
        assert_eq!(turns, waits);
    }
}

const FAILED: AttemptOutcome = AttemptOutcome::Failed { leave_alone: None };

#[test]
fn endpoints_take_turns() {
    let mut scheduler = Scheduler::default();
    scheduler.gets([1, 2, 3], 2, START);
    assert_eq!(scheduler.begins(START), [1, 2, 3, 1, 2, 3]);
}

#[test]
fn who_takes_deliveries_is_given_more_of_them_at_a_time() {
    let mut scheduler = Scheduler::default();
    scheduler.gets([1], 20, START);
    assert_eq!(scheduler.begins(START), [1; 2]);
    for places in [2, 2, 2, 2, 2, 2, 1, 1] {
        scheduler.ended(&key(1), AttemptOutcome::Accepted, START);
        assert_eq!(scheduler.begins(START), vec![1; places]);
    }
}

#[test]
fn names_are_looked_up_for_an_endpoint_as_far_as_it_is_known_to_take_deliveries() {
    let mut scheduler = Scheduler::default();
    for (ending, asker) in [
        (AttemptOutcome::Accepted, LookupPriority::Unproven),
        (FAILED, LookupPriority::Proven),
        (AttemptOutcome::Accepted, LookupPriority::Unproven),
        (AttemptOutcome::Accepted, LookupPriority::Proven),
    ] {
        scheduler.gets([1], 1, START);
        assert_eq!(scheduler.next(START).unwrap().asker, asker);
        scheduler.ended(&key(1), ending, START);
    }
}

#[test]
fn what_could_not_be_recorded_before_its_lease_ends_is_not_begun() {
    let last = START.plus(LEASE).minus(LEASE_LEFT_MIN);
    let mut scheduler = Scheduler::default();
    scheduler.gets([1], 1, START);
    assert_eq!(scheduler.begins(last), [1]);
    let mut scheduler = Scheduler::default();
    scheduler.gets([1], 2, START);
    assert_eq!(
        scheduler.begins(last.plus(Duration::from_millis(1))),
        [0; 0]
    );
    assert_eq!((scheduler.sums.waiting, scheduler.sums.under_way), (0, 0));
    scheduler.is_sound();
}

#[test]
fn however_much_waits_for_some_the_others_are_claimed_for() {
    let mut scheduler = Scheduler::default();
    scheduler.proves(1, 8);
    for many in 0..100 {
        scheduler.gets(10 + many * 10..20 + many * 10, 64, START);
    }
    let waiting = scheduler.sums.waiting;
    assert!(
        (QUEUE_SOFT_LIMIT..=QUEUE_SOFT_LIMIT + 640 + 2 * 1000).contains(&waiting),
        "{waiting}"
    );
    for (to, excepted) in [(10, true), (900, true), (1, false), (5000, false)] {
        assert_eq!(scheduler.excepts(to, START), excepted, "{to}");
    }
    scheduler.begins(START);
    assert_eq!(scheduler.sums.under_way, DOUBTFUL_UNDER_WAY_MAX);
    // A sixteenth of the 64 that are free, and of those that are left then.
    for places in [2, 1] {
        scheduler.gets([1], 2, START);
        assert_eq!(scheduler.begins(START), vec![1; places]);
    }
    scheduler.is_sound();
}

#[test]
fn so_much_may_wait_that_nothing_is_claimed() {
    let mut scheduler = Scheduler::default();
    let many = u64::try_from(WAITING_MAX).unwrap() / 2;
    for to in 1..=many {
        assert_eq!(scheduler.ordinary(START).len(), 1);
        scheduler.gets([to], 2, START);
    }
    assert_eq!(scheduler.ordinary(START), []);
    scheduler.begins(START);
    assert!(!scheduler.runs_low(START), "not for so little room");
    scheduler.is_sound();
}

#[test]
fn endpoints_that_are_well_are_forgotten_before_those_that_fail() {
    let mut scheduler = Scheduler::default();
    for to in 1..=10 {
        for _ in 0..5 {
            scheduler.gets([to], 1, START);
            scheduler.begins(START);
            scheduler.ended(&key(to), FAILED, START);
        }
    }
    let most = u64::try_from(LINES_MAX + LINES_FORGOTTEN).unwrap();
    for to in 11..=most {
        let now = START.plus(Duration::from_millis(to));
        scheduler.gets([to], 1, now);
        assert_eq!(scheduler.begins(now), [to]);
        scheduler.ended(&key(to), AttemptOutcome::Accepted, now);
    }
    assert_eq!(scheduler.lines.len(), LINES_MAX);
    assert!((1..=10).all(|to| scheduler.excepts(to, START)));
    // Recently used ones are still known.
    let oldest = 10 + u64::try_from(LINES_FORGOTTEN).unwrap();
    let known = |to| scheduler.lines.contains_key(&key(to));
    assert!((11..=oldest).all(|to| !known(to)) && (oldest + 1..=most).all(known));
    scheduler.is_sound();
}

#[test]
fn some_places_are_left_to_those_of_which_nothing_bad_is_known() {
    let mut scheduler = Scheduler::default();
    for to in 1..=200 {
        scheduler.gets([to], 1, START);
        scheduler.begins(START);
        scheduler.ended(&key(to), FAILED, START);
    }
    scheduler.gets(1..=200, 2, START);
    assert_eq!(scheduler.begins(START).len(), FAILED_UNDER_WAY_MAX);
    scheduler.gets([1000], 1, START);
    assert_eq!(scheduler.begins(START), [1000]);
    scheduler.is_sound();
}

#[test]
fn an_endpoint_without_a_slot_is_not_scanned_to_find_one_that_has() {
    let mut scheduler = Scheduler::default();
    scheduler.proves(5000, 8);
    for to in 1..=1000 {
        scheduler.gets([to], 1, START);
    }
    assert_eq!(scheduler.begins(START).len(), DOUBTFUL_UNDER_WAY_MAX);
    scheduler.gets([5000], 1, START);
    let looked_at = std::cell::Cell::new(0);
    let open = |of| {
        looked_at.set(looked_at.get() + 1);
        scheduler.has_capacity(of)
    };
    let (_, next) = scheduler.turns.after(None, open).unwrap();
    assert_eq!(next, key(5000));
    assert!(looked_at.get() <= 2);
    scheduler.sums.under_way = IN_FLIGHT_MAX;
    assert!(scheduler.next(START).is_none());
}

proptest! {
    #[test]
    fn whatever_happens_everything_is_counted_once(
        steps in prop::collection::vec((0_u8..7, 1_u64..12, 0_u64..70, 0_u64..40), 1..200),
    ) {
        let mut scheduler = Scheduler::default();
        let mut under_way = Vec::new();
        let mut now = START;
        for (what, to, many, seconds) in steps {
            match what {
                0 => {
                    for (at, claim) in scheduler.claims(now, LEASE).into_iter().enumerate() {
                        let to = if at == 0 { to } else { to + 1 };
                        let each = many.min(claim.per_endpoint.into());
                        if !claim.except.contains(&key(to)) {
                            scheduler.admit(&claim, (1..=each).map(|n| claimed(to, n)).collect());
                        }
                    }
                }
                1 => {
                    let begun = std::iter::from_fn(|| scheduler.next(now));
                    under_way.extend(begun.map(|scheduled| scheduled.key));
                }
                2 => now = now.plus(SECOND.saturating_mul(u32::try_from(seconds).unwrap())),
                ended => {
                    let ending = match ended {
                        3 => AttemptOutcome::Accepted,
                        4 => FAILED,
                        5 => AttemptOutcome::Skipped,
                        _ => AttemptOutcome::Gone,
                    };
                    for key in under_way.split_off(under_way.len().saturating_sub(5)) {
                        scheduler.ended(&key, ending, now);
                    }
                }
            }
            scheduler.is_sound();
            prop_assert_eq!(scheduler.sums.under_way, under_way.len());
        }
    }
}
