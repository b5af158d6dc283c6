//! Laws of looking at deliveries, of asking for them again and of forgetting them. What was not
//! delivered must never be forgotten while an account stores no more than it may.

use super::setup::{WebhookStores, as_kept, event_id, names};
use crate::builders::{
    account_id, airtime, answered, at, delivered, delivery_claim, delivery_id, delivery_query,
    disabled_event, ended, endpoint, endpoint_id, finding, pending, ping, receipt,
};
use domain::provider::QueryOutcome;
use domain::statement::Sort;
use domain::webhook::{
    ATTEMPTS_MAX, ATTEMPTS_SHOWN, Delivery, DeliveryId, DeliveryState, DisabledBecause,
    WebhookEvent, WebhookEventId,
};
use ports::webhooks::{DeliveryQuery, EndpointChange, ReplayOf, Replayed, StorageExcess};
use std::num::NonZeroU32;

/// A shop with two endpoints and an observation in each of so many seconds, announced to the first.
pub(super) async fn notified(stores: &WebhookStores, seconds: u64) {
    stores.has_account("shop", "10,000.00").await;
    for id in [1, 2] {
        stores.has(&endpoint("shop", id)).await;
    }
    for n in 1..=seconds {
        assert_eq!(stores.announce(Some(1), &observation(n, n)).await, 1);
    }
}

/// What waits from its moment on, unlike a trial.
pub(super) fn observation(n: u64, second: u64) -> WebhookEvent {
    disabled_event(n, 9, at(second))
}

/// Fails a delivery until it is parked.
pub(super) async fn park(stores: &WebhookStores, delivery: &Delivery) {
    let mut delivery = delivery.clone();
    for n in 1..=u64::from(ATTEMPTS_MAX) {
        stores.tried(&delivery, answered(500, at(n))).await;
        delivery.attempts += 1;
    }
}

async fn listed(stores: &WebhookStores, query: &DeliveryQuery) -> (Vec<String>, u64, u64) {
    let page = stores.page("shop", query).await;
    let deliveries: Vec<_> = page.deliveries.into_iter().map(|(it, _)| it).collect();
    (names(&deliveries), page.total, page.found)
}

/// Page by page, from either end, by the moment of the event.
pub async fn deliveries_are_read_in_pages_from_either_end(stores: &WebhookStores) {
    notified(stores, 5).await;
    let page = |offset, length, sort| DeliveryQuery {
        offset,
        length,
        sort,
        ..delivery_query()
    };
    let (oldest, newest) = (Sort::Ascending, Sort::Descending);
    for (query, expected) in [
        (page(0, 2, oldest), vec!["evt_1", "evt_2"]),
        (page(2, 2, oldest), vec!["evt_3", "evt_4"]),
        (page(4, 2, oldest), vec!["evt_5"]),
        (page(5, 2, oldest), vec![]),
        (page(u64::MAX, 2, oldest), vec![]),
        (page(0, 0, oldest), vec![]),
        (page(1, 2, newest), vec!["evt_4", "evt_3"]),
        (page(4, 9, newest), vec!["evt_1"]),
    ] {
        let (names, total, found) = listed(stores, &query).await;
        assert_eq!(names, expected, "{query:?}");
        assert_eq!((total, found), (5, 5));
    }
}

/// Events of one moment are in their order, those of one event in the order of the endpoints.
pub async fn deliveries_of_one_moment_are_in_the_order_of_their_events(stores: &WebhookStores) {
    notified(stores, 0).await;
    let tx = stores.has_opened(&airtime().nth(7)).await;
    let tx = stores.has_applied(&tx, &pending(&tx), at(3)).await;
    let found = finding(&tx, QueryOutcome::Delivered(receipt(&tx)));
    stores.has_applied(&tx, &found, at(3)).await;
    let page = stores.deliveries().await;
    let page = page.iter().map(|it| (it.event.sequence, it.endpoint.get()));
    assert_eq!(page.collect::<Vec<_>>(), [(2, 1), (2, 2), (3, 1), (3, 2)]);
}

