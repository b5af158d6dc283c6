//! Laws of claiming deliveries. A claim must take nothing that is claimed already or that must
//! wait for another delivery.

use super::setup::{WebhookStores, names};
use crate::builders::{
    account, account_id, airtime, answered, at, delivered, delivery_claim, delivery_id,
    disabled_event, ended, endpoint, endpoint_id, finding, pending, ping, receipt, reversed,
};
use domain::provider::QueryOutcome;
use domain::transaction::Transaction;
use domain::webhook::{DeliveryState, DisabledBecause};
use ports::webhooks::{DeliveryClaim, EndpointChange, LatestDue, ReplayOf, Replayed};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

/// Announces events to an endpoint of `shop`, each at the second of its number: what is no trial
/// waits from its moment on.
async fn notified(stores: &WebhookStores, endpoint: u64, seconds: &[u64]) {
    for second in seconds {
        let observation = disabled_event(*second, 9, at(*second));
        assert_eq!(stores.announce(Some(endpoint), &observation).await, 1);
    }
}

/// A shop with so many endpoints.
async fn has_shop(stores: &WebhookStores, endpoints: u64) {
    stores.has_account("shop", "10,000.00").await;
    for id in 1..=endpoints {
        stores.has(&endpoint("shop", id)).await;
    }
}

/// A transaction with three reported events, at the seconds 1, 2 and 3.
async fn eventful(stores: &WebhookStores, n: u64) -> Transaction {
    let tx = stores.has_opened(&airtime().nth(n)).await;
    let tx = stores.has_applied(&tx, &pending(&tx), at(1)).await;
    let found = finding(&tx, QueryOutcome::Delivered(receipt(&tx)));
    let tx = stores.has_applied(&tx, &found, at(2)).await;
    stores.has_applied(&tx, &reversed(&tx), at(3)).await
}

/// The longest due comes first, whatever it is called; what is not due yet is left alone.
pub async fn deliveries_are_claimed_longest_due_first(stores: &WebhookStores) {
    has_shop(stores, 2).await;
    notified(stores, 1, &[40, 10]).await;
    notified(stores, 2, &[30, 20, 41]).await;
    assert_eq!(stores.due_names(9).await, [""; 0]);
    let due = stores.due_names(40).await;
    assert_eq!(due, ["evt_10", "evt_20", "evt_30", "evt_40"]);
    assert_eq!(stores.due_names(41).await, ["evt_41"]);
    assert_eq!(stores.due_names(42).await, [""; 0]);
}

/// A claim ends with its lease, to the millisecond; until then it is exclusive.
pub async fn a_claimed_delivery_is_due_again_when_its_lease_ends(stores: &WebhookStores) {
    has_shop(stores, 1).await;
    notified(stores, 1, &[10]).await;
    let claim = delivery_claim(at(20));
    let end = claim.now.plus(claim.lease);
    let claimed = stores.take(&claim).await;
    assert_eq!(claimed[0].delivery.state, DeliveryState::Due(end));
    assert_eq!(claimed[0].delivery, stores.only().await.0);
    let before = delivery_claim(end.minus(Duration::from_millis(1)));
    assert_eq!(stores.take(&before).await, []);
    assert_eq!(stores.take(&delivery_claim(end)).await.len(), 1);
}

/// A claim takes no more than it asks for: of all, and to one endpoint.
pub async fn a_claim_takes_no_more_deliveries_than_it_may(stores: &WebhookStores) {
    has_shop(stores, 3).await;
    notified(stores, 1, &[1, 2, 3, 4]).await;
    notified(stores, 2, &[5, 6]).await;
    notified(stores, 3, &[7]).await;
    let claim = |limit, per_endpoint| DeliveryClaim {
        limit,
        per_endpoint,
        ..delivery_claim(at(10))
    };
    let taken = async |limit, per_endpoint| {
        let claimed = stores.take(&claim(limit, per_endpoint)).await;
        let claimed: Vec<_> = claimed.into_iter().map(|it| it.delivery).collect();
        names(&claimed)
    };
    assert_eq!(taken(0, 9).await, [""; 0]);
    assert_eq!(taken(9, 0).await, [""; 0]);
    assert_eq!(taken(9, 1).await, ["evt_1", "evt_5", "evt_7"]);
    // Endpoints share what may be taken.
    assert_eq!(taken(2, 9).await, ["evt_2", "evt_6"]);
    assert_eq!(taken(9, 9).await, ["evt_3", "evt_4"]);
}

