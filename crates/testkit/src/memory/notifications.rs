//! Recording deliveries. The events of a commit must be recorded where it is stored, and nowhere
//! else.

use super::{DeliveryRow, MemoryTables};
use domain::account::AccountId;
use domain::event::Event;
use domain::money::{Currency, Money};
use domain::transaction::Transaction;
use domain::webhook::{
    Delivery, DeliveryState, Endpoint, EndpointId, EventPayload, Topic, WebhookEvent,
    WebhookEventId,
};

impl MemoryTables {
    /// Records an event for every subscribed endpoint.
    pub(super) fn notify(&mut self, tx: &Transaction, event: &Event) {
        let Some(topic) = Topic::of(event.kind) else {
            return;
        };
        let event = WebhookEvent {
            id: WebhookEventId::of_event(event),
            topic,
            sequence: event.sequence,
            at: event.at,
            subject: EventPayload::Transaction(Box::new(tx.clone())),
        };
        self.announce(&tx.account, None, &event);
    }

    /// Records the newest line of a statement for every subscribed endpoint.
    pub(super) fn notify_statement_entry(
        &mut self,
        (account, currency): (&AccountId, Currency),
        below: Option<Money>,
    ) {
        let line = self.statement_lines(account, currency).pop();
        let line = Box::new(line.expect("it was booked just now"));
        let (id, at) = (WebhookEventId::of_line(&line), line.at);
        let (topic, subject) = match below {
            None => (Topic::AccountCredited, EventPayload::Credit(line)),
            Some(below) => {
                let subject = EventPayload::LowBalance { line, below };
                (Topic::AccountLowBalance, subject)
            }
        };
        let event = WebhookEvent {
            id,
            topic,
            sequence: 1,
            at,
            subject,
        };
        self.announce(account, None, &event);
    }

    /// Records an event for one endpoint or for all subscribed ones; returns how many.
    pub(super) fn announce(
        &mut self,
        account: &AccountId,
        only: Option<EndpointId>,
        event: &WebhookEvent,
    ) -> u64 {
        let wanted = |it: &&Endpoint| {
            let asked = only.map_or_else(|| it.subscribes_to(event.topic), |only| it.id == only);
            it.account == *account && it.health.is_served() && asked
        };
        let ids = self.endpoints.iter().filter(wanted).map(|it| it.id);
        let known = |id: EndpointId| {
            let is_it = |it: &Delivery| {
                it.account == *account && it.endpoint == id && it.event.id == event.id
            };
            self.deliveries.iter().any(|row| is_it(&row.delivery))
        };
        let fresh: Vec<_> = ids.filter(|id| !known(*id)).collect();
        let count = fresh.len() as u64;
        self.deliveries.extend(fresh.into_iter().map(|endpoint| {
            let delivery = Delivery {
                account: account.clone(),
                endpoint,
                event: event.clone(),
                attempts: 0,
                round: 0,
                state: DeliveryState::Due(event.at),
            };
            let log = Vec::new();
            DeliveryRow {
                delivery,
                requested: event.is_requested(),
                log,
                last: None,
            }
        }));
        count
    }
}