/// Of one endpoint, of what waits for the merchant, or both.
pub async fn deliveries_are_filtered_by_endpoint_and_by_what_is_parked(stores: &WebhookStores) {
    notified(stores, 2).await;
    assert_eq!(stores.announce(None, &observation(9, 9)).await, 2);
    let claimed = stores.due(9).await;
    park(stores, &claimed[1]).await;
    stores.tried(&claimed[0], answered(200, at(10))).await;
    let query = |endpoint: Option<u64>, parked| DeliveryQuery {
        endpoint: endpoint.map(endpoint_id),
        parked,
        ..delivery_query()
    };
    for (query, expected) in [
        (query(None, false), vec!["evt_1", "evt_2", "evt_9", "evt_9"]),
        (query(Some(1), false), vec!["evt_1", "evt_2", "evt_9"]),
        (query(Some(2), false), vec!["evt_9"]),
        (query(None, true), vec!["evt_2"]),
        (query(Some(1), true), vec!["evt_2"]),
        (query(Some(2), true), vec![]),
        (query(Some(3), false), vec![]),
    ] {
        let (names, total, found) = listed(stores, &query).await;
        assert_eq!(names, expected, "{query:?}");
        assert_eq!((total, found), (4, expected.len() as u64));
    }
    let page = DeliveryQuery {
        offset: 1,
        length: 1,
        sort: Sort::Descending,
        ..query(Some(1), false)
    };
    assert_eq!(
        listed(stores, &page).await,
        (vec!["evt_2".to_owned()], 4, 3)
    );
}

/// One delivery is due again with all attempts before it, whatever had become of it; what it went
/// through stays in its log.
pub async fn a_delivery_that_is_asked_for_again_begins_anew(stores: &WebhookStores) {
    notified(stores, 3).await;
    let claimed = stores.due(3).await;
    park(stores, &claimed[0]).await;
    stores.tried(&claimed[1], answered(200, at(5))).await;
    stores.tried(&claimed[2], answered(500, at(6))).await;
    stores.change(1, EndpointChange::Enable(at(6))).await;
    for (delivery, attempts) in claimed.iter().zip([ATTEMPTS_MAX, 1, 1]) {
        let what = ReplayOf::One(delivery_id(delivery));
        assert_eq!(stores.replay(what, 1, at(100)).await, Replayed::Done(1));
        let page = stores.page("shop", &delivery_query()).await;
        let mut found = page.deliveries.into_iter();
        let (now, log) = found
            .find(|(it, _)| it.event.id == delivery.event.id)
            .unwrap();
        let due_at = delivery.event.at;
        assert_eq!((now.attempts, now.state), (0, DeliveryState::Due(due_at)));
        assert_eq!(now.event, delivery.event);
        assert_eq!(log.len(), usize::from(attempts));
    }
    let mut again = stores.due(100).await;
    assert_eq!(again.len(), 3);
    let first = again.remove(0);
    stores.tried(&first, answered(200, at(101))).await;
    let found = stores.deliveries().await;
    let found = found.iter().find(|it| it.event.id == first.event.id);
    assert_eq!(found.unwrap().attempts, 1);
}

/// What is asked for alone again goes before whatever waits, and is due since its event.
pub async fn what_is_asked_for_alone_goes_first(stores: &WebhookStores) {
    notified(stores, 3).await;
    let claimed = stores.due(3).await;
    let newest = &claimed[2];
    stores.tried(newest, answered(200, at(4))).await;
    let one = ReplayOf::One(delivery_id(newest));
    assert_eq!(stores.replay(one, 1, at(100)).await, Replayed::Done(1));
    let claim = ports::webhooks::DeliveryClaim {
        limit: 1,
        ..delivery_claim(at(100))
    };
    let first = stores.take(&claim).await;
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].delivery.event, newest.event);
}

/// However often it is asked for again, only the newest attempts are listed, oldest first.
pub async fn of_many_attempts_the_newest_are_shown(stores: &WebhookStores) {
    notified(stores, 1).await;
    let claimed = stores.due(1).await;
    let mut made = Vec::new();
    for round in 1..=3 {
        let mut delivery = stores.deliveries().await.remove(0);
        for n in 1..=u64::from(ATTEMPTS_MAX) {
            let attempt = answered(500, at(round * 1_000 + n));
            made.push(attempt.clone());
            stores.tried(&delivery, attempt).await;
            delivery.attempts += 1;
        }
        let what = ReplayOf::One(delivery_id(&claimed[0]));
        let again = stores.replay(what, 1, at(round * 1_000 + 900)).await;
        assert_eq!(again, Replayed::Done(1));
    }
    let (_, shown) = stores.only().await;
    let newest = made.split_off(made.len() - ATTEMPTS_SHOWN);
    assert_eq!(shown, as_kept(newest, ATTEMPTS_SHOWN - 1));
}

