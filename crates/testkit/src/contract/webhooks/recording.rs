//! Laws of recording attempts. A delivery must end by a success alone; everything else is tried
//! again or waits for the merchant.

use super::setup::{WebhookStores, as_kept};
use crate::builders::{
    account_id, answered, at, delivery_claim, delivery_id, ended, endpoint, endpoint_for,
    endpoint_id, number, ping, unanswered,
};
use domain::reporting::ReportRunId;
use domain::time::Timestamp;
use domain::webhook::{
    ATTEMPTS_MAX, Attempt, Delivery, DeliveryFailure, DeliveryState, DisabledBecause,
    EndpointAnswer, EndpointState, EventPayload, FAILING_MAX, Topic, WebhookEvent, WebhookEventId,
};
use ports::webhooks::{AttemptResult, EndpointChange, EndpointDisabled};
use std::time::Duration;

/// A shop with an endpoint and a delivery to it, which is claimed.
async fn claimed(stores: &WebhookStores) -> Delivery {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    another(stores, 11, 1).await
}

/// One more delivery to an endpoint of the shop, claimed at [`at`] one.
async fn another(stores: &WebhookStores, n: u64, to: u64) -> Delivery {
    assert_eq!(stores.announce(Some(to), &ping(n, at(1))).await, 1);
    let mut claimed = stores.due(1).await;
    assert_eq!(claimed.len(), 1);
    claimed.remove(0)
}

async fn failing_since(stores: &WebhookStores, id: u64) -> Option<Timestamp> {
    let all = stores.endpoints_of("shop").await;
    let endpoint = all.into_iter().find(|it| it.id == endpoint_id(id));
    endpoint.expect("an endpoint").health.failing_since
}

fn given_up(because: DisabledBecause) -> EndpointDisabled {
    EndpointDisabled {
        account: account_id("shop"),
        endpoint: endpoint_id(1),
        because,
    }
}

/// A success ends a delivery: it is never due again.
pub async fn a_success_ends_a_delivery(stores: &WebhookStores) {
    let delivery = claimed(stores).await;
    let attempt = answered(204, at(2));
    assert_eq!(stores.tried(&delivery, attempt.clone()).await, []);
    let (now, log) = stores.only().await;
    assert_eq!(now.state, DeliveryState::Delivered(attempt.ended_at()));
    assert_eq!(now.attempts, 1);
    assert_eq!(now.event, delivery.event);
    assert_eq!(log, [attempt]);
    assert_eq!(stores.due_names(1_000_000).await, [""; 0]);
}

/// A failure is tried again when its outcome says so, however it was claimed.
pub async fn a_failure_is_due_again_when_it_says(stores: &WebhookStores) {
    let delivery = claimed(stores).await;
    let attempt = answered(503, at(2));
    let again = ended(&delivery, attempt.clone());
    let DeliveryState::Due(next) = again.outcome.state else {
        panic!("{:?} is not due", again.outcome);
    };
    stores.record(std::slice::from_ref(&again)).await;
    let (now, log) = stores.only().await;
    assert_eq!((now.attempts, now.state), (1, DeliveryState::Due(next)));
    assert_eq!(log, [attempt]);
    let before = next.minus(Duration::from_millis(1));
    assert_eq!(stores.take(&delivery_claim(before)).await, []);
    let claimed = stores.take(&delivery_claim(next)).await;
    assert_eq!(claimed[0].delivery.attempts, 1);
}

/// What an attempt came to is in its log, in the order of the attempts; what was answered is kept
/// of the last that counted.
pub async fn every_attempt_is_kept_in_its_order(stores: &WebhookStores) {
    let mut delivery = claimed(stores).await;
    let busy = Attempt {
        at: at(2),
        took: Duration::from_millis(1_234),
        result: Ok(EndpointAnswer {
            status: 429,
            retry_after: Some(Duration::from_mins(7)),
            excerpt: "später \"…\"\n\u{1F570}".into(),
        }),
    };
    let mut expected = vec![busy];
    let failures = (1..).zip(DeliveryFailure::ALL);
    expected.extend(failures.map(|(n, failure)| unanswered(failure, at(n * 1_000))));
    expected.push(answered(200, at(9_000)));
    for attempt in &expected {
        stores.tried(&delivery, attempt.clone()).await;
        let (now, log) = stores.only().await;
        assert_eq!(log.last(), Some(attempt));
        delivery = now;
    }
    let (delivery, log) = stores.only().await;
    assert_eq!(log, as_kept(expected.clone(), expected.len() - 1));
    assert_eq!(usize::from(delivery.attempts), expected.len());
    assert!(matches!(delivery.state, DeliveryState::Delivered(_)));
}

