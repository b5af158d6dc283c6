//! Steps of subscriptions, with a calendar of days.

use super::*;
use crate::account::AccountId;
use crate::airtime::AirtimeOrder;
use crate::billing::Billing;
use crate::country::CountryCode;
use crate::credential::KeyId;
use crate::idempotency::RequestFingerprint;
use crate::money::{Currency, Money};
use crate::order::Order;
use crate::phone::PhoneNumber;
use crate::recurring::{RecurringInterval, RecurringOver, RecurringSchedule, RecurringVersion};
use crate::reference::{MerchantReference, TransactionNumber};
use crate::transaction::KeyHolder;
use proptest::prelude::*;

const DAY: i64 = 24 * 3_600_000;
const HOUR: i64 = 3_600_000;

/// Run 1 at the beginning of day 1.
struct Days;

impl RunCalendar for Days {
    fn due_at(&self, run: u32) -> Timestamp {
        Timestamp::from_millis(i64::from(run) * DAY)
    }
}

fn day(day: i64, hours: i64) -> Timestamp {
    Timestamp::from_millis(day * DAY + hours * HOUR)
}

fn subscription(on_failure: OnRunFailure, count: Option<u32>) -> RecurringPayment {
    let terms = RecurringTerms {
        account: AccountId::parse("shop").unwrap(),
        number: TransactionNumber::try_new(7).unwrap(),
        reference: MerchantReference::parse("monthly").unwrap(),
        order: Order::Airtime(AirtimeOrder {
            number: PhoneNumber::parse("2348031234567").unwrap(),
            country: CountryCode::NIGERIA,
            network_code: "mtn".into(),
            network_brandname: "MTN".into(),
            billing: Billing::Prepaid,
            amount: Money::from_minor(10_000, Currency::Ngn),
        }),
        schedule: RecurringSchedule {
            interval: RecurringInterval::Day,
            start: day(1, 0),
            count,
        },
        time_zone: "UTC".into(),
        on_failure,
        made_by: KeyHolder {
            key: KeyId(1),
            user: None,
        },
        asked: RequestFingerprint([1; 32]),
        created_at: day(0, 0),
    };
    RecurringPayment {
        progress: RecurringProgress::first(&terms),
        terms,
        version: RecurringVersion::FIRST,
    }
}

impl RecurringPayment {
    fn take(&mut self, step: RecurringStep) -> Option<RecurringRun> {
        self.progress = step.progress;
        step.run
    }

    fn begin(&mut self, now: Timestamp) -> RecurringRun {
        let step = self.next(&Days, now);
        self.take(step).expect("a run is begun")
    }
}

#[test]
fn a_run_is_begun_when_it_is_due_and_the_next_one_is_waited_for() {
    let mut it = subscription(OnRunFailure::Skip, None);
    let early = it.next(&Days, day(0, 23));
    assert_eq!((early.run, early.progress.look_at), (None, Some(day(1, 0))));
    let run = it.begin(day(1, 0));
    assert_eq!((run.number, run.due_at), (1, day(1, 0)));
    assert_eq!(it.terms.run_reference(&run).as_str(), "sub-7-1");
    let step = it.bought(run, day(1, 0));
    it.take(step);
    assert_eq!(
        (it.progress.bought, it.progress.last_at),
        (1, Some(day(1, 0)))
    );
    let step = it.delivered(&Days);
    it.take(step);
    assert_eq!(it.progress.look_at, Some(day(2, 0)));
    assert!(!it.progress.is_pause);
}

#[test]
fn after_a_long_downtime_only_the_latest_run_is_bought_and_only_in_its_time() {
    let it = subscription(OnRunFailure::Skip, None);
    let late = it.next(&Days, day(9, 23));
    assert_eq!(late.run.map(|run| run.number), Some(9));
    assert_eq!(late.progress.next_run, 10);
    let ended = subscription(OnRunFailure::Skip, Some(5)).next(&Days, day(6, 0));
    assert_eq!(ended.run, None);
    assert_eq!(ended.progress.status, RecurringStatus::Ended);
    let last = subscription(OnRunFailure::Skip, Some(5)).next(&Days, day(5, 23));
    assert_eq!(last.run.map(|run| run.number), Some(5));
}

