//! Laws of endpoints. One of another account must never be found, changed or removed.

use super::setup::WebhookStores;
use crate::builders::{
    account_id, answered, at, delivery_query, disabled_event, endpoint, endpoint_for, endpoint_id,
    ping,
};
use domain::webhook::{
    DeliveryId, DisabledBecause, ENDPOINTS_MAX, Endpoint, EndpointHealth, EndpointState,
    SecretVersion, Topic,
};
use ports::webhooks::{DeliveryQuery, EndpointChange, EndpointRegistration, ReplayOf, Replayed};
use std::sync::Arc;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

/// Whatever an endpoint can be, it reads back so.
pub async fn an_endpoint_reads_back_as_it_was_registered(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    let all = endpoint("shop", 3);
    let some = Endpoint {
        with_tokens: true,
        description: "Ìbàdàn \"two\"".into(),
        created_at: at(1),
        ..endpoint_for("shop", 2, &[Topic::Ping, Topic::TransactionFailed])
    };
    let nothing = Endpoint {
        description: String::new(),
        created_at: at(2),
        ..endpoint_for("shop", 1, &[])
    };
    let gone = Endpoint {
        generation: SecretVersion::FIRST.next(7),
        peppers_before: [4, 2],
        rotated_at: Some(at(5)),
        rotated_before: Some(at(4)),
        health: EndpointHealth {
            state: EndpointState::Disabled {
                because: DisabledBecause::Gone,
                at: at(7),
            },
            failing_since: Some(at(6)),
        },
        created_at: at(3),
        ..endpoint("shop", endpoint_id(9_007_199_254_740_991).get())
    };
    for it in [&gone, &nothing, &some, &all] {
        stores.has(it).await;
    }
    // The order is that of their making.
    assert_eq!(
        stores.endpoints_of("shop").await,
        [all, some, nothing, gone]
    );
}

/// A number names one endpoint of an account; another account may use it too.
pub async fn the_number_of_an_endpoint_is_taken_once_in_its_account(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    let first = endpoint("shop", 7);
    stores.has(&first).await;
    let again = Endpoint {
        description: "another".into(),
        ..first.clone()
    };
    assert_eq!(stores.register(&again).await, EndpointRegistration::IdTaken);
    stores.has(&endpoint("kiosk", 7)).await;
    assert_eq!(stores.endpoints_of("shop").await, [first]);
}

/// A registration for an unknown account is refused.
pub async fn an_unknown_account_registers_no_endpoint(stores: &WebhookStores) {
    let ghost = endpoint("ghost", 1);
    assert_eq!(
        stores.register(&ghost).await,
        EndpointRegistration::AccountUnknown
    );
    assert_eq!(stores.endpoints_of("ghost").await, []);
}

/// The limit is reported before a number that is taken: another number would not help.
pub async fn an_account_has_so_many_endpoints_and_no_more(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    for id in 1..=ENDPOINTS_MAX as u64 {
        stores.has(&endpoint("shop", id)).await;
    }
    for id in [1, 1_000] {
        let more = endpoint("shop", id);
        assert_eq!(stores.register(&more).await, EndpointRegistration::TooMany);
    }
    stores.has(&endpoint("kiosk", 1)).await;
    assert!(stores.remove(1, at(1)).await);
    stores.has(&endpoint("shop", 1_000)).await;
}

/// 40 registrations at one moment: as many are stored as an account may have.
pub async fn the_limit_of_endpoints_holds_at_once(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    let start = Arc::new(Barrier::new(40));
    let mut tasks = JoinSet::new();
    for id in 1..=40 {
        let (stores, start) = (stores.clone(), start.clone());
        tasks.spawn(async move {
            start.wait().await;
            stores.register(&endpoint("shop", id)).await
        });
    }
    let verdicts = tasks.join_all().await;
    let count = |wanted| verdicts.iter().filter(|it| **it == wanted).count();
    assert_eq!(count(EndpointRegistration::Done), ENDPOINTS_MAX);
    assert_eq!(count(EndpointRegistration::TooMany), 40 - ENDPOINTS_MAX);
    assert_eq!(stores.endpoints_of("shop").await.len(), ENDPOINTS_MAX);
}