/// After the last attempt a delivery waits for the merchant.
pub async fn what_failed_too_often_is_parked(stores: &WebhookStores) {
    let mut delivery = claimed(stores).await;
    for n in 1..=u64::from(ATTEMPTS_MAX) {
        stores.tried(&delivery, answered(500, at(n * 10))).await;
        delivery = stores.only().await.0;
        let parked = matches!(delivery.state, DeliveryState::Parked(_));
        assert_eq!(parked, n == u64::from(ATTEMPTS_MAX), "{n}");
    }
    assert_eq!(stores.due_names(10_000_000).await, [""; 0]);
}

/// A result that is not the next one is kept in the log and changes nothing else: not the delivery,
/// and not what is known of the endpoint.
pub async fn a_result_that_is_not_the_next_is_noted_and_changes_nothing(stores: &WebhookStores) {
    let delivery = claimed(stores).await;
    stores.tried(&delivery, answered(500, at(2))).await;
    let after_first = stores.only().await.0;
    let since = failing_since(stores, 1).await;
    let result = |number: u16, attempt: Attempt| AttemptResult {
        number,
        ..ended(&delivery, attempt)
    };
    let stale = [
        result(1, answered(410, at(3))),
        result(1, answered(200, at(4))),
        result(3, answered(200, at(5))),
        result(0, answered(200, at(6))),
    ];
    assert_eq!(stores.record(&stale).await, []);
    let (now, log) = stores.only().await;
    assert_eq!(now, after_first);
    let answers = log.iter().map(|it| it.result.as_ref().unwrap());
    let kept: Vec<_> = answers.map(|it| !it.excerpt.is_empty()).collect();
    assert_eq!(kept, [true, false, false, false, false]);
    assert_eq!(failing_since(stores, 1).await, since);

    let done = ended(&after_first, answered(200, at(7)));
    // The next one counts, whatever is recorded before it in the same call.
    stores
        .record(&[result(1, answered(500, at(7))), done])
        .await;
    let delivered = stores.only().await.0;
    assert!(matches!(delivered.state, DeliveryState::Delivered(_)));
    for number in 1..=4 {
        stores.record(&[result(number, answered(500, at(8)))]).await;
    }
    assert_eq!(stores.only().await.0, delivered);
    assert_eq!(failing_since(stores, 1).await, None);
}

/// What is not there, or is another account's, is passed over, and the rest is recorded.
pub async fn results_of_what_is_not_there_are_passed_over(stores: &WebhookStores) {
    let delivery = claimed(stores).await;
    stores.has_account("kiosk", "1.00").await;
    stores.has(&endpoint("kiosk", 1)).await;
    let ours = ended(&delivery, answered(200, at(2)));
    let theirs = AttemptResult {
        account: account_id("kiosk"),
        ..ours.clone()
    };
    let mut other = ours.clone();
    other.delivery.event = ping(12, at(1)).id;
    let mut leading_zero = ours.clone();
    leading_zero.delivery.event =
        domain::webhook::WebhookEventId::parse("evt_011").expect("the name of an event");
    let mut nowhere = ours.clone();
    nowhere.delivery.endpoint = endpoint_id(2);
    let all = [theirs, other, leading_zero, nowhere, ours];
    assert_eq!(stores.record(&all).await, []);
    let (now, log) = stores.only().await;
    assert!(matches!(now.state, DeliveryState::Delivered(_)));
    assert_eq!(log.len(), 1);
    assert_eq!(stores.record(&[]).await, []);
}

