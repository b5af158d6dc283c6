//! Laws of which results count: those of the round a delivery is in, one after the other. Each time
//! it is asked for again it begins anew; what came of an attempt of an earlier round must change
//! nothing, whether it was good or bad.

use super::setup::{WebhookStores, as_kept, names};
use crate::builders::{account_id, answered, at, delivery_id, ended, endpoint, endpoint_id, ping};
use domain::webhook::{ATTEMPTS_MAX, Delivery, DeliveryState, DisabledBecause, Endpoint};
use ports::webhooks::{AttemptResult, EndpointDisabled, ReplayOf, Replayed};

/// A shop with an endpoint and a delivery to it, which is claimed.
async fn claimed(stores: &WebhookStores) -> Delivery {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    assert_eq!(stores.announce(Some(1), &ping(11, at(1))).await, 1);
    stores.due(1).await.remove(0)
}

/// Asks for a delivery again while an attempt at it is under way.
async fn again(stores: &WebhookStores, delivery: &Delivery, second: u64) {
    let what = ReplayOf::One(delivery_id(delivery));
    let replayed = stores.replay(what, 1, at(second)).await;
    assert_eq!(replayed, Replayed::Done(1));
}

async fn the_endpoint(stores: &WebhookStores) -> Endpoint {
    stores.endpoints_of("shop").await.remove(0)
}

/// A failure of an attempt that was under way when its delivery was asked for again is noted and
/// changes nothing: not the delivery, and not what is known of the endpoint.
pub async fn a_failure_of_an_earlier_round_does_not_count(stores: &WebhookStores) {
    let before = claimed(stores).await;
    again(stores, &before, 2).await;
    for status in [500, 410] {
        assert_eq!(stores.tried(&before, answered(status, at(3))).await, []);
    }
    let (now, log) = stores.only().await;
    assert_eq!((now.attempts, now.round), (0, 1));
    assert_eq!(now.state, DeliveryState::Due(now.event.at));
    assert_eq!(log.len(), 2);
    assert_eq!(the_endpoint(stores).await, endpoint("shop", 1));
    // All its attempts are before it.
    let mut now = stores.due(4).await.remove(0);
    for n in 1..=u64::from(ATTEMPTS_MAX) {
        assert!(!matches!(now.state, DeliveryState::Parked(_)), "{n}");
        stores.tried(&now, answered(500, at(n * 10))).await;
        now = stores.only().await.0;
    }
    assert!(matches!(now.state, DeliveryState::Parked(_)));
}

/// A success of an attempt that was under way when its delivery was replayed does not end the
/// delivery: the replay is still sent. Nor does it end the failing of the endpoint.
pub async fn a_success_of_an_earlier_round_does_not_end_a_delivery(stores: &WebhookStores) {
    let before = claimed(stores).await;
    let failure = answered(500, at(2));
    assert_eq!(stores.announce(Some(1), &ping(12, at(2))).await, 1);
    let other = stores.due(2).await.remove(0);
    stores.tried(&other, failure.clone()).await;
    again(stores, &before, 3).await;
    let again = stores.due(3).await;
    assert_eq!(names(&again), ["evt_11"]);
    stores.tried(&before, answered(200, at(4))).await;
    let now = stores.only_named("evt_11").await;
    assert_eq!(now, again[0]);
    let since = the_endpoint(stores).await.health.failing_since;
    assert_eq!(since, Some(failure.ended_at()));

    stores.tried(&again[0], answered(200, at(5))).await;
    let now = stores.only_named("evt_11").await;
    assert!(matches!(now.state, DeliveryState::Delivered(_)));
    assert_eq!((now.attempts, now.round), (1, 1));
    assert_eq!(the_endpoint(stores).await.health.failing_since, None);
}

