//! What claims, results, replays and removals make of deliveries and endpoints. The laws that the
//! stores keep are in the contract suite; these are of the rules alone.

use domain::time::Timestamp;
use domain::webhook::{
    Delivery, DeliveryState, DisabledBecause, Endpoint, EndpointHealth, EndpointState, FAILING_MAX,
};
use ports::webhooks::{AttemptResult, DeliveryClaim, Replay, ReplayOf, Replayed};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use storage_sql::webhook::{
    DeliveryProgress, RecordingPlan, lease_end, record_answer, removed, replayed,
};
use testkit::builders::{
    account_id, answered, at, delivery_claim, delivery_id, ended, endpoint, endpoint_id, ping,
};

/// A delivery of an event without a transaction.
fn delivery() -> Delivery {
    Delivery {
        account: account_id("shop"),
        endpoint: endpoint_id(1),
        event: ping(7, at(1)),
        attempts: 0,
        round: 0,
        state: DeliveryState::Due(at(1)),
    }
}

/// A result of the attempt of a number in a round, answered with a status.
fn result(number: u16, round: u32, (status, second): (u16, u64)) -> AttemptResult {
    AttemptResult {
        number,
        round,
        ..ended(&delivery(), answered(status, at(second)))
    }
}

fn one(most: u64) -> Replay {
    Replay {
        what: ReplayOf::One(delivery_id(&delivery())),
        most,
        now: at(9),
    }
}

fn range(most: u64) -> Replay {
    Replay {
        what: ReplayOf::Range {
            endpoint: endpoint_id(1),
            from: at(0),
            until: at(9),
        },
        ..one(most)
    }
}

/// What results come to for one delivery.
fn recorded(results: &[AttemptResult], read: DeliveryProgress) -> RecordingPlan<i64> {
    let stored = (0..results.len()).map(|place| (place, (7, read)));
    RecordingPlan::of(results, &stored.collect(), &[endpoint("shop", 1)])
}

#[test]
fn a_claim_leases_what_is_due_by_its_moment() {
    let claim = DeliveryClaim {
        lease: Duration::from_mins(1),
        ..delivery_claim(at(5))
    };
    let leased = DeliveryProgress::due(at(5)).claimed(&claim).unwrap();
    assert_eq!(leased.state, DeliveryState::Due(at(65)));
    assert_eq!(lease_end(&claim), at(65));
    for state in [
        DeliveryState::Due(at(6)),
        DeliveryState::Delivered(at(1)),
        DeliveryState::Parked(at(1)),
    ] {
        let other = DeliveryProgress {
            state,
            ..DeliveryProgress::due(at(0))
        };
        assert_eq!(other.claimed(&claim), None, "{state:?}");
    }
}

#[test]
fn a_replay_answers_what_it_finds() {
    let due = DeliveryProgress::due(at(1));
    let [first, second] = [(1, due), (2, due)];
    assert_eq!(replayed::<i64>(None, &range(9)), Err(Replayed::Unknown));
    assert_eq!(replayed::<i64>(Some(&[]), &range(9)), Ok(vec![]));
    assert_eq!(replayed::<i64>(Some(&[]), &one(9)), Err(Replayed::Unknown));
    let too_many = replayed(Some(&[first, second]), &range(1));
    assert_eq!(too_many, Err(Replayed::TooMany));
    let again = replayed(Some(&[first, second]), &range(2)).unwrap();
    let expected = due.replayed(&range(2));
    assert_eq!(again, [(1, expected), (2, expected)]);
    assert_eq!((expected.attempts, expected.round), (0, 1));
    assert_eq!(expected.state, DeliveryState::Due(range(2).now));
}

#[test]
fn attempts_of_a_delivery_count_one_after_the_other_in_one_call() {
    let results = [
        result(1, 0, (500, 2)),
        result(3, 0, (500, 3)),
        result(2, 0, (200, 4)),
        result(3, 0, (500, 5)),
    ];
    let recording = recorded(&results, DeliveryProgress::due(at(1)));
    let noted: Vec<_> = recording.noted.iter().map(|(place, _)| *place).collect();
    assert_eq!(noted, [0, 1, 2, 3]);
    let moved = recording.moved[&7];
    assert_eq!((moved.by, moved.progress.attempts), (2, 2));
    assert!(matches!(moved.progress.state, DeliveryState::Delivered(_)));
    assert_eq!(recording.health[0].after, EndpointHealth::GOOD);
}

#[test]
fn a_result_that_does_not_count_names_its_endpoint_unchanged() {
    let replayed = DeliveryProgress::due(at(1)).replayed(&range(2));
    let recording = recorded(&[result(1, 0, (410, 2))], replayed);
    assert!(recording.moved.is_empty() && !recording.is_empty());
    let [health] = recording.health.as_slice() else {
        panic!("{recording:?}");
    };
    assert_eq!(health.after, health.before);
    assert_eq!(recording.given_up, []);
}

#[test]
fn results_of_what_is_gone_or_cannot_be_read_are_skipped() {
    let results = [result(1, 0, (410, 2))];
    let due = DeliveryProgress::due(at(1));
    let gone = RecordingPlan::<i64>::of(&results, &BTreeMap::new(), &[endpoint("shop", 1)]);
    let unreadable = RecordingPlan::of(&results, &BTreeMap::from([(0, (7, due))]), &[]);
    assert!(gone.is_empty() && unreadable.is_empty());
    assert_eq!(unreadable.given_up, []);
}

