//! The law of the deliveries of one transaction.

use super::listing::notified;
use super::setup::WebhookStores;
use crate::builders::{account_id, airtime, answered, at, delivered, delivery_query, endpoint_id};
use domain::webhook::EventPayload;

/// What was delivered of a transaction is found by its number alone, each with its attempts; what
/// another transaction or account has is not among it, nor what went to a removed endpoint.
pub async fn deliveries_of_a_transaction_are_found_by_its_number(stores: &WebhookStores) {
    notified(stores, 2).await;
    let opened = |n, second| airtime().nth(n).opened_at(at(second));
    let tx = stores.has_opened(&opened(1, 10)).await;
    let other = stores.has_opened(&opened(2, 20)).await;
    let tx = stores.has_applied(&tx, &delivered(&tx), at(11)).await;
    stores.has_applied(&other, &delivered(&other), at(21)).await;
    let of = async |account: &str, number| {
        let account = account_id(account);
        let found = stores.outbox.deliveries_of(&account, number);
        found.await.expect("list the deliveries of a transaction")
    };
    let all = stores.page("shop", &delivery_query()).await.deliveries;
    let expected: Vec<_> = all
        .into_iter()
        .filter(|(it, _)| {
            let subject = &it.event.subject;
            matches!(subject, EventPayload::Transaction(of) if of.number == tx.number)
        })
        .collect();
    assert!(expected.len() >= 2, "{expected:#?}");
    assert_eq!(of("shop", tx.number).await, expected);

    let first = &expected[0].0;
    stores.tried(first, answered(500, at(12))).await;
    let (now, attempts) = of("shop", tx.number).await.swap_remove(0);
    assert_eq!((now.attempts, attempts.len()), (1, 1));

    assert!(stores.remove(2, at(30)).await);
    let left = of("shop", tx.number).await;
    assert!(left.iter().all(|(it, _)| it.endpoint == endpoint_id(1)));
    assert_eq!(left.len() * 2, expected.len());
    assert_eq!(of("ghost", tx.number).await, []);
}