/// The first failure begins it, more of them leave it as it is, a success ends it.
pub async fn an_endpoint_fails_from_its_first_failure_to_its_next_success(stores: &WebhookStores) {
    let first = claimed(stores).await;
    let second = another(stores, 12, 1).await;
    let third = another(stores, 13, 1).await;
    let begun = unanswered(DeliveryFailure::TimedOut, at(10));
    stores.tried(&first, begun.clone()).await;
    assert_eq!(failing_since(stores, 1).await, Some(begun.ended_at()));
    stores.tried(&second, answered(500, at(50))).await;
    assert_eq!(failing_since(stores, 1).await, Some(begun.ended_at()));
    stores.tried(&third, answered(200, at(60))).await;
    assert_eq!(failing_since(stores, 1).await, None);
}

/// Of results that are recorded together, the last success counts, and the first failure after it.
pub async fn results_recorded_together_are_ordered_by_when_they_ended(stores: &WebhookStores) {
    let first = claimed(stores).await;
    let deliveries = [
        first,
        another(stores, 12, 1).await,
        another(stores, 13, 1).await,
        another(stores, 14, 1).await,
    ];
    let attempts = [
        answered(500, at(40)),
        answered(500, at(30)),
        answered(200, at(20)),
        answered(500, at(10)),
    ];
    let pairs = deliveries.iter().zip(&attempts);
    let results: Vec<_> = pairs
        .map(|(it, attempt)| ended(it, attempt.clone()))
        .collect();
    assert_eq!(stores.record(&results).await, []);
    let since = attempts[1].ended_at();
    assert_eq!(failing_since(stores, 1).await, Some(since));
}

/// Each endpoint is judged by its own results.
pub async fn endpoints_fail_each_for_itself(stores: &WebhookStores) {
    let ours = claimed(stores).await;
    stores.has(&endpoint("shop", 2)).await;
    let other = another(stores, 12, 2).await;
    let results = [
        ended(&ours, answered(500, at(2))),
        ended(&other, answered(200, at(3))),
    ];
    stores.record(&results).await;
    assert_eq!(
        failing_since(stores, 1).await,
        Some(results[0].attempt.ended_at())
    );
    assert_eq!(failing_since(stores, 2).await, None);
}

/// An endpoint that answers 410 is given up at once, and this is reported to one recorder only.
pub async fn an_endpoint_that_is_gone_is_given_up_once(stores: &WebhookStores) {
    let first = claimed(stores).await;
    let second = another(stores, 12, 1).await;
    let attempt = answered(410, at(2));
    let reported = stores.tried(&first, attempt.clone()).await;
    assert_eq!(reported, [given_up(DisabledBecause::Gone)]);
    assert_eq!(stores.tried(&second, answered(410, at(3))).await, []);
    let state = EndpointState::Disabled {
        because: DisabledBecause::Gone,
        at: attempt.ended_at(),
    };
    assert_eq!(stores.endpoints_of("shop").await[0].health.state, state);
    // What it did not take waits.
    assert_eq!(stores.due_names(1_000_000).await, [""; 0]);
    stores.change(1, EndpointChange::Enable(at(9))).await;
    assert_eq!(stores.due(9).await.len(), 2);
}

/// The commit that gives an endpoint up also notifies the other subscribed endpoints: at the moment
/// it is disabled, once, whatever is recorded again. An endpoint given up as well is not notified.
pub async fn others_are_notified_at_once_of_an_endpoint_that_is_given_up(stores: &WebhookStores) {
    let first = claimed(stores).await;
    for made in [
        endpoint("shop", 2),
        endpoint_for("shop", 3, &[Topic::TransactionFailed]),
        endpoint_for("shop", 4, &[Topic::WebhookDisabled]),
    ] {
        stores.has(&made).await;
    }
    stores.has_account("kiosk", "1.00").await;
    stores.has(&endpoint("kiosk", 5)).await;
    let second = another(stores, 12, 2).await;
    let results = [
        ended(&first, answered(410, at(2))),
        ended(&second, answered(410, at(3))),
    ];
    assert_eq!(stores.record(&results).await.len(), 2);
    assert_eq!(stores.record(&results).await, []);
    let reported = stores.due(9).await;
    let reported = reported.iter().map(|it| {
        let event = &it.event;
        assert_eq!(event.topic, Topic::WebhookDisabled);
        (it.endpoint.get(), event.at, event.subject.clone())
    });
    let expected = [1, 2].map(|about| {
        let disabled_at = results[about - 1].attempt.ended_at();
        let subject = EventPayload::Endpoint(endpoint_id(about as u64));
        (4, disabled_at, subject)
    });
    assert_eq!(reported.collect::<Vec<_>>(), expected);
}