/// Every operation treats another account's endpoint as absent.
pub async fn an_endpoint_is_its_accounts_alone(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    let theirs = endpoint("kiosk", 1);
    stores.has(&theirs).await;
    let kiosk = account_id("kiosk");
    let reported = stores.outbox.announce(&kiosk, None, &ping(5, at(1))).await;
    assert_eq!(reported.unwrap(), 1);

    for change in [
        EndpointChange::Rotate(at(2), 1),
        EndpointChange::Disable(DisabledBecause::ByMerchant, at(2)),
        EndpointChange::Enable(at(2)),
    ] {
        assert_eq!(stores.change(1, change).await, None);
    }
    assert!(!stores.remove(1, at(2)).await);
    assert_eq!(stores.announce(Some(1), &ping(6, at(2))).await, 0);
    let range = ReplayOf::Range {
        endpoint: endpoint_id(1),
        from: at(0),
        until: at(9),
    };
    assert_eq!(stores.replay(range, 9, at(3)).await, Replayed::Unknown);
    let page = stores.page("shop", &delivery_query()).await;
    assert_eq!((page.deliveries, page.total, page.found), (vec![], 0, 0));
    assert_eq!(stores.endpoints_of("shop").await, []);
    assert_eq!(stores.endpoints_of("kiosk").await, [theirs]);
    assert_eq!(stores.page("kiosk", &delivery_query()).await.total, 1);
}

/// Each change answers the endpoint as it is afterwards, and is what is read then.
pub async fn a_rotation_makes_the_next_secret(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    let made = endpoint("shop", 1);
    stores.has(&made).await;
    let mut expected = made.clone();
    for (second, pepper) in [(5, 1), (6, 3)] {
        expected.peppers_before = [expected.generation.pepper(), expected.peppers_before[0]];
        expected.generation = expected.generation.next(pepper);
        expected.rotated_before = expected.rotated_at.replace(at(second));
        let change = EndpointChange::Rotate(at(second), pepper);
        let rotated = stores.change(1, change).await;
        assert_eq!(rotated.as_ref(), Some(&expected));
        assert_eq!(stores.endpoints_of("shop").await, [expected.clone()]);
    }
    assert_eq!(
        stores.change(2, EndpointChange::Rotate(at(7), 1)).await,
        None
    );
}

/// A third secret within a day of the first change would end the signing with the first one.
pub async fn a_third_rotation_within_a_day_changes_nothing(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let day = 24 * 3_600;
    let rotate = async |second| {
        let rotated = stores
            .change(1, EndpointChange::Rotate(at(second), 1))
            .await;
        rotated.expect("it is there").generation.number()
    };
    assert_eq!(rotate(5).await, 2);
    assert_eq!(rotate(6).await, 3);
    assert_eq!(rotate(7).await, 3);
    assert_eq!(rotate(day + 4).await, 3);
    assert_eq!(rotate(day + 5).await, 4);
    assert_eq!(rotate(day + 5).await, 4);
}

/// What is so already stays as it is: the first cause is the one that counts.
pub async fn disabling_twice_keeps_the_first_cause(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    let made = endpoint("shop", 1);
    stores.has(&made).await;
    let enabled = stores.change(1, EndpointChange::Enable(at(1))).await;
    assert_eq!(enabled, Some(made.clone()));
    let disabled = Endpoint {
        health: EndpointHealth {
            state: EndpointState::Disabled {
                because: DisabledBecause::Failing,
                at: at(2),
            },
            failing_since: None,
        },
        ..made.clone()
    };
    let causes = DisabledBecause::ALL.into_iter().rev();
    for (second, because) in (2..).zip(causes) {
        let change = EndpointChange::Disable(because, at(second));
        let now = stores.change(1, change).await;
        assert_eq!(now.as_ref(), Some(&disabled));
        assert_eq!(
            stores.endpoints_of("shop").await,
            std::slice::from_ref(&disabled)
        );
    }
    let enabled = stores.change(1, EndpointChange::Enable(at(9))).await;
    assert_eq!(enabled.as_ref(), Some(&made));
    assert_eq!(stores.endpoints_of("shop").await, [made]);
}

/// Nothing is recorded while it is disabled; what waited is due the moment it is enabled again.
pub async fn what_waited_is_due_at_once_when_an_endpoint_is_enabled(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    let failing = Endpoint {
        health: EndpointHealth {
            failing_since: Some(at(0)),
            ..EndpointHealth::GOOD
        },
        ..endpoint("shop", 1)
    };
    stores.has(&failing).await;
    // Unlike a trial, it waits from its moment on.
    let observation = |n, second| disabled_event(n, 9, at(second));
    assert_eq!(stores.announce(None, &observation(11, 1)).await, 1);
    assert_eq!(stores.announce(None, &observation(12, 900)).await, 1);
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(0));
    stores.change(1, asked).await;
    assert_eq!(stores.announce(None, &ping(13, at(3))).await, 0);
    assert_eq!(stores.announce(Some(1), &ping(14, at(3))).await, 0);
    assert_eq!(stores.due_names(1_000).await, [""; 0]);
    assert_eq!(stores.deliveries().await.len(), 2);

    let enabled = stores.change(1, EndpointChange::Enable(at(10))).await;
    assert_eq!(enabled, Some(endpoint("shop", 1)));
    // What was due already keeps its place.
    stores.has(&endpoint("shop", 2)).await;
    assert_eq!(stores.announce(Some(2), &observation(15, 5)).await, 1);
    assert_eq!(stores.due_names(10).await, ["evt_11", "evt_15", "evt_12"]);
}

