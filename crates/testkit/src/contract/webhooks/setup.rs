//! A store as the laws of webhooks see it. Every helper must panic where a port fails.

use crate::builders::{
    account_id, at, delivery_claim, delivery_query, ended, endpoint_id, noted_change,
};
use crate::contract::storage::Stores;
use domain::time::Timestamp;
use domain::webhook::{Attempt, Delivery, Endpoint, EndpointId, WebhookEvent, WebhookEventId};
use ports::webhooks::{
    AttemptResult, Claimed, DeliveryClaim, DeliveryPage, DeliveryQuery, EndpointChange,
    EndpointDisabled, EndpointRegistration, Endpoints, LatestDue, Outbox, Replay, ReplayOf,
    Replayed,
};
use std::ops::Deref;
use std::sync::Arc;

/// The storage ports of one store, with those of webhooks.
#[derive(Debug, Clone)]
pub struct WebhookStores {
    /// Everything else.
    pub stores: Stores,
    /// Its endpoints.
    pub endpoints: Arc<dyn Endpoints>,
    /// What it has to deliver.
    pub outbox: Arc<dyn Outbox>,
}

impl Deref for WebhookStores {
    type Target = Stores;

    fn deref(&self) -> &Stores {
        &self.stores
    }
}

impl WebhookStores {
    /// The ports of a store beside its others.
    pub fn of<S: Endpoints + Outbox + 'static>(stores: Stores, store: Arc<S>) -> Self {
        Self {
            stores,
            endpoints: store.clone(),
            outbox: store,
        }
    }

    /// What becomes of registering an endpoint.
    pub async fn register(&self, endpoint: &Endpoint) -> EndpointRegistration {
        let registered = self
            .endpoints
            .register(endpoint, &noted_change("shop"))
            .await;
        registered.expect("register an endpoint")
    }

    /// Registers an endpoint, which must succeed.
    pub async fn has(&self, endpoint: &Endpoint) {
        assert_eq!(self.register(endpoint).await, EndpointRegistration::Done);
    }

    /// The endpoints of an account.
    pub async fn endpoints_of(&self, account: &str) -> Vec<Endpoint> {
        let found = self.endpoints.endpoints(&account_id(account)).await;
        found.expect("list the endpoints")
    }

    /// Changes an endpoint of `shop`.
    pub async fn change(&self, id: u64, change: EndpointChange) -> Option<Endpoint> {
        let shop = account_id("shop");
        let noted = noted_change("shop");
        let changed = self
            .endpoints
            .change((&shop, endpoint_id(id)), change, &noted);
        changed.await.expect("change an endpoint")
    }

    /// Removes an endpoint of `shop`; whether there was one.
    pub async fn remove(&self, id: u64, now: Timestamp) -> bool {
        let shop = account_id("shop");
        let noted = noted_change("shop");
        let removed = self.endpoints.remove((&shop, endpoint_id(id)), now, &noted);
        removed.await.expect("remove an endpoint")
    }

    /// What a claim takes.
    pub async fn take(&self, claim: &DeliveryClaim) -> Vec<Claimed> {
        let claimed = self.outbox.claim_deliveries(claim).await;
        claimed.expect("claim deliveries")
    }

    /// What is due at a second and may be claimed, as deliveries.
    pub async fn due(&self, second: u64) -> Vec<Delivery> {
        let claimed = self.take(&delivery_claim(at(second))).await;
        claimed.into_iter().map(|it| it.delivery).collect()
    }

    /// The names of what is due at a second and may be claimed.
    pub async fn due_names(&self, second: u64) -> Vec<String> {
        names(&self.due(second).await)
    }

    /// Records attempts.
    pub async fn record(&self, ended: &[AttemptResult]) -> Vec<EndpointDisabled> {
        let recorded = self.outbox.record_attempts(ended).await;
        recorded.expect("record attempts")
    }

    /// Records the next attempt at a delivery, and answers what was given up by it.
    pub async fn tried(&self, delivery: &Delivery, attempt: Attempt) -> Vec<EndpointDisabled> {
        self.record(&[ended(delivery, attempt)]).await
    }

    /// Announces an event to one endpoint of `shop`, or to all subscribed ones.
    pub async fn announce(&self, only: Option<u64>, event: &WebhookEvent) -> u64 {
        let shop = account_id("shop");
        let reported = self.outbox.announce(&shop, only.map(endpoint_id), event);
        reported.await.expect("announce an event")
    }

    /// The endpoint of an account for which an event of a name is recorded.
    pub async fn announced_to(&self, account: &str, name: &str) -> Option<u64> {
        let name = WebhookEventId::parse(name).expect("the name of an event");
        let account = account_id(account);
        let found = self.outbox.announced_to(&account, &name).await;
        found.expect("look for an event").map(EndpointId::get)
    }

    /// A part of an account's deliveries.
    pub async fn page(&self, account: &str, query: &DeliveryQuery) -> DeliveryPage {
        let page = self.outbox.deliveries(&account_id(account), query).await;
        page.expect("list the deliveries")
    }

    /// The deliveries of `shop`, oldest first.
    pub async fn deliveries(&self) -> Vec<Delivery> {
        let page = self.page("shop", &delivery_query()).await;
        page.deliveries.into_iter().map(|(it, _)| it).collect()
    }

    /// The only delivery of `shop`, with its attempts.
    pub async fn only(&self) -> (Delivery, Vec<Attempt>) {
        let mut page = self.page("shop", &delivery_query()).await;
        assert_eq!(page.deliveries.len(), 1, "{page:#?}");
        page.deliveries.remove(0)
    }

    /// The only delivery of `shop` for an event of that name.
    pub async fn only_named(&self, name: &str) -> Delivery {
        let mut all = self.deliveries().await;
        all.retain(|it| it.event.id.as_str() == name);
        assert_eq!(all.len(), 1, "{all:#?}");
        all.remove(0)
    }

    /// Brings forward what is due too far away; answers how many.
    pub async fn bound_due(&self, latest: LatestDue, most: u32) -> u64 {
        let bounded = self.outbox.bound_due(latest, most).await;
        bounded.expect("deliveries are bounded")
    }

    /// Asks for deliveries of `shop` again.
    pub async fn replay(&self, what: ReplayOf, most: u64, now: Timestamp) -> Replayed {
        let replay = Replay { what, most, now };
        let shop = account_id("shop");
        let replayed = self.outbox.replay(&shop, &replay);
        replayed.await.expect("replay")
    }
}

/// The names of the events of deliveries, in their order.
pub(super) fn names(deliveries: &[Delivery]) -> Vec<String> {
    let names = deliveries.iter().map(|it| it.event.id.to_string());
    names.collect()
}

/// Attempts as they are kept: with what was answered to one of them alone, the last that counted.
pub(super) fn as_kept(mut attempts: Vec<Attempt>, last: usize) -> Vec<Attempt> {
    for (place, attempt) in attempts.iter_mut().enumerate() {
        if let Ok(answer) = &mut attempt.result
            && place != last
        {
            answer.excerpt.clear();
        }
    }
    attempts
}

/// The name of an event of a transaction.
pub(super) fn event_id(number: u64, sequence: u32) -> WebhookEventId {
    WebhookEventId::parse(&format!("evt_{number}_{sequence}")).expect("the name of an event")
}
