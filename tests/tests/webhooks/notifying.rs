//! Which events are delivered, when, and how they look.

use crate::receiver::WebhookReceiver;
use crate::shop::WebhookShop;
use serde_json::json;
use std::time::Duration;
use tests::patience;

#[tokio::test(flavor = "multi_thread")]
async fn a_pending_payment_is_delivered_as_its_report_was_and_then_its_outcome() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    assert_eq!(shop.buy("later-1", "0002").await, 202);
    let successful = receiver.reported("transaction.successful", "later-1").await;
    let events = receiver.events();
    let topics: Vec<_> = events
        .iter()
        .map(super::receiver::ReceivedEvent::topic)
        .collect();
    assert_eq!(topics, ["transaction.pending", "transaction.successful"]);
    assert!(events[0].report().contains(r#""txnStatus":"Pending""#));
    // The same to the byte as the report, wherever that stands in its envelope.
    let report = shop.report("later-1").await;
    assert!(
        report.contains(&successful.report()),
        "{report}\n{successful:?}"
    );
    let sequences = events
        .iter()
        .map(|event| event.json()["data"]["evtSequence"].as_u64());
    let sequences: Vec<_> = sequences.map(Option::unwrap).collect();
    assert!(
        sequences.is_sorted() && sequences[0] != sequences[1],
        "{sequences:?}"
    );
    assert_eq!(successful.id, successful.json()["data"]["evtIdentifier"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_receives_its_topics_and_test_events() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    let body = json!({"whkUrl": receiver.url(), "whkEvents": ["transaction.failed"]});
    let endpoint = shop.endpoint(&body).await;
    receiver.trust(&[&endpoint.secret]);
    assert_eq!(shop.buy("good-1", "4567").await, 200);
    shop.buy("bad-1", "0001").await;
    receiver.reported("transaction.failed", "bad-1").await;
    let trial = json!({"whkIdentifier": endpoint.id});
    shop.merchant
        .post("/webhook/test", &trial)
        .await
        .with_status(202);
    let events = receiver.received(2).await;
    let topics: Vec<_> = events
        .iter()
        .map(super::receiver::ReceivedEvent::topic)
        .collect();
    assert_eq!(topics, ["transaction.failed", "ping"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_is_seen_tried_again_and_asked_for_again() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    let endpoint = shop.tells(&receiver).await;
    receiver.answer(500);
    assert_eq!(shop.buy("good-1", "4567").await, 200);
    receiver.received(1).await;
    let what = "the attempt is shown";
    let shown = patience::eventually(what, Duration::from_secs(5), async || {
        let shown = shop.deliveries("").await;
        (shown["deliveries"][0]["dlvAttempts"][0]["attStatus"] == 500).then_some(shown)
    });
    let shown = shown.await;
    assert_eq!(shown["deliveries"][0]["dlvStatus"], "Pending", "{shown}");
    receiver.answer(204);
    // Five seconds later, a fifth more or less.
    let again = receiver.received(2).await;
    assert_eq!(again[0].id, again[1].id);
    assert_eq!(again[0].body, again[1].body);
    let pause = again[1].after.saturating_sub(again[0].after);
    assert!((3..=9).contains(&pause.as_secs()), "{pause:?}");
    let replay = json!({"whkIdentifier": endpoint.id, "evtIdentifier": again[0].id});
    shop.merchant
        .post("/webhook/replay", &replay)
        .await
        .with_status(200);
    assert_eq!(receiver.received(3).await[2].body, again[0].body);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_is_gone_is_disabled_and_the_others_are_notified() {
    let shop = WebhookShop::open();
    let (gone, other) = (
        WebhookReceiver::start().await,
        WebhookReceiver::start().await,
    );
    let endpoint = shop.tells(&gone).await;
    shop.tells(&other).await;
    gone.answer(410);
    shop.buy("good-1", "4567").await;
    let what = "the other receives it";
    let reported = patience::eventually(what, Duration::from_secs(10), async || {
        let events = other.events().into_iter();
        events
            .map(|event| event.json())
            .find(|event| event["type"] == "webhook.disabled")
    });
    assert_eq!(reported.await["data"]["whkIdentifier"], endpoint.id);
    let listed = shop.merchant.get("/webhook/endpoint").await.json();
    assert_eq!(listed["endpoints"][0]["whkStatus"], "Disabled", "{listed}");
    assert_eq!(listed["endpoints"][0]["whkReason"], "gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settlement_while_the_merchant_waits_is_delivered_once() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    shop.buy("good-1", "4567").await;
    receiver.reported("transaction.successful", "good-1").await;
    // A second delivery would have come by then.
    shop.buy("good-2", "4567").await;
    receiver.reported("transaction.successful", "good-2").await;
    assert_eq!(receiver.events().len(), 2, "{:?}", receiver.events());
    tests::provider_journal::audit_is_clean(&shop.account.folder);
}
