//! What waits in the reference store, counted one by one.

use super::MemoryStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::State;
use domain::webhook::{DeliveryState, EndpointId};
use ports::PortError;
use ports::backlog::{
    AGES, Backlog, EndpointBacklog, OpenPayments, OpenState, StoreState, WebhookBacklog,
};
use std::collections::BTreeMap;

/// The state of what is not final.
pub(super) const fn open_state(state: &State) -> Option<OpenState> {
    match state {
        State::Queued(_) => Some(OpenState::Queued),
        State::Sending(_) => Some(OpenState::Sending),
        State::InDoubt(_) => Some(OpenState::InDoubt),
        State::Review(_) => Some(OpenState::Review),
        State::Successful(_)
        | State::Booked(_)
        | State::Failed(_)
        | State::Cancelled(_)
        | State::Reversed(_) => None,
    }
}

#[async_trait]
impl Backlog for MemoryStore {
    async fn open_payments(&self, now: Timestamp) -> Result<Vec<OpenPayments>, PortError> {
        let tables = self.tables();
        let mut opened: BTreeMap<(ProviderId, OpenState), Vec<Timestamp>> = BTreeMap::new();
        for row in &tables.transactions {
            if let Some(state) = open_state(&row.transaction.state) {
                let key = (row.transaction.provider().clone(), state);
                opened
                    .entry(key)
                    .or_default()
                    .push(row.transaction.opened_at);
            }
        }
        let counted = opened.into_iter().filter_map(|((provider, state), at)| {
            Some(OpenPayments {
                provider,
                state,
                older_than: AGES.map(|age| {
                    let old = at.iter().filter(|at| age.is_zero() || at.plus(age) <= now);
                    old.count() as u64
                }),
                oldest_at: at.into_iter().min()?,
            })
        });
        Ok(counted.collect())
    }

    async fn webhook_events(&self, endpoints_max: u32) -> Result<WebhookBacklog, PortError> {
        let tables = self.tables();
        let mut waiting: BTreeMap<(AccountId, EndpointId), Vec<Timestamp>> = BTreeMap::new();
        let mut given_up = 0;
        for row in &tables.deliveries {
            let it = &row.delivery;
            match it.state {
                DeliveryState::Due(_) => {
                    let key = (it.account.clone(), it.endpoint);
                    waiting.entry(key).or_default().push(it.event.at);
                }
                DeliveryState::Parked(_) => given_up += 1,
                DeliveryState::Delivered(_) => {}
            }
        }
        let behind = waiting.into_iter().filter_map(|((account, endpoint), at)| {
            Some(EndpointBacklog {
                account,
                endpoint,
                waiting: at.len() as u64,
                oldest_at: at.into_iter().min()?,
            })
        });
        let mut behind: Vec<_> = behind.collect();
        let all = behind.iter().map(|it| it.waiting).sum();
        behind.sort_by_key(|it| (it.oldest_at, it.account.clone(), it.endpoint));
        let oldest_at = behind.first().map(|it| it.oldest_at);
        behind.truncate(usize::try_from(endpoints_max).unwrap_or(usize::MAX));
        Ok(WebhookBacklog {
            waiting: all,
            oldest_at,
            given_up,
            behind,
        })
    }

    async fn read_state(&self) -> Result<StoreState, PortError> {
        Ok(StoreState {
            bytes: None,
            clock: None,
            standby_behind_bytes: None,
            pools: Vec::new(),
        })
    }

    async fn await_writer(&self) -> Result<(), PortError> {
        Ok(())
    }
}
