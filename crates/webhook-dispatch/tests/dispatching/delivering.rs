//! Which events are delivered, when, and in which order.

use crate::world::{DispatchWorld, SHOP, ScriptedAnswer, is_new, secret};
use domain::provider::QueryOutcome;
use domain::transaction::{Observation, Transaction};
use domain::webhook::{DeliveryState, DisabledBecause, EventPayload, Topic};
use ports::webhooks::{EndpointChange, Endpoints};
use std::time::Duration;
use testkit::builders::{
    account, account_id, airtime, delivered, endpoint_id, finding, pending, receipt,
};
use testkit::clock::START;
use wire::webhook::body;
use wire::webhook::signature::{Signed, signatures};
use wire::zone::Zone;

const SECOND: Duration = Duration::from_secs(1);

/// Asked: delivered.
fn found(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::Delivered(receipt(tx)))
}

#[tokio::test]
async fn what_was_committed_is_found_within_a_quarter_of_a_second() {
    let mut world = DispatchWorld::with(1).await;
    world.start().await;
    world.pass(SECOND).await;
    world.new_events(1, 1..2).await;
    world.pass(Duration::from_millis(270)).await;
    assert_eq!(world.reported(1), ["evt_1"]);
}

#[tokio::test]
async fn waiting_costs_four_claims_a_second_and_no_records() {
    use std::sync::atomic::Ordering::SeqCst;
    let mut world = DispatchWorld::with(1).await;
    world.start().await;
    world.pass(10 * SECOND).await;
    let claims = world.outbox.claimed.load(SeqCst);
    assert!(claims <= 41, "{claims}");
    assert_eq!(world.outbox.recorded.load(SeqCst), 0);
}

#[tokio::test]
async fn not_every_result_is_a_record_and_a_claim_of_its_own() {
    use std::sync::atomic::Ordering::SeqCst;
    let mut world = DispatchWorld::with(1).await;
    world.start().await;
    for n in 1..=500 {
        world.new_events(1, n..n + 1).await;
        world.pass(Duration::from_millis(2)).await;
    }
    world.pass(SECOND).await;
    assert_eq!(world.begun().len(), 500);
    let (claims, records) = (&world.outbox.claimed, &world.outbox.recorded);
    let (claims, records) = (claims.load(SeqCst), records.load(SeqCst));
    assert!(claims <= 101 && records <= 51, "{claims} and {records}");
}

#[tokio::test]
async fn a_delivery_is_the_body_of_its_event_signed_with_the_secret_of_its_endpoint() {
    let mut world = DispatchWorld::with(2).await;
    let rotated = EndpointChange::Rotate(START, 1);
    world
        .store
        .change(
            (&account_id(SHOP), endpoint_id(2)),
            rotated,
            &testkit::builders::noted_change("shop"),
        )
        .await
        .unwrap();
    let opened = world.stores.has_opened(&airtime()).await;
    world
        .stores
        .has_applied(&opened, &delivered(&opened), START)
        .await;
    world.start().await;
    world.pass(SECOND).await;
    let zone = Zone::for_account(&account(SHOP).build());
    for (delivery, attempts) in world.deliveries().await {
        assert_eq!(attempts.len(), 1);
        assert_eq!(delivery.state, DeliveryState::Delivered(START));
        let [begun] = <[_; 1]>::try_from(world.begun_to(delivery.endpoint.get())).unwrap();
        let request = begun.request;
        assert_eq!(request.body, body(&delivery.event, false, &zone));
        assert_eq!(request.id, delivery.event.id.as_str());
        let secrets = match delivery.endpoint.get() {
            1 => vec![secret(1, 1)],
            _ => vec![secret(2, 2), secret(2, 1)],
        };
        let signed = Signed {
            id: &request.id,
            at: START,
            body: &request.body,
        };
        assert_eq!(request.signatures, signatures(signed, &secrets));
    }
    assert_eq!(world.begun().len(), 2);
}

#[tokio::test]
async fn the_events_of_a_transaction_are_delivered_in_their_order() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(SECOND, 200));
    let mut orders = Vec::new();
    for n in 1..=20 {
        let opened = world.stores.has_opened(&airtime().nth(n)).await;
        let waiting = world
            .stores
            .has_applied(&opened, &pending(&opened), START)
            .await;
        world
            .stores
            .has_applied(&waiting, &found(&waiting), START)
            .await;
        orders.push(opened.number);
    }
    world.start().await;
    world.pass(20 * SECOND).await;
    assert_eq!(world.begun().len(), 40);
    for number in orders {
        let mut reported = world.begun();
        let prefix = format!("evt_{number}_");
        reported.retain(|begun| begun.request.id.starts_with(&prefix));
        let [first, second] = <[_; 2]>::try_from(reported).unwrap();
        let text = |begun: &crate::world::StartedAttempt| {
            String::from_utf8(begun.request.body.clone()).unwrap()
        };
        assert!(text(&first).contains(Topic::TransactionPending.code()));
        assert!(text(&second).contains(Topic::TransactionSuccessful.code()));
        assert!(second.at >= first.at.plus(SECOND), "one after the other");
        assert!(second.at <= first.at.plus(6 * SECOND), "and soon");
    }
}

