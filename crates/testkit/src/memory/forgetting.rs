//! What is forgotten of the outbox. What waits must stay while an account stores no more than it
//! may.

use super::{DeliveryRow, MemoryTables, Removed};
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::{Delivery, DeliveryState};
use ports::webhooks::StorageExcess;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

impl MemoryTables {
    pub(super) fn forget_delivered(&mut self, before: Timestamp, most: u32) -> u64 {
        let made_at = |row: &DeliveryRow| match row.delivery.state {
            DeliveryState::Delivered(at) => Some(at),
            DeliveryState::Due(_) | DeliveryState::Parked(_) => None,
        };
        let mut left = most;
        let MemoryTables {
            deliveries,
            removed,
            ..
        } = self;
        let held = deliveries.len();
        let is_for = |it: &Removed, row: &DeliveryRow| {
            (&it.account, it.endpoint) == (&row.delivery.account, row.delivery.endpoint)
        };
        let mut forget = |goes: &dyn Fn(&DeliveryRow) -> bool| {
            deliveries.retain(|row| {
                let goes = left > 0 && goes(row);
                left -= u32::from(goes);
                !goes
            });
        };
        for gone in removed.iter() {
            forget(&|row| is_for(gone, row));
        }
        forget(&|row| made_at(row).is_some_and(|at| at < before));
        removed.retain(|it| it.at >= before || deliveries.iter().any(|row| is_for(it, row)));
        (held - deliveries.len()) as u64
    }

    pub(super) fn excess(&self, kept: NonZeroU32) -> Vec<StorageExcess> {
        let mut events = BTreeMap::<AccountId, Vec<Timestamp>>::new();
        for row in &self.deliveries {
            let account = row.delivery.account.clone();
            events
                .entry(account)
                .or_default()
                .push(row.delivery.event.at);
        }
        let kept = usize::try_from(kept.get()).unwrap_or(usize::MAX);
        let excess = events.into_iter().filter_map(|(account, mut events)| {
            events.sort_unstable();
            let oldest = events.len().checked_sub(kept)?;
            let before = *events.get(oldest)?;
            Some(StorageExcess { account, before })
        });
        excess.collect()
    }

    pub(super) fn forget_excess(&mut self, excess: &StorageExcess, most: u32) -> u64 {
        let is_beyond = |it: &Delivery| it.account == excess.account && it.event.at < excess.before;
        let rows = self.deliveries.iter().map(|row| &row.delivery);
        let mut beyond: Vec<_> = rows
            .filter(|it| is_beyond(it))
            .map(|it| it.event.at)
            .collect();
        beyond.sort_unstable();
        beyond.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        let mut left = beyond.len();
        let Some(last) = beyond.last() else {
            return 0;
        };
        self.deliveries.retain(|row| {
            let goes = left > 0 && is_beyond(&row.delivery) && row.delivery.event.at <= *last;
            left -= usize::from(goes);
            !goes
        });
        beyond.len() as u64
    }
}