/// However much waits for one endpoint, a claim of few takes something for another, though it has
/// waited less; and what the other leaves is filled with more for the one.
pub async fn a_long_queue_leaves_room_for_others_and_fills_what_they_leave(stores: &WebhookStores) {
    has_shop(stores, 3).await;
    for n in 1..=1_010 {
        let observation = disabled_event(n, 9, at(1));
        assert_eq!(stores.announce(Some(1), &observation).await, 1);
    }
    notified(stores, 2, &[2_000]).await;
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(4));
    notified(stores, 3, &[1_999]).await;
    stores.change(3, asked).await;
    let claim = DeliveryClaim {
        limit: 40,
        ..delivery_claim(at(3_000))
    };
    let claimed = stores.take(&claim).await;
    assert_eq!(claimed.len(), 40);
    assert_eq!(claimed[39].delivery.event.id.as_str(), "evt_2000");
    let rest = stores.take(&DeliveryClaim { limit: 4, ..claim }).await;
    assert!(rest.iter().all(|it| it.endpoint.id == endpoint_id(1)));
    assert_eq!(rest.len(), 4);
}

/// A trial has a person waiting for it: it goes before every waiting delivery, however old and
/// many they are, and delays no other endpoint's. It is due since it was requested.
pub async fn a_trial_goes_before_whatever_waits(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    for id in [1, 2] {
        stores.has(&endpoint("shop", id)).await;
    }
    for n in 1..=20 {
        let event = disabled_event(n, 9, at(n));
        assert_eq!(stores.announce(None, &event).await, 2);
    }
    assert_eq!(stores.announce(Some(1), &ping(50, at(50))).await, 1);
    let trial = stores.only_named("evt_50").await;
    assert_eq!(trial.state, DeliveryState::Due(at(50)));
    let claim = DeliveryClaim {
        limit: 10,
        per_endpoint: 4,
        ..delivery_claim(at(51))
    };
    let claimed = stores.take(&claim).await.into_iter();
    let (to_one, to_other): (Vec<_>, Vec<_>) = claimed
        .map(|it| it.delivery)
        .partition(|it| it.endpoint == endpoint_id(1));
    assert_eq!(names(&to_one), ["evt_50", "evt_1", "evt_2", "evt_3"]);
    assert_eq!(names(&to_other), ["evt_1", "evt_2", "evt_3", "evt_4"]);

    // One that failed is tried again like everything else.
    let result = ended(&trial, answered(500, at(52)));
    stores.record(std::slice::from_ref(&result)).await;
    let now = stores.only_named("evt_50").await;
    assert_eq!(now.state, result.outcome.state);
}

/// Endpoints that have as much as they can take are left alone, and so are those of another account
/// that have the same number.
pub async fn endpoints_that_are_busy_are_left_alone(stores: &WebhookStores) {
    has_shop(stores, 2).await;
    stores.has_account("kiosk", "1.00").await;
    stores.has(&endpoint("kiosk", 1)).await;
    notified(stores, 1, &[1]).await;
    notified(stores, 2, &[2]).await;
    let kiosk = account_id("kiosk");
    let observation = disabled_event(3, 9, at(3));
    let theirs = stores.outbox.announce(&kiosk, None, &observation).await;
    assert_eq!(theirs.unwrap(), 1);
    let claim = DeliveryClaim {
        except: vec![
            (account_id("shop"), endpoint_id(1)),
            (account_id("kiosk"), endpoint_id(2)),
        ],
        ..delivery_claim(at(10))
    };
    let claimed = stores.take(&claim).await;
    let claimed: Vec<_> = claimed.into_iter().map(|it| it.delivery).collect();
    assert_eq!(names(&claimed), ["evt_2", "evt_3"]);
    assert_eq!(stores.due_names(10).await, ["evt_1"]);
}