/// The pages of one endpoint skip the deliveries of another in between.
pub async fn a_page_of_an_endpoint_is_read_from_either_end(stores: &WebhookStores) {
    notified(stores, 2).await;
    assert_eq!(stores.announce(None, &observation(4, 4)).await, 2);
    assert_eq!(stores.announce(None, &observation(3, 4)).await, 2);
    for delivery in stores.due(9).await {
        park(stores, &delivery).await;
    }
    let page = |parked, offset, sort| DeliveryQuery {
        endpoint: Some(endpoint_id(1)),
        parked,
        offset,
        length: 2,
        sort,
    };
    for parked in [false, true] {
        for (offset, sort, expected) in [
            (0, Sort::Ascending, ["evt_1", "evt_2"]),
            (2, Sort::Ascending, ["evt_3", "evt_4"]),
            (0, Sort::Descending, ["evt_4", "evt_3"]),
            (2, Sort::Descending, ["evt_2", "evt_1"]),
        ] {
            let (names, total, found) = listed(stores, &page(parked, offset, sort)).await;
            assert_eq!(names, expected);
            assert_eq!((total, found), (6, 4));
        }
    }
}

/// A replay covers every delivery of an endpoint from one moment until before another.
pub async fn a_range_is_asked_for_again_without_its_end(stores: &WebhookStores) {
    notified(stores, 5).await;
    assert_eq!(stores.announce(Some(2), &observation(9, 3)).await, 1);
    for delivery in stores.due(9).await {
        stores.tried(&delivery, answered(200, at(10))).await;
    }
    let range = |from, until| ReplayOf::Range {
        endpoint: endpoint_id(1),
        from: at(from),
        until: at(until),
    };
    assert_eq!(
        stores.replay(range(2, 4), 2, at(20)).await,
        Replayed::Done(2)
    );
    assert_eq!(stores.due_names(20).await, ["evt_2", "evt_3"]);
    for empty in [range(6, 9), range(4, 4), range(4, 2)] {
        assert_eq!(stores.replay(empty, 2, at(20)).await, Replayed::Done(0));
    }
}

/// Too many are not asked for at all.
pub async fn more_than_may_be_asked_for_together_are_not(stores: &WebhookStores) {
    notified(stores, 5).await;
    let claimed = stores.due(5).await;
    let results: Vec<_> = claimed
        .iter()
        .map(|it| ended(it, answered(200, at(6))))
        .collect();
    stores.record(&results).await;
    let all = || ReplayOf::Range {
        endpoint: endpoint_id(1),
        from: at(0),
        until: at(100),
    };
    assert_eq!(stores.replay(all(), 4, at(20)).await, Replayed::TooMany);
    let one = ReplayOf::One(delivery_id(&claimed[0]));
    assert_eq!(stores.replay(one, 0, at(20)).await, Replayed::TooMany);
    assert_eq!(stores.due_names(20).await, [""; 0]);
    assert_eq!(stores.replay(all(), 5, at(20)).await, Replayed::Done(5));
    assert_eq!(stores.due(20).await.len(), 5);
}

/// What is not there cannot be asked for, and neither can what another account has.
pub async fn what_is_not_there_cannot_be_asked_for_again(stores: &WebhookStores) {
    notified(stores, 1).await;
    stores.has_account("kiosk", "1.00").await;
    stores.has(&endpoint("kiosk", 3)).await;
    let one = |endpoint, name: &str| {
        ReplayOf::One(DeliveryId {
            endpoint: endpoint_id(endpoint),
            event: WebhookEventId::parse(name).expect("the name of an event"),
        })
    };
    let longest = format!("evt_{}", "9".repeat(44));
    for what in [
        one(1, "evt_2"),
        one(1, "evt_1_2"),
        one(1, "evt_01"),
        one(1, "evt_1_0"),
        one(1, &longest),
        one(2, "evt_1"),
        one(3, "evt_1"),
        ReplayOf::Range {
            endpoint: endpoint_id(3),
            from: at(0),
            until: at(9),
        },
    ] {
        let reported = stores.replay(what.clone(), 9, at(20)).await;
        assert_eq!(reported, Replayed::Unknown, "{what:?}");
    }
}