/// The file of a report is announced once, under its number, to those that subscribe to it.
pub async fn a_file_that_is_there_is_announced_once(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    stores.has(&endpoint_for("shop", 2, &[Topic::Ping])).await;
    let run = ReportRunId::new(number(4_711));
    let ready = WebhookEvent {
        id: WebhookEventId::fresh(run.number()),
        topic: Topic::ReportReady,
        sequence: 1,
        at: at(1),
        subject: EventPayload::Report(run),
    };
    assert_eq!(stores.announce(None, &ready).await, 1);
    assert_eq!(stores.announce(None, &ready).await, 0);
    let due = stores.due(9).await;
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].event, ready);
}

/// Five days of nothing but failures are too long, to the millisecond.
pub async fn an_endpoint_that_fails_for_too_long_is_given_up(stores: &WebhookStores) {
    let first = claimed(stores).await;
    let begun = answered(500, at(2));
    stores.tried(&first, begun.clone()).await;
    let end = begun.ended_at().plus(FAILING_MAX);
    let ends_at = |end: Timestamp| Attempt {
        at: end.minus(Duration::from_millis(100)),
        ..answered(500, end)
    };
    let second = another(stores, 12, 1).await;
    let before = ends_at(end.minus(Duration::from_millis(1)));
    assert_eq!(stores.tried(&second, before).await, []);
    let third = another(stores, 13, 1).await;
    let reported = stores.tried(&third, ends_at(end)).await;
    assert_eq!(reported, [given_up(DisabledBecause::Failing)]);
    let disabled = &stores.endpoints_of("shop").await[0];
    let state = EndpointState::Disabled {
        because: DisabledBecause::Failing,
        at: end,
    };
    assert_eq!(disabled.health.state, state);

    // Enabled again, it has five days more.
    stores.change(1, EndpointChange::Enable(end)).await;
    let third = stores.only_named("evt_13").await;
    let later = ends_at(end.plus(Duration::from_mins(1)));
    assert_eq!(stores.tried(&third, later.clone()).await, []);
    assert_eq!(failing_since(stores, 1).await, Some(later.ended_at()));
}

/// A merchant's own change stays, whatever the results of attempts that were under way then.
pub async fn results_give_up_no_endpoint_that_is_disabled(stores: &WebhookStores) {
    let delivery = claimed(stores).await;
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(2));
    stores.change(1, asked).await;
    assert_eq!(stores.tried(&delivery, answered(410, at(3))).await, []);
    let state = EndpointState::Disabled {
        because: DisabledBecause::ByMerchant,
        at: at(2),
    };
    assert_eq!(stores.endpoints_of("shop").await[0].health.state, state);
    assert_eq!(stores.only().await.0.attempts, 1);
    assert_eq!(delivery_id(&delivery).endpoint, endpoint_id(1));
}

/// A batch as large as a dispatcher makes it is recorded whole.
pub async fn many_results_are_recorded_together(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    for id in [1, 2] {
        stores.has(&endpoint("shop", id)).await;
    }
    for n in 1..=128 {
        assert_eq!(stores.announce(None, &ping(n, at(1))).await, 2);
    }
    let mut claim = delivery_claim(at(1));
    (claim.limit, claim.per_endpoint) = (256, 128);
    let claimed = stores.take(&claim).await;
    assert_eq!(claimed.len(), 256);
    let results = claimed.iter().map(|it| {
        let status = if it.delivery.endpoint == endpoint_id(1) {
            200
        } else {
            500
        };
        ended(&it.delivery, answered(status, at(2)))
    });
    assert_eq!(stores.record(&results.collect::<Vec<_>>()).await, []);
    let mut query = crate::builders::delivery_query();
    query.length = 300;
    let page = stores.page("shop", &query).await;
    for (delivery, log) in page.deliveries {
        let delivered = matches!(delivery.state, DeliveryState::Delivered(_));
        assert_eq!(delivered, delivery.endpoint == endpoint_id(1));
        assert_eq!((delivery.attempts, log.len()), (1, 1));
    }
}
