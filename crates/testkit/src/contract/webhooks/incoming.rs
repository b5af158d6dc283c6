//! Laws of the events of incoming messages. There must be neither a message without its event, nor
//! an event without its message.

use super::setup::WebhookStores;
use crate::builders::{
    answered, at, delivery_id, delivery_query, disabled_event, endpoint, endpoint_for,
    incoming_message,
};
use domain::messaging::IncomingMessage;
use domain::webhook::{Topic, WebhookEvent};
use ports::incoming_messages::IncomingRecording;
use ports::webhooks::ReplayOf;

async fn record(stores: &WebhookStores, message: &IncomingMessage) -> IncomingRecording {
    let recorded = stores.incoming.record_incoming(message).await;
    recorded.expect("record a message")
}

async fn forget(stores: &WebhookStores, second: u64) -> u64 {
    let forgotten = stores.retention.forget_incoming(at(second), 9).await;
    forgotten.expect("forget messages")
}

/// It is delivered as it was recorded, once, to those that subscribe to such events, and to no
/// endpoint of another account.
pub async fn an_incoming_message_is_reported_once_to_its_account_alone(stores: &WebhookStores) {
    for id in ["shop", "other"] {
        stores.has_account(id, "1.00").await;
    }
    stores.has(&endpoint("shop", 1)).await;
    stores.has(&endpoint_for("shop", 2, &[Topic::Ping])).await;
    let topics = [Topic::MessageReceived];
    stores.has(&endpoint_for("shop", 3, &topics)).await;
    stores.has(&endpoint("other", 4)).await;
    let message = incoming_message("shop", 4_711);
    assert_eq!(record(stores, &message).await, IncomingRecording::Recorded);
    let repeated = IncomingMessage {
        received: message.received.clone(),
        ..incoming_message("other", 4_712)
    };
    assert_eq!(record(stores, &repeated).await, IncomingRecording::Repeated);
    let due = stores.due(5_000).await;
    let mut to: Vec<_> = due.iter().map(|it| it.endpoint.get()).collect();
    to.sort_unstable();
    assert_eq!(to, [1, 3]);
    let event = WebhookEvent::of_incoming(&message);
    assert!(due.iter().all(|it| it.event == event), "{due:#?}");
    assert!(due.iter().all(|it| it.account.as_str() == "shop"));
    assert_eq!(stores.announced_to("shop", "evt_4711").await, Some(1));
    assert_eq!(stores.announced_to("other", "evt_4711").await, None);
}

/// It cannot be announced by itself: its message would not be there.
pub async fn an_event_of_an_incoming_message_comes_with_the_message(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let event = WebhookEvent::of_incoming(&incoming_message("shop", 4_711));
    let shop = crate::builders::account_id("shop");
    let refused = stores.outbox.announce(&shop, None, &event).await;
    assert!(refused.is_err(), "{refused:?}");
    assert!(stores.deliveries().await.is_empty());
}

/// A delivery that is listed, and may be asked for again, shows its message: it is not forgotten
/// before.
pub async fn an_incoming_message_stays_while_its_event_is_listed(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let message = incoming_message("shop", 7);
    record(stores, &message).await;
    let [due] = &stores.due(9).await[..] else {
        panic!("one is due");
    };
    stores.tried(due, answered(200, at(9))).await;
    assert_eq!(forget(stores, 1_000).await, 0);
    let listed = stores.page("shop", &delivery_query()).await;
    assert_eq!(
        listed.deliveries[0].0.event,
        WebhookEvent::of_incoming(&message)
    );
    let again = ReplayOf::One(delivery_id(due));
    stores.replay(again, 9, at(10)).await;
    let due = stores.due(11).await;
    assert_eq!(due[0].event, WebhookEvent::of_incoming(&message));
    stores.tried(&due[0], answered(200, at(12))).await;
    let forgotten = stores.outbox.forget_delivered(at(1_000), 9).await;
    assert_eq!(forgotten.expect("forget deliveries"), 1);
    assert_eq!(forget(stores, 1_000).await, 1);
}

/// Other events of no transaction are as before.
pub async fn an_event_without_a_message_shows_none(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    record(stores, &incoming_message("shop", 7)).await;
    // Under the number of the message of another account.
    let disabled = disabled_event(8, 1, at(9));
    stores.announce(None, &disabled).await;
    let events: Vec<_> = stores
        .deliveries()
        .await
        .into_iter()
        .map(|it| it.event)
        .collect();
    assert!(events.contains(&disabled), "{events:#?}");
}
