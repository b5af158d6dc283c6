//! In which order the events of one payment come, and how a receiver puts them in order that has
//! them in another. It must rely on nothing but the numbers it receives.

use crate::receiver::{ReceivedEvent, WebhookReceiver};
use crate::shop::WebhookShop;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// Payments that are pending at the same time.
const PENDING: usize = 24;

/// How long a receiver takes, so that much is under way to it at a time.
const ANSWERED_AFTER: Duration = Duration::from_millis(300);

/// Demands of events none of which was answered that it failed: at each endpoint, those of a
/// transaction came for the first time in the order of their numbers.
pub(crate) fn check(events: &[ReceivedEvent]) {
    let (mut last, mut seen) = (HashMap::new(), HashSet::new());
    for event in events {
        if seen.insert((&event.path, &event.id)) {
            let transaction = event.json()["data"]["txnReference"].as_u64().unwrap();
            let before = last.insert((&event.path, transaction), event.sequence());
            assert!(
                before < Some(event.sequence()),
                "after {before:?}: {event:?}"
            );
        }
    }
}

fn topics(events: &[ReceivedEvent]) -> Vec<String> {
    events.iter().map(ReceivedEvent::topic).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_pending_payments_come_in_the_order_of_their_numbers() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    receiver.take(ANSWERED_AFTER);
    for payment in 0..PENDING {
        let reference = format!("order-{payment}");
        assert_eq!(shop.buy(&reference, "0002").await, 202);
    }
    check(&receiver.received(2 * PENDING).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_failed_once_comes_after_what_happened_later_and_goes_before_it_by_its_number() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    receiver.fail(1);
    assert_eq!(shop.buy("later-1", "0002").await, 202);
    // Both come, and the one that failed comes once more.
    let mut events = receiver.received(3).await;
    let (pending, successful) = ("transaction.pending", "transaction.successful");
    assert_eq!(topics(&events), [pending, successful, pending]);
    assert_eq!(
        (&events[0].id, &events[0].body),
        (&events[2].id, &events[2].body)
    );
    // What a receiver does with it: each once, by its number.
    events.sort_by_key(ReceivedEvent::sequence);
    events.dedup_by_key(|event| event.id.clone());
    assert_eq!(topics(&events), [pending, successful]);
    let shown = |event: &ReceivedEvent| event.json()["data"]["txnStatus"].clone();
    let shown: Vec<_> = events.iter().map(shown).collect();
    assert_eq!(shown, ["Pending", "Successful"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_numbers_are_events_without_a_delivery_or_subscription() {
    let shop = WebhookShop::open();
    let (everything, outcomes) = (
        WebhookReceiver::start().await,
        WebhookReceiver::start().await,
    );
    shop.tells(&everything).await;
    let ends = ["transaction.successful", "transaction.failed"];
    let body = json!({"whkUrl": outcomes.url(), "whkEvents": ends});
    let endpoint = shop.endpoint(&body).await;
    outcomes.trust(&[&endpoint.secret]);
    assert_eq!(shop.buy("later-1", "0002").await, 202);
    let all = everything.received(2).await;
    let only = outcomes.reported("transaction.successful", "later-1").await;
    // The order itself was the first event, which is not delivered.
    let numbers: Vec<_> = all.iter().map(ReceivedEvent::sequence).collect();
    assert_eq!(numbers, [2, 3]);
    // An endpoint with fewer topics sees the same numbers.
    assert_eq!((only.sequence(), &only.id), (3, &all[1].id));
    assert_eq!(only.body, all[1].body);
    // Nor is the second attempt an event.
    shop.buy("down-1", "0012").await;
    let failed = outcomes.reported("transaction.failed", "down-1").await;
    assert_eq!(failed.sequence(), 3);
    everything.reported("transaction.failed", "down-1").await;
    assert_eq!(everything.events().len(), 3);
}
