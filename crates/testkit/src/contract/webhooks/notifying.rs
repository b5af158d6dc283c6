//! Laws of recording deliveries: with the change that makes the event, or not at all. A delivery
//! must show the transaction as the event left it.

use super::setup::{WebhookStores, names};
use crate::builders::{
    account_id, advance, airtime, at, declined, delivered, delivery_query, disabled_event,
    electricity, endpoint, endpoint_for, endpoint_id, finding, message_status, mismatched,
    not_sent, pending, ping, receipt, reversed, ruled, sms, unknown,
};
use crate::strategies::every_state;
use domain::change_set::ChangeSet;
use domain::provider::{QueryOutcome, UnknownCause};
use domain::sms::DeliveryStatus;
use domain::transaction::{Observation, Transaction, Verdict};
use domain::webhook::{
    Delivery, DeliveryState, DisabledBecause, EventPayload, Topic, WebhookEvent, WebhookEventId,
};
use ports::ledger_store::CommitOutcome;
use ports::webhooks::EndpointChange;
use std::sync::Arc;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

fn found(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::Delivered(receipt(tx)))
}

/// Where a delivery shows its transaction.
fn shown(delivery: &Delivery) -> &Transaction {
    match &delivery.event.subject {
        EventPayload::Transaction(tx) => tx,
        other @ (EventPayload::Credit(_)
        | EventPayload::LowBalance { .. }
        | EventPayload::Endpoint(_)
        | EventPayload::Report(_)
        | EventPayload::Incoming(_)
        | EventPayload::Ping) => panic!("{other:?} is no transaction"),
    }
}

