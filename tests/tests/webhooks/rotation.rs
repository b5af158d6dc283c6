//! Changing a secret while events keep coming.

use crate::receiver::Receiver;
use crate::shop::Shop;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_changed_without_a_delivery_that_is_refused() {
    let (shop, receiver) = (Shop::open(), Receiver::start().await);
    let endpoint = shop.tells(&receiver).await;
    shop.buy("before", "4567").await;
    receiver.told("transaction.successful", "before").await;
    let rotate = json!({"whkIdentifier": endpoint.id});
    let rotated = shop
        .merchant
        .post("/webhook/rotate", &rotate)
        .await
        .with_status(200);
    let next = rotated.text("whkSecret");
    assert_ne!(next, endpoint.secret);
    // The receiver still has the old secret.
    shop.buy("between", "4567").await;
    receiver.told("transaction.successful", "between").await;
    receiver.trust(&[&next]);
    shop.buy("after", "4567").await;
    receiver.told("transaction.successful", "after").await;
    assert_eq!(receiver.refused(), 0);
}
