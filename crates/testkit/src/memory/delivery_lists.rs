//! Lists of deliveries. What went to a removed endpoint must not be in one.

use super::outbox::names;
use super::{DeliveryRow, MemoryTables};
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::webhook::{Attempt, COUNTED_MAX, Delivery, DeliveryState, EventPayload};
use ports::webhooks::{DeliveryPage, DeliveryQuery};

impl MemoryTables {
    /// The part of an account's deliveries that a query asks for.
    pub(super) fn delivery_page(&self, account: &AccountId, query: &DeliveryQuery) -> DeliveryPage {
        let of_account = |row: &&DeliveryRow| {
            let it = &row.delivery;
            it.account == *account && !self.is_removed(account, it.endpoint)
        };
        let mut found: Vec<_> = self.deliveries.iter().filter(of_account).collect();
        let total = found.len() as u64;
        found.retain(|row| {
            let to_it = query.endpoint.is_none_or(|id| row.delivery.endpoint == id);
            let parked = matches!(row.delivery.state, DeliveryState::Parked(_));
            to_it && (parked || !query.parked)
        });
        found.sort_by_key(|row| {
            let event = &row.delivery.event;
            (event.at, names(&event.id), row.delivery.endpoint)
        });
        if query.sort == Sort::Descending {
            found.reverse();
        }
        let skipped = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let length = usize::try_from(query.length).unwrap_or(usize::MAX);
        let page = found.iter().skip(skipped).take(length);
        DeliveryPage {
            deliveries: page.map(|row| row.with_attempts()).collect(),
            total: total.min(COUNTED_MAX),
            found: COUNTED_MAX.min(found.len() as u64),
        }
    }

    /// The deliveries of the events of a transaction.
    pub(super) fn deliveries_of(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Vec<(Delivery, Vec<Attempt>)> {
        let is_its = |row: &&DeliveryRow| {
            let it = &row.delivery;
            let of_it = matches!(
                &it.event.subject,
                EventPayload::Transaction(tx) if tx.number == number
            );
            it.account == *account && of_it && !self.is_removed(account, it.endpoint)
        };
        let mut found: Vec<_> = self.deliveries.iter().filter(is_its).collect();
        found.sort_by_key(|row| {
            let event = &row.delivery.event;
            (event.at, event.sequence, row.delivery.endpoint)
        });
        found.into_iter().map(DeliveryRow::with_attempts).collect()
    }
}