/// For every history of a transaction: each event with a topic is one delivery, which shows the
/// transaction as the event left it, and no other event is delivered.
pub async fn every_event_that_is_reported_is_delivered_as_it_was(stores: &WebhookStores) {
    stores.has_account("shop", "9,000,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    stores.has_credits("shop", "credits", "10,000.00").await;
    stores.has(&endpoint("shop", 1)).await;
    for history in every_state() {
        let mut expected = Vec::new();
        let opening = ChangeSet::Open(Box::new(history.opening.clone()));
        assert_eq!(stores.commit(opening).await, CommitOutcome::Done);
        let opened = &history.opening;
        let mut happened: Vec<_> = opened
            .events()
            .map(|it| (*it, &opened.transaction))
            .collect();
        for step in &history.steps {
            assert_eq!(stores.step(step).await, CommitOutcome::Done);
            happened.extend(step.event.map(|event| (event, &step.transaction)));
        }
        for (event, transaction) in happened {
            let Some(topic) = Topic::of(event.kind) else {
                continue;
            };
            expected.push(Delivery {
                account: account_id("shop"),
                endpoint: endpoint_id(1),
                event: WebhookEvent {
                    id: WebhookEventId::of_event(&event),
                    topic,
                    sequence: event.sequence,
                    at: event.at,
                    subject: EventPayload::Transaction(Box::new(transaction.clone())),
                },
                attempts: 0,
                round: 0,
                state: DeliveryState::Due(event.at),
            });
        }
        let number = history.opening.transaction.number;
        let mut reported = all_deliveries(stores).await;
        reported.retain(|it| shown(it).number == number);
        assert_eq!(reported, expected);
    }
    stores.must_be_clean(at(0)).await;
}

async fn all_deliveries(stores: &WebhookStores) -> Vec<Delivery> {
    let mut all = Vec::new();
    loop {
        let mut query = delivery_query();
        query.offset = all.len() as u64;
        let page = stores.page("shop", &query).await;
        if page.deliveries.is_empty() {
            assert_eq!(page.total, all.len() as u64);
            return all;
        }
        all.extend(page.deliveries.into_iter().map(|(it, _)| it));
    }
}

/// An endpoint that is subscribed to some topics receives only those, each endpoint for itself.
pub async fn an_endpoint_receives_the_topics_it_asked_for(stores: &WebhookStores) {
    stores.has_account("shop", "100,000.00").await;
    let asked = [
        (1, vec![Topic::TransactionSuccessful]),
        (
            2,
            vec![Topic::TransactionFailed, Topic::TransactionReversed],
        ),
        (3, vec![Topic::TransactionPending]),
        (4, vec![Topic::TransactionReview]),
        (5, vec![Topic::MessageStatus]),
        (6, vec![]),
    ];
    for (id, topics) in &asked {
        stores.has(&endpoint_for("shop", *id, topics)).await;
    }
    let yes = stores.has_opened(&airtime().nth(1)).await;
    let yes = stores.has_applied(&yes, &delivered(&yes), at(1)).await;
    stores.has_applied(&yes, &reversed(&yes), at(2)).await;
    let no = stores.has_opened(&airtime().nth(2)).await;
    stores.has_applied(&no, &declined(&no), at(3)).await;
    let late = stores.has_opened(&airtime().nth(3)).await;
    stores.has_applied(&late, &pending(&late), at(4)).await;
    let odd = stores.has_opened(&airtime().nth(4)).await;
    let odd = stores.has_applied(&odd, &mismatched(&odd), at(5)).await;
    let verdict = ruled(Verdict::NotDelivered);
    stores.has_applied(&odd, &verdict, at(6)).await;
    let text = stores.has_opened(&sms().nth(5)).await;
    let text = stores.has_applied(&text, &delivered(&text), at(7)).await;
    let arrived = message_status(&text, &[DeliveryStatus::Delivered]);
    stores.has_applied(&text, &arrived, at(8)).await;

    let received: Vec<_> = all_deliveries(stores).await;
    let received = received
        .iter()
        .map(|it| (it.endpoint.get(), it.event.topic, it.event.at));
    let expected = [
        (1, Topic::TransactionSuccessful, at(1)),
        (2, Topic::TransactionReversed, at(2)),
        (2, Topic::TransactionFailed, at(3)),
        (3, Topic::TransactionPending, at(4)),
        (4, Topic::TransactionReview, at(5)),
        (2, Topic::TransactionFailed, at(6)),
        (1, Topic::TransactionSuccessful, at(7)),
        (5, Topic::MessageStatus, at(8)),
    ];
    assert_eq!(received.collect::<Vec<_>>(), expected);
}

/// Every enabled endpoint of the account gets one delivery; no other endpoint does.
pub async fn an_event_is_sent_to_every_enabled_endpoint_of_its_account(stores: &WebhookStores) {
    for id in ["shop", "kiosk", "stall"] {
        stores.has_account(id, "10,000.00").await;
    }
    for id in 1..=3 {
        stores.has(&endpoint("shop", id)).await;
    }
    stores.has(&endpoint("kiosk", 1)).await;
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(0));
    stores.change(2, asked).await;
    for account in ["shop", "stall"] {
        let tx = stores.has_opened(&airtime().by(account).nth(1)).await;
        stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    }
    let reported = stores.deliveries().await;
    let to: Vec<_> = reported.iter().map(|it| it.endpoint.get()).collect();
    assert_eq!(to, [1, 3]);
    assert_eq!(names(&reported), ["evt_1_2", "evt_1_2"]);
    for account in ["kiosk", "stall"] {
        assert_eq!(stores.page(account, &delivery_query()).await.total, 0);
    }
    stores.must_be_clean(at(2)).await;
}

/// Events from before an endpoint existed, or while it was disabled, are never delivered to it.
pub async fn what_happened_before_an_endpoint_existed_is_not_delivered(stores: &WebhookStores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let tx = stores.has_applied(&tx, &pending(&tx), at(1)).await;
    stores.has(&endpoint("shop", 1)).await;
    let tx = stores.has_applied(&tx, &found(&tx), at(2)).await;
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(0));
    stores.change(1, asked).await;
    stores.has_applied(&tx, &reversed(&tx), at(4)).await;
    stores.change(1, EndpointChange::Enable(at(5))).await;
    assert_eq!(names(&stores.deliveries().await), ["evt_1_3"]);
}

