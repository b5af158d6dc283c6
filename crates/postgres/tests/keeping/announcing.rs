//! What is not visible through the ports: how many delivered events are kept, and that an endpoint
//! that cannot be read does not affect the others. The test must damage the row directly, because
//! the store never writes such a row.

use crate::least_privilege::{role, url};
use crate::stage::{database, has_account, open};
use domain::webhook::{ATTEMPTS_SHOWN, DeliveryState};
use ports::webhooks::{
    AttemptResult, EndpointRegistration, Endpoints, Outbox, Replay, ReplayOf, Replayed,
};
use postgres::migrate;
use postgres_cluster::TestDatabase;
use testkit::builders::{
    account_id, answered, at, delivery_claim, delivery_id, delivery_query, ended, endpoint,
    endpoint_id, ping,
};

#[tokio::test]
async fn results_of_an_endpoint_that_cannot_be_read_keep_no_others_from_being_recorded() {
    let database = database().await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "1.00").await;
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
    let reported = store.announce(&shop, None, &ping(1, at(1))).await;
    assert_eq!(reported.unwrap(), 2);
    let claimed = store.claim_deliveries(&delivery_claim(at(2))).await;
    let claimed = claimed.unwrap().into_iter();
    let results = claimed.map(|it| ended(&it.delivery, answered(200, at(3))));
    let results: Vec<_> = results.collect();
    assert_eq!(results.len(), 2);
    let _ = database.psql("UPDATE endpoints SET secret_version = -1 WHERE id = 1;");

    assert_eq!(store.record_attempts(&results).await.unwrap(), []);
    let page = store.deliveries(&shop, &delivery_query()).await.unwrap();
    assert_eq!(page.deliveries.len(), 2);
    for (delivery, attempts) in page.deliveries {
        let made = matches!(delivery.state, DeliveryState::Delivered(_));
        assert_eq!(made, delivery.endpoint == endpoint_id(2));
        assert_eq!(attempts.len(), usize::from(made));
    }
}

/// How many attempts are kept of the delivery of an event.
fn attempts(database: &TestDatabase, number: i64) -> i64 {
    let count = format!("SELECT count(*) FROM delivery_attempts WHERE number = {number};");
    database.psql(&count).parse().unwrap()
}

/// Attempts of a delivery that is asked for again and again are kept as far as they are shown:
/// those that were kept before go a few at a time, and those of another delivery stay.
#[tokio::test]
async fn of_a_delivery_that_is_asked_for_again_and_again_so_many_attempts_are_kept() {
    let database = database().await;
    // What is shown no more goes in the least role too.
    let role = role(&database);
    migrate(&database.url(), &crate::least_privilege::server(&role))
        .await
        .unwrap();
    let store = open(&url(&database, &role)).await;
    has_account(&*open(&database.url()).await, "shop", "1.00").await;
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
            kept.push(attempts(&database, 1));
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
    let others = attempts(&database, 2);
    assert_eq!(others, 30);
}
