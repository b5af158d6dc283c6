//! What an endpoint that cannot be read keeps from the others: nothing. It must be damaged behind
//! the back of the store, which never writes such a row.

use crate::support::{raw, shop_with};
use domain::webhook::DeliveryState;
use ports::webhooks::{Endpoints, Outbox, Registered};
use testkit::builders::{
    account_id, answered, at, delivery_claim, delivery_query, ended, endpoint, endpoint_id, ping,
};

#[tokio::test]
async fn results_of_an_endpoint_that_cannot_be_read_keep_no_others_from_being_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    for id in [1, 2] {
        let made = store.register(&endpoint("shop", id)).await;
        assert_eq!(made.unwrap(), Registered::Done);
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
    let damage = "UPDATE endpoints SET generation = -1 WHERE id = 1";
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
