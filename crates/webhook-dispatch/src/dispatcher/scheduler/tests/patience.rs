//! Which endpoints wait longer than their turn, and which deliveries wait for nothing. Tests here
//! must not look at how many places there are.

use super::*;

#[test]
fn who_fails_is_claimed_for_one_delivery_when_it_has_rested() {
    let mut scheduler = Scheduler::default();
    for _ in 0..5 {
        scheduler.gets([1], 1, START);
        scheduler.begins(START);
        scheduler.ended(&key(1), FAILED, START);
    }
    scheduler.gets([2], 1, START);
    assert!(scheduler.excepts(1, START));
    assert_eq!(scheduler.ordinary(START).len(), 1);
    let rested = START.plus(SECOND);
    let [all, trial] = <[_; 2]>::try_from(scheduler.ordinary(rested)).unwrap();
    assert!(all.except.contains(&key(1)) && !trial.except.contains(&key(1)));
    assert_eq!(trial.per_endpoint, 1);
    // Nothing was due for it.
    scheduler.admit(&trial, vec![]);
    assert_eq!(scheduler.ordinary(rested).len(), 1);
    let later = rested.plus(SECOND);
    let trial = scheduler.ordinary(later).remove(1);
    scheduler.admit(&trial, vec![claimed(1, 7)]);
    assert_eq!(scheduler.begins(later), [2, 1]);
    assert_eq!(scheduler.ordinary(later).len(), 1);
    scheduler.ended(&key(1), AttemptOutcome::Accepted, later);
    assert!(!scheduler.excepts(1, later));
    scheduler.is_sound();
}

#[test]
fn what_waits_for_an_endpoint_that_could_not_be_tried_is_left_to_its_lease() {
    let mut scheduler = Scheduler::default();
    scheduler.gets([1], 20, START);
    assert_eq!(scheduler.begins(START), [1; 2]);
    scheduler.ended(&key(1), AttemptOutcome::Skipped, START);
    assert_eq!(scheduler.begins(START), [0; 0]);
    scheduler.is_sound();
    // It is no failure.
    scheduler.gets([1], 1, START);
    assert_eq!(scheduler.begins(START), [1]);
    assert_eq!(scheduler.sums.failed_under_way, 0);
}

#[test]
fn who_asks_to_be_left_alone_is_until_then_however_well_it_is() {
    let mut scheduler = Scheduler::default();
    scheduler.proves(1, 8);
    scheduler.gets([1], 20, START);
    assert_eq!(scheduler.begins(START), [1; 8]);
    let a_day = Duration::from_hours(24);
    let busy = AttemptOutcome::Failed {
        leave_alone: Some(a_day),
    };
    scheduler.ended(&key(1), busy, START);
    // What another attempt of that time brings takes nothing back.
    scheduler.ended(&key(1), AttemptOutcome::Accepted, START);
    scheduler.ended(&key(1), FAILED, START);
    assert_eq!(scheduler.begins(START), [0; 0]);
    let last = START.plus(a_day).minus(Duration::from_millis(1));
    assert!(scheduler.excepts(1, last) && !scheduler.runs_low(last));
    let until = last.plus(LEASE);
    let waiting = Waiting {
        claimed: claimed(1, 9),
        since: last,
        until,
        asked_for: false,
    };
    scheduler.queue(&key(1), waiting, last);
    assert_eq!(scheduler.begins(last), [0; 0]);
    let then = START.plus(a_day);
    scheduler.gets([1], 1, then);
    assert_eq!(scheduler.begins(then), [1]);
    scheduler.is_sound();
}

#[test]
fn who_fails_and_asks_to_be_left_alone_is_not_tried_before() {
    let mut scheduler = Scheduler::default();
    let busy = AttemptOutcome::Failed {
        leave_alone: Some(Duration::from_hours(1)),
    };
    for ending in [FAILED, FAILED, FAILED, FAILED, busy] {
        scheduler.gets([1], 1, START);
        scheduler.begins(START);
        scheduler.ended(&key(1), ending, START);
    }
    let before = START.plus(Duration::from_mins(59));
    assert_eq!(scheduler.ordinary(before).len(), 1);
    let then = START.plus(Duration::from_hours(1));
    assert_eq!(scheduler.ordinary(then).len(), 2);
}

#[test]
fn a_requested_delivery_waits_for_no_other() {
    let mut scheduler = Scheduler::default();
    scheduler.gets([1, 2], 1, START);
    scheduler.begins(START);
    assert!(
        scheduler
            .claims(START, LEASE)
            .iter()
            .all(|it| !it.only_asked_for)
    );
    let busy = AttemptOutcome::Failed {
        leave_alone: Some(Duration::from_hours(1)),
    };
    scheduler.ended(&key(1), busy, START);
    let claim = scheduler.asked_for(START);
    assert_eq!(claim.except, [], "also one that is to be left alone");
    scheduler.admit(&claim, vec![claimed(1, 7)]);
    let soon = START.plus(POLL).minus(Duration::from_millis(1));
    assert_eq!(scheduler.claims(soon, LEASE).len(), 1, "not all the time");
    let later = START.plus(POLL);
    assert_eq!(scheduler.asked_for(later).except, [key(1)], "one at a time");
    assert_eq!(scheduler.begins(later), [1]);
    let except = scheduler.asked_for(later).except;
    assert_eq!(except, [key(1)], "and nothing beside it");
    scheduler.ended(&key(1), FAILED, later);
    assert_eq!(scheduler.asked_for(later).except, []);
    assert_eq!(scheduler.ordinary(later).len(), 1);
    assert!(
        scheduler.excepts(1, later),
        "all else waits as long as before"
    );
    scheduler.is_sound();
}

#[test]
fn a_requested_delivery_goes_before_what_was_claimed_earlier() {
    let mut scheduler = Scheduler::default();
    scheduler.gets([1], 128, START);
    scheduler.begins(START);
    assert!(scheduler.excepts(1, START), "it has enough");
    let claim = scheduler.asked_for(START);
    assert_eq!(claim.except, []);
    scheduler.admit(&claim, vec![claimed(1, 999)]);
    let later = START.plus(POLL);
    assert_eq!(scheduler.asked_for(later).except, [key(1)], "one at a time");
    scheduler.ended(&key(1), AttemptOutcome::Accepted, later);
    let next = scheduler.next(later).unwrap().claimed.delivery.event.id;
    assert_eq!(next.as_str(), "evt_999");
    assert_eq!(scheduler.asked_for(later).except, []);
    scheduler.is_sound();
}

#[test]
fn who_is_found_failing_is_tried_by_one_delivery() {
    let mut scheduler = Scheduler::default();
    let claim = scheduler.ordinary(START).remove(0);
    let brought = (1..=20).map(|n| {
        let mut claimed = claimed(1, n);
        claimed.endpoint.health.failing_since = Some(START);
        claimed
    });
    scheduler.admit(&claim, brought.collect());
    assert_eq!(scheduler.begins(START), [1]);
    assert!(scheduler.excepts(1, START));
    scheduler.ended(&key(1), AttemptOutcome::Accepted, START);
    assert!(!scheduler.excepts(1, START));
    scheduler.is_sound();
}