/// A delivery that was requested by itself can be claimed without the others that are due.
pub async fn only_what_was_asked_for_by_itself_can_be_claimed(stores: &WebhookStores) {
    has_shop(stores, 2).await;
    notified(stores, 1, &[1, 2]).await;
    notified(stores, 2, &[3]).await;
    assert_eq!(stores.announce(Some(1), &ping(7, at(3))).await, 1);
    let claimed = stores.due(4).await;
    assert_eq!(claimed.len(), 4);
    let named = |name| {
        let mut claimed = claimed.iter();
        let found = claimed.find(|it| it.event.id.as_str() == name);
        found.expect("it was claimed")
    };
    let failed = named("evt_2");
    stores.tried(failed, answered(500, at(5))).await;
    stores.tried(named("evt_7"), answered(200, at(5))).await;
    let again = ReplayOf::One(delivery_id(failed));
    assert_eq!(stores.replay(again, 1, at(6)).await, Replayed::Done(1));
    assert_eq!(stores.announce(Some(2), &ping(8, at(6))).await, 1);
    let claim = DeliveryClaim {
        only_asked_for: true,
        ..delivery_claim(at(100))
    };
    let claimed = stores.take(&claim).await;
    let claimed: Vec<_> = claimed.into_iter().map(|it| it.delivery).collect();
    let mut claimed = names(&claimed);
    claimed.sort();
    assert_eq!(claimed, ["evt_2", "evt_8"]);
    assert_eq!(stores.take(&claim).await, []);
}

/// A claim returns all that a delivery needs: the endpoint and the account as they are now.
pub async fn a_claim_answers_all_that_a_delivery_needs(stores: &WebhookStores) {
    let shop = account("shop").named("The Shop").with_balance("100.00");
    let created = stores.accounts.create(&shop.clone().new_account()).await;
    assert_eq!(created.unwrap(), ports::accounts::Created::Done);
    stores.has(&endpoint("shop", 1)).await;
    let tx = stores
        .has_opened(&airtime().priced("1.00").keyed("k", 7))
        .await;
    let tx = stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    let rotated = stores.change(1, EndpointChange::Rotate(at(2), 1)).await;
    let claimed = stores.take(&delivery_claim(at(3))).await;
    assert_eq!(claimed.len(), 1);
    assert_eq!(Some(&claimed[0].endpoint), rotated.as_ref());
    assert_eq!(claimed[0].account, shop.build());
    let subject = domain::webhook::EventPayload::Transaction(Box::new(tx));
    assert_eq!(claimed[0].delivery.event.subject, subject);
    assert_eq!(claimed[0].delivery.attempts, 0);
}

/// What waits for a disabled endpoint is not claimed, nor in the way of anything else.
pub async fn deliveries_to_a_disabled_endpoint_are_not_claimed(stores: &WebhookStores) {
    has_shop(stores, 2).await;
    notified(stores, 1, &[1, 2]).await;
    notified(stores, 2, &[3]).await;
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(4));
    stores.change(1, asked).await;
    let claim = DeliveryClaim {
        limit: 1,
        ..delivery_claim(at(10))
    };
    assert_eq!(stores.take(&claim).await.len(), 1);
    assert_eq!(stores.take(&claim).await, []);
}

/// Of one transaction, what happened later waits until what happened earlier was tried once; then
/// each is on its own.
pub async fn what_happened_later_is_not_tried_before_what_happened_earlier(stores: &WebhookStores) {
    has_shop(stores, 1).await;
    eventful(stores, 1).await;
    let first = stores.due(10).await;
    assert_eq!(names(&first), ["evt_1_2"]);
    // While it is under way, and after its lease ended, nothing later goes before it.
    assert_eq!(stores.due_names(11).await, [""; 0]);
    let first = stores.due(70).await;
    assert_eq!(names(&first), ["evt_1_2"]);
    stores.tried(&first[0], answered(500, at(71))).await;
    let second = stores.due(72).await;
    assert_eq!(names(&second), ["evt_1_3"]);
    stores.tried(&second[0], answered(200, at(73))).await;
    assert_eq!(stores.due_names(74).await, ["evt_1_4"]);
}