/// An event of a transaction goes by its name, and keeps what it shows.
pub async fn an_event_that_is_asked_for_again_shows_what_it_showed(stores: &WebhookStores) {
    notified(stores, 0).await;
    let tx = stores.has_opened(&airtime().nth(7)).await;
    stores.has_applied(&tx, &delivered(&tx), at(3)).await;
    let before = stores.due(3).await;
    for delivery in &before {
        stores.tried(delivery, answered(200, at(4))).await;
    }
    let what = ReplayOf::One(DeliveryId {
        endpoint: endpoint_id(2),
        event: event_id(7, 2),
    });
    assert_eq!(stores.replay(what, 1, at(9)).await, Replayed::Done(1));
    let again = stores.due(9).await;
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].endpoint, endpoint_id(2));
    assert_eq!(again[0].event, before[0].event);
}

/// What was delivered long enough ago is forgotten, so many at a time; what was not stays.
pub async fn only_what_was_delivered_is_forgotten(stores: &WebhookStores) {
    notified(stores, 6).await;
    let claimed = stores.due(6).await;
    for (n, delivery) in (10..).zip(&claimed[..3]) {
        stores.tried(delivery, answered(200, at(n))).await;
    }
    park(stores, &claimed[3]).await;
    stores.tried(&claimed[4], answered(500, at(20))).await;
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(20));
    stores.change(1, asked).await;

    let end = answered(200, at(12)).ended_at();
    let forget = async |before, most| {
        let forgotten = stores.outbox.forget_delivered(before, most).await;
        forgotten.expect("forget")
    };
    assert_eq!(forget(at(10), 9).await, 0);
    assert_eq!(forget(end, 1).await, 1);
    assert_eq!(forget(end, 9).await, 1);
    assert_eq!(forget(end, 9).await, 0);
    assert_eq!(stores.deliveries().await.len(), 4);
    assert_eq!(forget(at(1_000_000), 9).await, 1);
    let left = stores.deliveries().await;
    assert_eq!(names(&left), ["evt_4", "evt_5", "evt_6"]);
    stores.must_be_clean(at(30)).await;
}

/// Beyond what an account may store its oldest deliveries go, made or not, and no other account's.
pub async fn what_an_account_has_beyond_its_quota_is_forgotten(stores: &WebhookStores) {
    notified(stores, 6).await;
    stores.has_account("kiosk", "1.00").await;
    stores.has(&endpoint("kiosk", 1)).await;
    let theirs = ping(1, at(1));
    let kiosk = account_id("kiosk");
    let announced = stores.outbox.announce(&kiosk, None, &theirs).await;
    assert_eq!(announced.unwrap(), 1);
    let claimed = stores.due(9).await;
    let last = claimed.iter().find(|it| it.event.id.as_str() == "evt_6");
    stores.tried(last.unwrap(), answered(200, at(10))).await;
    let excess = async |kept| {
        let excess = stores.outbox.excess(NonZeroU32::new(kept).unwrap()).await;
        excess.expect("count the deliveries of accounts")
    };

    let none: [StorageExcess; 0] = [];
    assert_eq!(excess(7).await, none);
    let found = excess(2).await;
    let all = stores.deliveries().await;
    let before = all[all.len() - 2].event.at;
    let account = account_id("shop");
    assert_eq!(found, [StorageExcess { account, before }]);
    let forget = async |most| {
        let forgotten = stores.outbox.forget_excess(&found[0], most).await;
        forgotten.expect("forget what is beyond")
    };
    assert_eq!(forget(3).await, 3);
    assert_eq!(forget(3).await, 1);
    assert_eq!(forget(3).await, 0);
    assert_eq!(stores.deliveries().await, all[all.len() - 2..]);
    let kept = stores.page("kiosk", &delivery_query()).await;
    assert_eq!(kept.deliveries.len(), 1);
    stores.must_be_clean(at(30)).await;
}