/// Removing an endpoint removes its deliveries and no others.
pub async fn removing_an_endpoint_removes_what_was_for_it(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    for id in [1, 2] {
        stores.has(&endpoint("shop", id)).await;
    }
    assert_eq!(stores.announce(None, &ping(11, at(1))).await, 2);
    let first = &stores.due(1).await[0];
    stores.tried(first, answered(500, at(2))).await;
    assert!(stores.remove(1, at(3)).await);
    assert!(!stores.remove(1, at(4)).await);
    let left = stores.deliveries().await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].endpoint, endpoint_id(2));
    // What was on its way then is not there any more, and harms nothing.
    stores.tried(first, answered(500, at(3))).await;
    assert_eq!(stores.deliveries().await, left);
    stores.must_be_clean(at(30)).await;
}

/// Every operation treats a removed endpoint as absent, though its rows are not deleted yet.
pub async fn a_removed_endpoint_is_found_by_no_operation(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    stores.has(&endpoint("shop", 1)).await;
    assert_eq!(stores.announce(None, &ping(11, at(1))).await, 1);
    assert!(stores.remove(1, at(3)).await);
    assert_eq!(stores.endpoints_of("shop").await, []);
    for change in [
        EndpointChange::Rotate(at(4), 1),
        EndpointChange::Disable(DisabledBecause::ByMerchant, at(4)),
        EndpointChange::Enable(at(4)),
    ] {
        assert_eq!(stores.change(1, change).await, None);
    }
    assert_eq!(stores.due_names(1_000).await, [""; 0]);
    assert_eq!(stores.announce(None, &ping(12, at(4))).await, 0);
    assert_eq!(stores.announce(Some(1), &ping(12, at(4))).await, 0);
    let one = ReplayOf::One(DeliveryId {
        endpoint: endpoint_id(1),
        event: ping(11, at(1)).id,
    });
    let range = ReplayOf::Range {
        endpoint: endpoint_id(1),
        from: at(0),
        until: at(9),
    };
    for what in [one, range] {
        assert_eq!(stores.replay(what, 9, at(5)).await, Replayed::Unknown);
    }
    let to_it = DeliveryQuery {
        endpoint: Some(endpoint_id(1)),
        ..delivery_query()
    };
    for query in [delivery_query(), to_it] {
        let page = stores.page("shop", &query).await;
        assert_eq!((page.deliveries, page.total, page.found), (vec![], 0, 0));
    }
}

/// What was for it goes a part at a time, delivered or not, and then the endpoint: until then its
/// number stays taken.
pub async fn what_was_for_a_removed_endpoint_is_forgotten_a_part_at_a_time(stores: &WebhookStores) {
    stores.has_account("shop", "1.00").await;
    for id in [1, 2] {
        stores.has(&endpoint("shop", id)).await;
    }
    for n in 1..=5 {
        assert_eq!(stores.announce(None, &ping(n, at(n))).await, 2);
    }
    let to_it = stores.due(9).await;
    let to_it = to_it.iter().find(|it| it.endpoint == endpoint_id(1));
    stores.tried(to_it.unwrap(), answered(200, at(9))).await;
    assert!(stores.remove(1, at(20)).await);
    let forget = async |before, most| {
        let forgotten = stores.outbox.forget_delivered(at(before), most).await;
        forgotten.expect("forget")
    };
    assert_eq!(forget(0, 2).await, 2);
    assert_eq!(forget(20, 2).await, 2);
    let again = endpoint("shop", 1);
    assert_eq!(stores.register(&again).await, EndpointRegistration::IdTaken);
    assert_eq!(forget(20, 2).await, 1);
    // A writer that read it just before the removal may still record a delivery to it.
    assert_eq!(stores.register(&again).await, EndpointRegistration::IdTaken);
    assert_eq!(forget(21, 2).await, 0);
    stores.has(&again).await;
    assert_eq!(stores.deliveries().await.len(), 5);
    stores.must_be_clean(at(30)).await;
}