#[tokio::test]
async fn the_next_event_is_delivered_as_soon_as_it_is_known_that_the_first_arrived() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(SECOND / 10 * 9, 200));
    let opened = world.stores.has_opened(&airtime()).await;
    let waiting = world
        .stores
        .has_applied(&opened, &pending(&opened), START)
        .await;
    world
        .stores
        .has_applied(&waiting, &found(&waiting), START)
        .await;
    world.start().await;
    world.pass(5 * SECOND).await;
    let [first, second] = <[_; 2]>::try_from(world.begun()).unwrap();
    let after = second.at.since(first.at.plus(SECOND / 10 * 9));
    assert!(after <= Duration::from_millis(40), "{after:?}");
}

#[tokio::test]
async fn an_endpoint_that_is_gone_receives_no_more_and_the_others_are_notified() {
    let mut world = DispatchWorld::with(2).await;
    world.does(1, ScriptedAnswer::Says(410));
    world.new_events(1, 1..100).await;
    world.start().await;
    world.pass(10 * SECOND).await;
    assert!(world.reported(1).len() <= 8);
    let reported = world.deliveries().await;
    let disabled: Vec<_> = reported
        .iter()
        .filter(|(delivery, _)| !is_new(&delivery.event))
        .collect();
    let [(event, attempts)] = disabled[..] else {
        panic!("{disabled:?}");
    };
    assert_eq!(event.endpoint, endpoint_id(2));
    assert_eq!(event.event.subject, EventPayload::Endpoint(endpoint_id(1)));
    assert_eq!(attempts.len(), 1);
    assert!(world.begun_to(2)[0].at <= START.plus(SECOND));
}

#[tokio::test]
async fn an_endpoint_disabled_or_removed_receives_nothing_more_a_second_later() {
    let mut world = DispatchWorld::with(2).await;
    for endpoint in 1..=2 {
        world.does(endpoint, ScriptedAnswer::SaysAfter(SECOND / 2, 200));
        world.new_events(endpoint, 1..100).await;
    }
    world.start().await;
    world.pass(3 * SECOND).await;
    let (shop, store) = (account_id(SHOP), world.store.clone());
    let change = EndpointChange::Disable(DisabledBecause::ByMerchant, world.now());
    store
        .change(
            (&shop, endpoint_id(1)),
            change,
            &testkit::builders::noted_change("shop"),
        )
        .await
        .unwrap();
    assert!(
        store
            .remove(
                (&shop, endpoint_id(2)),
                world.now(),
                &testkit::builders::noted_change("shop")
            )
            .await
            .unwrap()
    );
    let late = world.now().plus(SECOND);
    world.pass(60 * SECOND).await;
    let begun = world.begun();
    assert!((1..120).contains(&begun.len()), "{}", begun.len());
    assert!(begun.iter().all(|begun| begun.at <= late));
    // Nothing was tried that is to be made up for.
    world.does(1, ScriptedAnswer::Says(200));
    let change = EndpointChange::Enable(world.now());
    store
        .change(
            (&shop, endpoint_id(1)),
            change,
            &testkit::builders::noted_change("shop"),
        )
        .await
        .unwrap();
    world.pass(30 * SECOND).await;
    let mut reported = world.reported(1);
    reported.sort();
    reported.dedup();
    assert_eq!(reported.len(), 99);
}

#[tokio::test]
async fn what_was_claimed_before_a_secret_is_changed_is_signed_with_both_a_second_later() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(SECOND / 2, 200));
    world.new_events(1, 1..100).await;
    world.start().await;
    world.pass(2 * SECOND).await;
    let change = EndpointChange::Rotate(world.now(), 1);
    world
        .store
        .change(
            (&account_id(SHOP), endpoint_id(1)),
            change,
            &testkit::builders::noted_change("shop"),
        )
        .await
        .unwrap();
    let late = world.now().plus(SECOND);
    world.pass(30 * SECOND).await;
    let begun = world.begun();
    assert_eq!(begun.len(), 99);
    let both =
        |begun: &&crate::world::StartedAttempt| begun.request.signatures.split(' ').count() == 2;
    let later: Vec<_> = begun.iter().filter(|begun| begun.at > late).collect();
    assert!(later.len() > 20 && later.iter().all(both));
}