/// A change set that was refused, or lost a race, leaves nothing to deliver.
pub async fn what_is_not_stored_is_not_reported(stores: &WebhookStores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let opened = stores.has_opened(&airtime()).await;
    let first = advance(&opened, &declined(&opened), at(1));
    assert_eq!(stores.step(&first).await, CommitOutcome::Done);
    for observation in [delivered, declined, pending] {
        let stale = advance(&opened, &observation(&opened), at(2));
        let verdict = stores.step(&stale).await;
        assert!(
            matches!(verdict, CommitOutcome::VersionConflict(_)),
            "{verdict:?}"
        );
    }
    let ghost = airtime().by("ghost").nth(2);
    assert_eq!(stores.open(&ghost).await, CommitOutcome::AccountUnknown);
    assert_eq!(names(&stores.deliveries().await), ["evt_1_2"]);
}

/// Steps without a topic record no delivery: an order that was placed, a second attempt, an answer
/// that changes only internal state.
pub async fn what_changes_nothing_for_a_merchant_is_not_reported(stores: &WebhookStores) {
    stores.has_account("shop", "100,000.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let tx = stores.has_opened(&electricity()).await;
    let tx = stores.has_applied(&tx, &not_sent(&tx), at(1)).await;
    assert_eq!(stores.deliveries().await, []);
    let unanswered = unknown(&tx, UnknownCause::ServerError);
    stores.has_applied(&tx, &unanswered, at(2)).await;
    // The gap is the second attempt, which is not reported.
    assert_eq!(names(&stores.deliveries().await), ["evt_1_3"]);
}

/// Undelivered events still show each state as it was, however far the transaction has come.
pub async fn undelivered_events_of_one_transaction_show_it_as_it_was_at_each(
    stores: &WebhookStores,
) {
    stores.has_account("shop", "10,000.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let opened = stores.has_opened(&airtime()).await;
    let waiting = stores.has_applied(&opened, &pending(&opened), at(1)).await;
    let done = stores.has_applied(&waiting, &found(&waiting), at(2)).await;
    let back = stores.has_applied(&done, &reversed(&done), at(3)).await;
    let reported = stores.deliveries().await;
    let reported: Vec<_> = reported.iter().map(shown).collect();
    assert_eq!(reported, [&waiting, &done, &back]);
    let claimed = stores.due(10).await;
    assert_eq!(claimed.len(), 1);
    assert_eq!(shown(&claimed[0]), &waiting);
}

/// The same where all of it is made durable together: 32 transactions go through two events each,
/// as fast as the store takes them.
pub async fn events_of_one_batch_keep_a_snapshot_each(stores: &WebhookStores) {
    stores.has_account("shop", "10,000.00").await;
    for id in [1, 2] {
        stores.has(&endpoint("shop", id)).await;
    }
    let start = Arc::new(Barrier::new(32));
    let mut tasks = JoinSet::new();
    for n in 1..=32 {
        let (stores, start) = (stores.clone(), start.clone());
        let opened = stores.has_opened(&airtime().nth(n).priced("1.00")).await;
        tasks.spawn(async move {
            let waiting = advance(&opened, &pending(&opened), at(n));
            let done = advance(&waiting.transaction, &found(&waiting.transaction), at(n));
            start.wait().await;
            // The second is handed over while the first is under way, so that both may share a
            // batch; where the second comes first it is in conflict, and comes again.
            let (first, second) = tokio::join!(stores.step(&waiting), stores.step(&done));
            assert_eq!(first, CommitOutcome::Done);
            if second != CommitOutcome::Done {
                assert_eq!(stores.step(&done).await, CommitOutcome::Done);
            }
            [waiting.transaction, done.transaction]
        });
    }
    let expected = tasks.join_all().await;
    let reported = all_deliveries(stores).await;
    assert_eq!(reported.len(), 32 * 2 * 2);
    for tx in expected.iter().flatten() {
        let of_it = reported.iter().filter(|it| shown(it) == tx);
        assert_eq!(of_it.count(), 2, "{tx:?}");
    }
    stores.must_be_clean(at(40)).await;
}

/// An event that no transaction caused goes to one endpoint, or to all subscribed ones; once each.
pub async fn an_event_is_announced_to_one_or_to_all_subscribed_endpoints(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    stores
        .has(&endpoint_for("shop", 2, &[Topic::TransactionFailed]))
        .await;
    stores
        .has(&endpoint_for("shop", 3, &[Topic::WebhookDisabled]))
        .await;
    stores.has(&endpoint("shop", 4)).await;
    stores.has(&endpoint("kiosk", 1)).await;
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(0));
    stores.change(4, asked).await;

    let trial = ping(11, at(1));
    assert_eq!(stores.announce(Some(2), &trial).await, 1);
    assert_eq!(stores.announce(Some(2), &trial).await, 0);
    assert_eq!(stores.announce(Some(4), &trial).await, 0);
    assert_eq!(stores.announce(Some(5), &trial).await, 0);
    let disabled = disabled_event(12, 4, at(2));
    assert_eq!(stores.announce(None, &disabled).await, 2);
    let everyone = ping(13, at(3));
    assert_eq!(stores.announce(None, &everyone).await, 3);

    let reported = stores.deliveries().await;
    let reported: Vec<_> = reported
        .iter()
        .map(|it| (it.endpoint.get(), &it.event))
        .collect();
    let expected = [
        (2, &trial),
        (1, &disabled),
        (3, &disabled),
        (1, &everyone),
        (2, &everyone),
        (3, &everyone),
    ];
    assert_eq!(reported, expected);
    assert_eq!(stores.page("kiosk", &delivery_query()).await.total, 0);
    stores.must_be_clean(at(4)).await;
}

/// What a commit records cannot be announced beside it.
pub async fn an_event_of_a_transaction_cannot_be_announced(stores: &WebhookStores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let tx = stores.has_opened(&airtime()).await;
    let event = WebhookEvent {
        subject: EventPayload::Transaction(Box::new(tx)),
        ..ping(11, at(1))
    };
    let shop = account_id("shop");
    let reported = stores.outbox.announce(&shop, None, &event);
    assert!(reported.await.is_err());
    assert_eq!(stores.deliveries().await, []);
}

/// What is announced is found by its name in its account alone, until its endpoint is removed; what
/// a transaction caused is not.
pub async fn an_announced_event_is_found_by_its_identifier(stores: &WebhookStores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    stores.has(&endpoint("shop", 7)).await;
    stores.has(&endpoint("shop", 3)).await;
    stores.has(&endpoint("kiosk", 3)).await;
    assert_eq!(stores.announced_to("shop", "evt_11").await, None);

    assert_eq!(stores.announce(Some(3), &ping(11, at(1))).await, 1);
    assert_eq!(stores.announced_to("shop", "evt_11").await, Some(3));
    assert_eq!(stores.announced_to("shop", "evt_12").await, None);
    assert_eq!(stores.announced_to("kiosk", "evt_11").await, None);
    assert_eq!(stores.announce(None, &ping(12, at(2))).await, 2);
    assert_eq!(stores.announced_to("shop", "evt_12").await, Some(3));

    let bought = stores.has_opened(&airtime().nth(1)).await;
    let event = format!("evt_{}", bought.number);
    assert_eq!(stores.announced_to("shop", &event).await, None);
    assert_eq!(
        stores.announced_to("shop", &format!("{event}_1")).await,
        None
    );

    assert!(stores.remove(3, at(3)).await);
    assert_eq!(stores.announced_to("shop", "evt_11").await, None);
    assert_eq!(stores.announced_to("shop", "evt_12").await, Some(7));
}
