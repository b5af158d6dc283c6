//! The law of what waits for endpoints.

use super::listing::{notified, observation, park};
use super::setup::WebhookStores;
use crate::builders::{account_id, answered, at, delivery_claim, endpoint_id};
use ports::backlog::{EndpointBacklog, WebhookBacklog};

/// Each endpoint by what waits for it, the longest waiting first; what was delivered does not wait,
/// nor what is attempted no more.
pub async fn what_waits_for_endpoints_is_counted(stores: &WebhookStores) {
    let nothing = WebhookBacklog::default();
    assert_eq!(stores.backlog.webhook_events(9).await.unwrap(), nothing);
    notified(stores, 3).await;
    assert_eq!(stores.announce(Some(2), &observation(7, 2)).await, 1);
    assert_eq!(stores.announce(Some(2), &observation(8, 9)).await, 1);
    let due = stores.take(&delivery_claim(at(10))).await;
    let named = |name: &str| {
        due.iter()
            .find(|it| it.delivery.event.id.to_string() == name)
    };
    let first = &named("evt_1").expect("the first").delivery;
    stores.tried(first, answered(200, at(10))).await;
    park(stores, &named("evt_2").expect("the second").delivery).await;
    let behind = |endpoint, waiting, oldest| EndpointBacklog {
        account: account_id("shop"),
        endpoint: endpoint_id(endpoint),
        waiting,
        oldest_at: at(oldest),
    };
    let all = WebhookBacklog {
        waiting: 3,
        oldest_at: Some(at(2)),
        given_up: 1,
        behind: vec![behind(2, 2, 2), behind(1, 1, 3)],
    };
    assert_eq!(stores.backlog.webhook_events(9).await.unwrap(), all);
    let shown = WebhookBacklog {
        behind: vec![behind(2, 2, 2)],
        ..all
    };
    assert_eq!(stores.backlog.webhook_events(1).await.unwrap(), shown);
}