#[test]
fn a_clock_that_is_set_back_begins_nothing_again() {
    let mut it = subscription(OnRunFailure::Skip, None);
    let run = it.begin(day(5, 0));
    assert_eq!(run.number, 5);
    let step = it.delivered(&Days);
    it.take(step);
    for now in [day(1, 0), day(4, 1), day(5, 5)] {
        let step = it.next(&Days, now);
        assert_eq!((step.run, step.progress.look_at), (None, Some(day(6, 0))));
    }
}

#[test]
fn a_failed_payment_is_bought_again_three_times_under_new_references() {
    let mut it = subscription(OnRunFailure::Retry, None);
    let mut run = it.begin(day(1, 0));
    let mut seen = vec![];
    for hour in 0..4 {
        let now = day(1, hour);
        let step = it.bought(run, now);
        it.take(step);
        seen.push(it.terms.run_reference(&run).to_string());
        let step = it.failed((run, RunFailure::Payment), &Days, now);
        it.take(step);
        let Some(open) = it.progress.open else { break };
        assert_eq!(it.progress.look_at, Some(day(1, hour + 1)));
        let step = it.again(open, day(1, hour + 1));
        run = it.take(step).unwrap();
    }
    assert_eq!(seen, ["sub-7-1", "sub-7-1-r1", "sub-7-1-r2", "sub-7-1-r3"]);
    assert_eq!(it.progress.status, RecurringStatus::Failing);
    assert_eq!((it.progress.open, it.progress.bought), (None, 1));
    assert_eq!(it.progress.look_at, Some(day(2, 0)));
    let next = it.begin(day(2, 0));
    let step = it.bought(next, day(2, 0));
    it.take(step);
    let step = it.delivered(&Days);
    it.take(step);
    assert_eq!(it.progress.status, RecurringStatus::Active);
}

#[test]
fn a_refusal_is_tried_again_under_the_same_reference() {
    let mut it = subscription(OnRunFailure::Retry, None);
    let run = it.begin(day(1, 0));
    let refused = RunFailure::Refused(RunRefusal::Balance);
    let step = it.failed((run, refused), &Days, day(1, 0));
    it.take(step);
    let step = it.again(it.progress.open.unwrap(), day(1, 1));
    let again = it.take(step).unwrap();
    assert_eq!((again.tries, again.retries), (0, 1));
    assert_eq!(it.terms.run_reference(&again).as_str(), "sub-7-1");
}

#[test]
fn what_does_not_pass_is_not_tried_again() {
    for failure in [
        RunFailure::Cancelled,
        RunFailure::Refused(RunRefusal::Reference),
        RunFailure::Refused(RunRefusal::Settled),
    ] {
        let mut it = subscription(OnRunFailure::Retry, None);
        let run = it.begin(day(1, 0));
        let step = it.failed((run, failure), &Days, day(1, 0));
        assert_eq!(step.progress.open, None, "{failure:?}");
    }
    let mut late = subscription(OnRunFailure::Retry, None);
    let run = late.begin(day(1, 0));
    let step = late.failed((run, RunFailure::Payment), &Days, day(1, 23));
    assert_eq!(step.progress.open, None);
    assert_eq!(step.progress.look_at, Some(day(2, 0)));
}

#[test]
fn a_failure_stops_or_is_skipped_as_asked() {
    for (way, status, look_at) in [
        (
            OnRunFailure::Skip,
            RecurringStatus::Failing,
            Some(day(2, 0)),
        ),
        (OnRunFailure::Stop, RecurringStatus::Ended, None),
    ] {
        let mut it = subscription(way, None);
        let run = it.begin(day(1, 0));
        let step = it.failed((run, RunFailure::Payment), &Days, day(1, 0));
        it.take(step);
        let progress = &it.progress;
        assert_eq!((progress.status, progress.look_at), (status, look_at));
        assert_eq!(progress.open, None);
    }
}