#[test]
fn an_endpoint_is_given_up_once_with_the_number_of_its_first_result() {
    let results = [result(1, 0, (410, 2)), result(2, 0, (410, 3))];
    let recording = recorded(&results, DeliveryProgress::due(at(1)));
    let [(of, event)] = recording.given_up.as_slice() else {
        panic!("{recording:?}");
    };
    assert_eq!(of.because, DisabledBecause::Gone);
    assert_eq!(
        event.id,
        domain::webhook::WebhookEventId::fresh(results[0].event)
    );
    let again = Endpoint {
        health: recording.health[0].after,
        ..endpoint("shop", 1)
    };
    let stored = BTreeMap::from([(0, (7, DeliveryProgress::due(at(1))))]);
    assert_eq!(RecordingPlan::of(&results, &stored, &[again]).given_up, []);
}

#[test]
fn a_removed_endpoint_is_not_served_and_keeps_the_first_cause() {
    let by_merchant = EndpointState::Disabled {
        because: DisabledBecause::ByMerchant,
        at: at(4),
    };
    assert_eq!(removed(EndpointHealth::GOOD, at(4)).state, by_merchant);
    let gone = EndpointHealth::GOOD.disabled(DisabledBecause::Gone, at(1));
    assert_eq!(removed(gone, at(4)), gone);
}

fn any_state() -> impl Strategy<Value = DeliveryState> {
    let moment = (0_u64..100).prop_map(at);
    prop_oneof![
        moment.clone().prop_map(DeliveryState::Due),
        moment.clone().prop_map(DeliveryState::Delivered),
        moment.prop_map(DeliveryState::Parked),
    ]
}

prop_compose! {
    fn any_progress()(attempts in 0_u16..4, round in 0_u32..4, state in any_state())
        -> DeliveryProgress
    {
        DeliveryProgress { attempts, round, state, requested: false }
    }
}

fn any_result() -> impl Strategy<Value = AttemptResult> {
    let status = prop_oneof![Just(200_u16), Just(500), Just(410)];
    (1_u16..5, 0_u32..4, (status, 0_u64..600_000))
        .prop_map(|(number, round, answer)| result(number, round, answer))
}

fn any_results() -> impl Strategy<Value = Vec<AttemptResult>> {
    proptest::collection::vec(any_result(), 0..12)
}

fn any_health() -> impl Strategy<Value = EndpointHealth> {
    let failing = proptest::option::of((0_u64..600_000).prop_map(at));
    (failing, any::<bool>()).prop_map(|(failing_since, is_served)| {
        let health = EndpointHealth {
            failing_since,
            ..EndpointHealth::GOOD
        };
        if is_served {
            health
        } else {
            health.disabled(DisabledBecause::ByMerchant, at(0))
        }
    })
}

fn ended_at(results: &[AttemptResult], success: bool) -> impl Iterator<Item = Timestamp> + '_ {
    let of_kind = results
        .iter()
        .filter(move |it| it.outcome.success == success);
    of_kind.map(|it| it.attempt.ended_at())
}

proptest! {
    /// A result counts for exactly one attempt, whatever is recorded again.
    #[test]
    fn what_is_recorded_again_changes_nothing(read in any_progress(), results in any_results()) {
        let once = recorded(&results, read);
        let after = once.moved.get(&7).map_or(read, |moved| moved.progress);
        let again = recorded(&results, after);
        let counted = again.moved.get(&7);
        prop_assert!(counted.is_none_or(|it| it.progress.attempts > after.attempts));
        prop_assert_eq!(once.noted.len(), results.len());
    }

    /// Two calls do to a delivery what one does.
    #[test]
    fn calls_may_be_cut_anywhere(
        read in any_progress(), results in any_results(), cut in 0_usize..12,
    ) {
        let (first, second) = results.split_at(cut.min(results.len()));
        let last = |of: &[AttemptResult], read: DeliveryProgress| {
            recorded(of, read).moved.get(&7).map_or(read, |moved| moved.progress)
        };
        prop_assert_eq!(last(second, last(first, read)), last(&results, read));
    }

    /// Only a replay begins a round, and nothing but one wakes what is delivered or parked.
    #[test]
    fn results_stay_in_their_round(read in any_progress(), results in any_results()) {
        let recording = recorded(&results, read);
        if let Some(moved) = recording.moved.get(&7) {
            prop_assert!(matches!(read.state, DeliveryState::Due(_)));
            prop_assert_eq!(moved.progress.round, read.round);
            prop_assert!(moved.progress.attempts > read.attempts);
        }
        let replay = range(9);
        let again = read.replayed(&replay);
        prop_assert!(again.round > read.round && again.attempts == 0);
        prop_assert!(results.iter().all(|it| it.round > read.round || again.after(it).is_none()));
    }

    /// Results come in no order: whichever comes first, the endpoint does the same.
    #[test]
    fn the_order_of_results_says_nothing_about_health(
        health in any_health(),
        (results, shuffled) in any_results()
            .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        let refs: Vec<_> = results.iter().collect();
        let others: Vec<_> = shuffled.iter().collect();
        prop_assert_eq!(record_answer(health, &refs), record_answer(health, &others));
    }

    /// A success ends the failing; failures after it begin another.
    #[test]
    fn failing_is_since_the_first_failure_after_the_last_success(
        health in any_health(), results in any_results(),
    ) {
        let (after, because) = record_answer(health, &results.iter().collect::<Vec<_>>());
        let succeeded_at = ended_at(&results, true).max();
        let since = ended_at(&results, false).filter(|it| Some(*it) > succeeded_at).min();
        let expected = match succeeded_at {
            None => health.failing_since.or(since),
            Some(_) => since,
        };
        prop_assert_eq!(after.failing_since, expected);
        prop_assert_eq!(because.is_some(), health.is_served() && !after.is_served());
        if because == Some(DisabledBecause::Failing) {
            let last = ended_at(&results, false).max().unwrap();
            prop_assert!(last >= after.failing_since.unwrap().plus(FAILING_MAX));
        }
    }
}