/// Results of the round that a delivery is in count, whatever of another is recorded with them, and
/// though their numbers are the same.
pub async fn results_of_the_round_that_is_on_count(stores: &WebhookStores) {
    let before = claimed(stores).await;
    again(stores, &before, 2).await;
    let now = stores.due(2).await.remove(0);
    assert_eq!((now.attempts, now.round), (0, 1));
    let result = |of: &Delivery, status, second| ended(of, answered(status, at(second)));
    let of_no_round_yet = AttemptResult {
        round: 2,
        ..result(&now, 410, 3)
    };
    let counts = result(&now, 500, 4);
    let results = [
        result(&before, 410, 3),
        of_no_round_yet,
        counts.clone(),
        result(&before, 200, 5),
    ];
    assert_eq!(stores.record(&results).await, []);
    let (after, log) = stores.only().await;
    assert_eq!((after.attempts, after.round), (1, 1));
    assert_eq!(after.state, counts.outcome.state);
    assert_eq!(log.len(), results.len());
    let since = the_endpoint(stores).await.health.failing_since;
    assert_eq!(since, Some(counts.attempt.ended_at()));

    let reported = stores.tried(&after, answered(410, at(70))).await;
    let gone = EndpointDisabled {
        account: account_id("shop"),
        endpoint: endpoint_id(1),
        because: DisabledBecause::Gone,
    };
    assert_eq!(reported, [gone]);
}

/// Each time a delivery is asked for, alone or with others, is a round; what is refused is none,
/// and what was not asked for stays in its own.
pub async fn every_time_a_delivery_is_asked_for_is_a_round(stores: &WebhookStores) {
    let first = claimed(stores).await;
    for n in [12, 13] {
        assert_eq!(stores.announce(Some(1), &ping(n, at(n))).await, 1);
    }
    let range = ReplayOf::Range {
        endpoint: endpoint_id(1),
        from: at(0),
        until: at(13),
    };
    again(stores, &first, 20).await;
    let reported = stores.replay(range.clone(), 1, at(21)).await;
    assert_eq!(reported, Replayed::TooMany);
    let reported = stores.replay(range, 2, at(22)).await;
    assert_eq!(reported, Replayed::Done(2));
    again(stores, &first, 23).await;
    let rounds = stores.deliveries().await;
    let rounds = rounds.iter().map(|it| it.round);
    assert_eq!(rounds.collect::<Vec<_>>(), [3, 1, 0]);
}

/// Of results of one delivery that are recorded together, each counts that is the next one after
/// those before it, until one ends the delivery.
pub async fn results_of_one_delivery_count_one_after_the_other(stores: &WebhookStores) {
    let delivery = claimed(stores).await;
    let result = |number: u16, status, second| {
        let made = Delivery {
            attempts: number - 1,
            ..delivery.clone()
        };
        ended(&made, answered(status, at(second)))
    };
    // What comes before its turn does not count.
    let results = [
        result(2, 410, 9),
        result(1, 500, 10),
        result(1, 410, 11),
        result(2, 500, 12),
    ];
    assert_eq!(stores.record(&results).await, []);
    let (now, log) = stores.only().await;
    assert_eq!((now.attempts, log.len()), (2, 4));
    assert_eq!(now.state, results[3].outcome.state);
    let since = the_endpoint(stores).await.health.failing_since;
    assert_eq!(since, Some(results[1].attempt.ended_at()));

    // Nothing counts after a success, and a failure that ended after it begins the failing anew.
    let results = [
        result(3, 500, 40),
        result(4, 200, 30),
        result(5, 410, 50),
        result(4, 410, 60),
    ];
    assert_eq!(stores.record(&results).await, []);
    let (now, log) = stores.only().await;
    assert_eq!((now.attempts, log.len()), (4, 8));
    assert_eq!(now.state, results[1].outcome.state);
    let known = the_endpoint(stores).await;
    assert_eq!(
        known.health.failing_since,
        Some(results[0].attempt.ended_at())
    );
    assert!(known.health.is_served());
}

/// The last attempt parks a delivery where all of them are recorded together, and gives up the
/// endpoint that said in one of them that it is gone.
pub async fn all_attempts_of_a_delivery_may_be_recorded_together(stores: &WebhookStores) {
    let mut delivery = claimed(stores).await;
    let mut results = Vec::new();
    for n in 1..=u64::from(ATTEMPTS_MAX) + 1 {
        let status = if n == 3 { 410 } else { 500 };
        results.push(ended(&delivery, answered(status, at(n * 10))));
        delivery.attempts += 1;
    }
    let reported = stores.record(&results).await;
    assert_eq!(reported.len(), 1);
    let (now, log) = stores.only().await;
    assert_eq!(now.attempts, ATTEMPTS_MAX);
    let last = usize::from(ATTEMPTS_MAX) - 1;
    assert_eq!(now.state, results[last].outcome.state);
    assert!(matches!(now.state, DeliveryState::Parked(_)));
    let made = results.iter().map(|it| it.attempt.clone());
    assert_eq!(log, as_kept(made.collect(), last));
}
