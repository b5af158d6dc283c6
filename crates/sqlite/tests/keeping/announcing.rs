//! What is not visible through the ports: how many delivered events are kept, and that an endpoint
//! that cannot be read does not affect the others. The test must damage the row directly, because
//! the store never writes such a row.

use crate::cipher::cipher;
use crate::support::{raw, shop_with};
use domain::webhook::{ATTEMPTS_SHOWN, DeliveryState};
use ports::webhooks::{
    AttemptResult, EndpointRegistration, Endpoints, Outbox, Replay, ReplayOf, Replayed,
};
use sqlite::{SqliteOptions, SqliteStore};
use sqlx::sqlite::SqliteConnection;
use testkit::builders::{
    account_id, answered, at, delivery_claim, delivery_id, delivery_query, ended, endpoint,
    endpoint_id, ping,
};

#[tokio::test]
async fn results_of_an_endpoint_that_cannot_be_read_keep_no_others_from_being_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    for id in [1, 2] {
        let made = store
            .register(
                &endpoint("shop", id),
                &testkit::builders::noted_change("shop"),
            )
            .await;
        assert_eq!(made.unwrap(), EndpointRegistration::Done);
    }
    let shop = account_id("shop");
    assert_eq!(
        store.announce(&shop, None, &ping(1, at(1))).await.unwrap(),
        2
    );
    let claimed = store
        .claim_deliveries(&delivery_claim(at(2)))
        .await
        .unwrap();
    let results = claimed.iter();
    let results = results.map(|it| ended(&it.delivery, answered(200, at(3))));
    let results: Vec<_> = results.collect();
    assert_eq!(results.len(), 2);
    let damage = "UPDATE endpoints SET secret_version = -1 WHERE id = 1";
    let mut connection = raw(dir.path()).await;
    sqlx::raw_sql(damage)
        .execute(&mut connection)
        .await
        .unwrap();

    assert_eq!(store.record_attempts(&results).await.unwrap(), []);
    let page = store.deliveries(&shop, &delivery_query()).await.unwrap();
    for (delivery, attempts) in page.deliveries {
        let made = matches!(delivery.state, DeliveryState::Delivered(_));
        assert_eq!(made, delivery.endpoint == endpoint_id(2));
        assert_eq!(attempts.len(), usize::from(made));
    }
}

/// A claim ends with its process: only one process serves a folder at a time.
#[tokio::test]
async fn what_a_process_that_died_had_claimed_is_due_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let made = store
        .register(
            &endpoint("shop", 1),
            &testkit::builders::noted_change("shop"),
        )
        .await;
    assert_eq!(made.unwrap(), EndpointRegistration::Done);
    let shop = account_id("shop");
    store.announce(&shop, None, &ping(1, at(1))).await.unwrap();
    let claim = delivery_claim(at(2));
    assert_eq!(store.claim_deliveries(&claim).await.unwrap().len(), 1);
    assert_eq!(store.claim_deliveries(&claim).await.unwrap().len(), 0);
    std::mem::forget(store);
    let next = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    assert_eq!(next.claim_deliveries(&claim).await.unwrap().len(), 1);
}

/// A command beside the server asks for a delivery again that the server holds.
#[tokio::test]
async fn what_another_process_asks_for_again_is_due_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let server = shop_with(dir.path(), "1.00").await;
    let made = server
        .register(
            &endpoint("shop", 1),
            &testkit::builders::noted_change("shop"),
        )
        .await;
    assert_eq!(made.unwrap(), EndpointRegistration::Done);
    let shop = account_id("shop");
    server.announce(&shop, None, &ping(1, at(1))).await.unwrap();
    let claim = delivery_claim(at(2));
    let claimed = server.claim_deliveries(&claim).await.unwrap();
    let command = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    let again = Replay {
        what: ReplayOf::One(delivery_id(&claimed[0].delivery)),
        most: 1,
        now: at(3),
    };
    let again = command.replay(&shop, &again).await.unwrap();
    assert_eq!(again, Replayed::Done(1));
    assert_eq!(server.claim_deliveries(&claim).await.unwrap().len(), 1);
    assert_eq!(server.claim_deliveries(&claim).await.unwrap().len(), 0);
}