/// The order is kept for each transaction and each endpoint alone.
pub async fn nothing_waits_for_another_transaction_or_another_endpoint(stores: &WebhookStores) {
    has_shop(stores, 2).await;
    for n in [1, 2] {
        eventful(stores, n).await;
    }
    notified(stores, 1, &[5]).await;
    let due = stores.due(10).await;
    let due: BTreeSet<_> = due
        .iter()
        .map(|it| (it.endpoint.get(), it.event.id.to_string()))
        .collect();
    let expected = [
        (1, "evt_1_2"),
        (1, "evt_2_2"),
        (1, "evt_5"),
        (2, "evt_1_2"),
        (2, "evt_2_2"),
    ];
    let expected = expected.map(|(to, name)| (to, name.to_owned()));
    assert_eq!(due, BTreeSet::from(expected));
}

/// A suspended account is still notified of its transactions.
pub async fn a_suspended_account_is_still_notified(stores: &WebhookStores) {
    has_shop(stores, 1).await;
    let tx = stores.has_opened(&airtime()).await;
    let shop = account_id("shop");
    let suspended = domain::account::AccountStatus::Suspended;
    assert!(stores.accounts.set_status(&shop, suspended).await.unwrap());
    stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    assert_eq!(stores.due_names(2).await, ["evt_1_2"]);
}

/// 8 workers claim 60 deliveries to 3 endpoints: each delivery goes to one of them.
pub async fn claimers_never_share_a_delivery(stores: &WebhookStores) {
    has_shop(stores, 3).await;
    for n in 1..=20 {
        assert_eq!(stores.announce(None, &ping(n, at(n))).await, 3);
    }
    let start = Arc::new(Barrier::new(8));
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let (stores, start) = (stores.clone(), start.clone());
        tasks.spawn(async move {
            let claim = DeliveryClaim {
                limit: 5,
                per_endpoint: 2,
                ..delivery_claim(at(60))
            };
            start.wait().await;
            let (mut mine, mut empty) = (Vec::new(), 0);
            // A claim finds nothing while others are claiming all that is due, so the first empty
            // answer is not the end.
            while empty < 3 {
                let claimed = stores.take(&claim).await;
                empty += usize::from(claimed.is_empty());
                let named = claimed.into_iter().map(|it| it.delivery);
                mine.extend(named.map(|it| (it.endpoint, it.event.id)));
                assert!(mine.len() <= 60, "what was claimed is claimed again");
            }
            mine
        });
    }
    let mut claimed: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    let rest = stores.due(60).await.into_iter();
    claimed.extend(rest.map(|it| (it.endpoint, it.event.id)));
    assert_eq!(claimed.len(), 60);
    assert_eq!(claimed.iter().collect::<BTreeSet<_>>().len(), 60);
}

/// A clock that was ahead makes due days away what it records; the two bounds hold each for its
/// own, and what is due earlier stays.
pub async fn what_is_due_too_far_away_is_due_when_it_may_be_at_the_latest(stores: &WebhookStores) {
    has_shop(stores, 1).await;
    notified(stores, 1, &[1]).await;
    let delivery = stores.due(1).await.remove(0);
    let failed = ended(&delivery, answered(503, at(90_000)));
    stores.record(&[failed]).await;
    notified(stores, 1, &[10, 80_000, 80_001, 80_002]).await;
    let latest = LatestDue {
        untried: at(60),
        retried: at(86_400),
    };
    assert_eq!(stores.bound_due(latest, 3).await, 3, "no more than may be");
    assert_eq!(stores.bound_due(latest, 3).await, 1);
    assert_eq!(stores.bound_due(latest, 3).await, 0);
    let waits = stores.only_named("evt_1").await;
    assert_eq!(waits.state, DeliveryState::Due(at(86_400)));
    assert_eq!(stores.due_names(59).await, ["evt_10"]);
    let mut untried = stores.due_names(60).await;
    untried.sort();
    assert_eq!(untried, ["evt_80000", "evt_80001", "evt_80002"]);
}
