//! Changing a secret while events keep coming.

use crate::receiver::WebhookReceiver;
use crate::shop::WebhookShop;
use serde_json::json;

/// Payments under each secret: some are delivered while the secret changes.
const UNDER_EACH: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_changed_twice_while_events_come_without_one_that_is_refused() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    let endpoint = shop.tells(&receiver).await;
    let rotated = json!({"whkIdentifier": endpoint.id});
    let buying = async {
        for payment in 0..3 * UNDER_EACH {
            assert_eq!(shop.buy(&format!("order-{payment}"), "4567").await, 200);
        }
    };
    let changing = async {
        let mut secrets = vec![endpoint.secret.clone()];
        for change in 1..=2 {
            receiver
                .received(change * UNDER_EACH - UNDER_EACH / 2)
                .await;
            let answer = shop.merchant.post("/webhook/rotate", &rotated).await;
            let next = answer.with_status(200).text("whkSecret");
            assert!(!secrets.contains(&next));
            // The receiver learns it some events later.
            receiver.received(change * UNDER_EACH).await;
            receiver.trust(&[&next]);
            secrets.push(next);
        }
    };
    tokio::join!(buying, changing);
    for payment in 0..3 * UNDER_EACH {
        let reference = format!("order-{payment}");
        receiver
            .reported("transaction.successful", &reference)
            .await;
    }
    assert_eq!(receiver.refused(), 0);
}