/// However often results come too late to count, no more of them are kept than are shown.
#[tokio::test]
async fn results_that_come_too_late_are_kept_as_far_as_they_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let mut connection = raw(dir.path()).await;
    let shop = account_id("shop");
    let made = store
        .register(
            &endpoint("shop", 1),
            &testkit::builders::noted_change("shop"),
        )
        .await;
    assert_eq!(made.unwrap(), EndpointRegistration::Done);
    store.announce(&shop, None, &ping(1, at(1))).await.unwrap();
    for n in 0..60 {
        let claimed = store.claim_deliveries(&delivery_claim(at(2 + n))).await;
        let delivery = claimed.unwrap().remove(0).delivery;
        let again = Replay {
            what: ReplayOf::One(delivery_id(&delivery)),
            most: 1,
            now: at(2 + n),
        };
        store.replay(&shop, &again).await.unwrap();
        let late = ended(&delivery, answered(500, at(2 + n)));
        store.record_attempts(&[late]).await.unwrap();
    }
    let shown = i64::try_from(ATTEMPTS_SHOWN).unwrap();
    assert_eq!(attempts(&mut connection, 1).await, shown);
}

/// A delivery that a newer version recorded hides nothing but itself.
#[tokio::test]
async fn a_delivery_that_cannot_be_read_hides_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let made = store
        .register(
            &endpoint("shop", 1),
            &testkit::builders::noted_change("shop"),
        )
        .await;
    assert_eq!(made.unwrap(), EndpointRegistration::Done);
    let shop = account_id("shop");
    for n in 1..=3 {
        store.announce(&shop, None, &ping(n, at(n))).await.unwrap();
    }
    let newer = "DROP TRIGGER deliveries_immutable;
        UPDATE deliveries SET topic = 'account.renamed' WHERE number = 2";
    let mut connection = raw(dir.path()).await;
    sqlx::raw_sql(newer).execute(&mut connection).await.unwrap();
    let page = store.deliveries(&shop, &delivery_query()).await.unwrap();
    let shown = page.deliveries.iter().map(|(it, _)| it.event.id.as_str());
    assert_eq!(shown.collect::<Vec<_>>(), ["evt_1", "evt_3"]);
    assert_eq!((page.total, page.found), (3, 3));
}

/// How many attempts are kept of the delivery of an event.
async fn attempts(connection: &mut SqliteConnection, number: i64) -> i64 {
    let count = "SELECT count(*) FROM delivery_attempts AS a JOIN deliveries AS d
        ON d.id = a.delivery_id WHERE d.number = ?1";
    let count = sqlx::query_scalar(count).bind(number);
    count.fetch_one(connection).await.unwrap()
}

/// Attempts of a delivery that is asked for again and again are kept as far as they are shown:
/// those that were kept before go a few at a time, and those of another delivery stay.
#[tokio::test]
async fn of_a_delivery_that_is_asked_for_again_and_again_so_many_attempts_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let mut connection = raw(dir.path()).await;
    let shop = account_id("shop");
    let made = store
        .register(
            &endpoint("shop", 1),
            &testkit::builders::noted_change("shop"),
        )
        .await;
    assert_eq!(made.unwrap(), EndpointRegistration::Done);
    for n in [1, 2] {
        let reported = store.announce(&shop, None, &ping(n, at(n))).await;
        assert_eq!(reported.unwrap(), 1);
    }
    let claimed = store.claim_deliveries(&delivery_claim(at(2))).await;
    let claimed: Vec<_> = claimed.unwrap().into_iter().map(|it| it.delivery).collect();
    // Both have more attempts than ten a round, which came too late to count.
    let late = AttemptResult {
        number: 0,
        ..ended(&claimed[0], answered(500, at(3)))
    };
    store.record_attempts(&vec![late; 7]).await.unwrap();
    let late = AttemptResult {
        number: 0,
        ..ended(&claimed[1], answered(500, at(3)))
    };
    store.record_attempts(&vec![late; 30]).await.unwrap();

    let mut kept = Vec::new();
    for round in 0..4 {
        for n in 0..10 {
            let mut delivery = claimed[0].clone();
            (delivery.round, delivery.attempts) = (round, n);
            let second = u64::from(round) * 100 + u64::from(n) + 10;
            let result = ended(&delivery, answered(500, at(second)));
            store.record_attempts(&[result]).await.unwrap();
            kept.push(attempts(&mut connection, 1).await);
        }
        let again = Replay {
            what: ReplayOf::One(delivery_id(&claimed[0])),
            most: 1,
            now: at(9),
        };
        let again = store.replay(&shop, &again).await.unwrap();
        assert_eq!(again, Replayed::Done(1));
    }
    let all: Vec<i64> = (8..=27).chain([24, 21, 20]).chain([20; 17]).collect();
    assert_eq!(kept, all);
    let page = store.deliveries(&shop, &delivery_query()).await.unwrap();
    let shown = &page.deliveries[0].1;
    assert_eq!(shown.len(), ATTEMPTS_SHOWN);
    assert_eq!((shown[0].at, shown[19].at), (at(210), at(319)));
    let others = attempts(&mut connection, 2).await;
    assert_eq!(others, 30);
}
