//! Rules of deliveries: what they show happened. They must examine events, never the transaction
//! that a delivery shows.

use super::{Check, MemoryTables};
use domain::account::AccountId;
use domain::event::Event;
use domain::webhook::{Delivery, EventPayload, Topic};
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i17_deliveries_show_events(&self) -> CheckResult {
        let rule = "Every delivery shows an event of a transaction or a line of the statement, to \
                    an endpoint of its account";
        let mut check = Check::new("I17", rule);
        for row in &self.deliveries {
            let delivery = &row.delivery;
            let is_hers = self
                .endpoints
                .iter()
                .any(|it| it.account == delivery.account && it.id == delivery.endpoint);
            let was_hers = self.is_removed(&delivery.account, delivery.endpoint);
            check.row((is_hers || was_hers) && self.happened(delivery), || {
                format!("{} to {}", delivery.event.id, delivery.endpoint)
            });
        }
        check.result()
    }

    fn happened(&self, delivery: &Delivery) -> bool {
        let event = &delivery.event;
        let EventPayload::Transaction(tx) = &event.subject else {
            return true;
        };
        let is_it = |(owner, change): &(AccountId, Event)| {
            *owner == delivery.account
                && (change.transaction, change.sequence) == (tx.number, event.sequence)
                && Topic::of(change.kind) == Some(event.topic)
        };
        self.events.iter().any(is_it)
    }
}