#[test]
fn a_pending_payment_is_followed_until_the_next_run_is_due_and_is_no_failure() {
    let mut it = subscription(OnRunFailure::Stop, None);
    let run = it.begin(day(1, 0));
    let step = it.bought(run, day(1, 0));
    it.take(step);
    let step = it.pending(&Days, day(1, 1));
    it.take(step);
    assert!(it.progress.open.is_some() && it.progress.is_pause);
    let step = it.pending(&Days, day(2, 0));
    it.take(step);
    assert_eq!(it.progress.status, RecurringStatus::Active);
    assert_eq!(
        (it.progress.open, it.progress.look_at),
        (None, Some(day(2, 0)))
    );
    assert_eq!(it.begin(day(2, 0)).number, 2);
}

#[test]
fn the_last_run_ends_the_subscription_once_it_has_an_outcome() {
    let mut it = subscription(OnRunFailure::Retry, Some(1));
    let run = it.begin(day(1, 0));
    let step = it.bought(run, day(1, 0));
    it.take(step);
    let step = it.pending(&Days, day(40, 0));
    it.take(step);
    assert_eq!(it.progress.status, RecurringStatus::Active);
    assert_eq!(it.next_at(&Days), None);
    let step = it.delivered(&Days);
    it.take(step);
    assert_eq!(it.progress.status, RecurringStatus::Ended);
    assert_eq!(
        (it.pause(), it.cancel()),
        (Err(RecurringOver), Err(RecurringOver))
    );
    assert_eq!(it.resume(&Days, day(41, 0)), Err(RecurringOver));
}

#[test]
fn what_was_due_while_it_was_paused_is_not_bought() {
    let mut it = subscription(OnRunFailure::Skip, None);
    let step = it.pause().unwrap().unwrap();
    it.take(step);
    assert_eq!((it.progress.look_at, it.pause()), (None, Ok(None)));
    let step = it.resume(&Days, day(4, 1)).unwrap().unwrap();
    it.take(step);
    assert_eq!(
        (it.progress.next_run, it.progress.look_at),
        (5, Some(day(5, 0)))
    );
    assert_eq!(it.resume(&Days, day(4, 1)), Ok(None));
    let step = it.cancel().unwrap().unwrap();
    it.take(step);
    assert_eq!(
        (it.progress.status, it.cancel()),
        (RecurringStatus::Cancelled, Ok(None))
    );
    assert_eq!(it.resume(&Days, day(9, 0)), Err(RecurringOver));
}

#[test]
fn what_is_known_late_of_a_run_changes_nothing_but_that_run() {
    let mut it = subscription(OnRunFailure::Skip, None);
    let run = it.begin(day(1, 0));
    let step = it.pause().unwrap().unwrap();
    it.take(step);
    let step = it.bought(run, day(1, 0));
    assert_eq!(
        step.run.map(|run| run.state),
        Some(RecurringRunState::Bought)
    );
    assert_eq!(step.progress.status, RecurringStatus::Paused);
    assert_eq!((step.progress.bought, step.progress.open), (1, None));
    assert!(!it.may_buy(&run, day(1, 0)));
}

#[test]
fn a_status_is_read_back_from_its_word() {
    for status in RecurringStatus::ALL {
        assert_eq!(RecurringStatus::from_code(status.code()), Some(status));
    }
    assert_eq!(RecurringStatus::from_code("active"), None);
}

proptest! {
    /// Whatever the clock does, no run is begun twice, and none later than its time.
    #[test]
    fn no_run_is_begun_twice_whatever_the_clock_does(
        moments in prop::collection::vec(0_i64..60 * DAY, 1..40),
        count in prop::option::of(1_u32..20),
    ) {
        let mut it = subscription(OnRunFailure::Retry, count);
        let mut begun = std::collections::BTreeSet::new();
        for now in moments.into_iter().map(Timestamp::from_millis) {
            if !it.progress.status.is_live() {
                break;
            }
            let step = it.next(&Days, now);
            if let Some(run) = it.take(step) {
                prop_assert!(begun.insert(run.number));
                prop_assert!(run.due_at <= now && now < run.due_at.plus(RECURRING_SPAN));
                prop_assert!(it.terms.has_run(run.number));
                let step = it.delivered(&Days);
                it.take(step);
            }
        }
    }
}
