//! Endpoints of accounts. One of another account must never be found.

use super::{MemoryStore, MemoryTables, Removed};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::{DeliveryState, ENDPOINTS_MAX, Endpoint, EndpointId, EndpointState};
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::webhooks::{EndpointChange, EndpointRegistration, Endpoints};

#[async_trait]
impl Endpoints for MemoryStore {
    async fn register(
        &self,
        endpoint: &Endpoint,
        noted: &SealedChange,
    ) -> Result<EndpointRegistration, PortError> {
        let mut tables = self.tables();
        if tables.account(&endpoint.account).is_none() {
            return Ok(EndpointRegistration::AccountUnknown);
        }
        let of_account = |known: &&Endpoint| known.account == endpoint.account;
        let known: Vec<_> = tables.endpoints.iter().filter(of_account).collect();
        // Another number would not help, so this is reported first.
        if known.len() >= ENDPOINTS_MAX {
            return Ok(EndpointRegistration::TooMany);
        }
        let is_removed = tables.is_removed(&endpoint.account, endpoint.id);
        if is_removed || known.iter().any(|known| known.id == endpoint.id) {
            return Ok(EndpointRegistration::IdTaken);
        }
        tables.endpoints.push(endpoint.clone());
        tables.record_change(noted);
        Ok(EndpointRegistration::Done)
    }

    async fn endpoints(&self, account: &AccountId) -> Result<Vec<Endpoint>, PortError> {
        let tables = self.tables();
        let of_account = |known: &&Endpoint| known.account == *account;
        let mut found: Vec<_> = tables.endpoints.iter().filter(of_account).collect();
        found.sort_by_key(|endpoint| (endpoint.created_at, endpoint.id));
        Ok(found.into_iter().cloned().collect())
    }

    async fn change(
        &self,
        (account, id): (&AccountId, EndpointId),
        change: EndpointChange,
        noted: &SealedChange,
    ) -> Result<Option<Endpoint>, PortError> {
        let mut tables = self.tables();
        let Some(endpoint) = tables.endpoint_mut(account, id) else {
            return Ok(None);
        };
        match (change, endpoint.health.state) {
            (EndpointChange::Rotate(now, pepper), _) => {
                if !endpoint.may_rotate(now) {
                    return Ok(Some(endpoint.clone()));
                }
                endpoint.rotate(now, pepper);
            }
            (EndpointChange::Disable(because, at), EndpointState::Enabled) => {
                endpoint.health.state = EndpointState::Disabled { because, at };
            }
            (EndpointChange::Enable(_), EndpointState::Disabled { .. }) => {
                endpoint.health.state = EndpointState::Enabled;
                endpoint.health.failing_since = None;
            }
            (EndpointChange::Disable(..), EndpointState::Disabled { .. })
            | (EndpointChange::Enable(_), EndpointState::Enabled) => {
                return Ok(Some(endpoint.clone()));
            }
        }
        let changed = endpoint.clone();
        tables.record_change(noted);
        if let EndpointChange::Enable(now) = change {
            for row in tables.deliveries_to(account, id) {
                // What is due already keeps its place in the queue.
                if let DeliveryState::Due(at) = row.delivery.state {
                    row.delivery.state = DeliveryState::Due(at.min(now));
                }
            }
        }
        Ok(Some(changed))
    }

    async fn remove(
        &self,
        (account, id): (&AccountId, EndpointId),
        now: Timestamp,
        noted: &SealedChange,
    ) -> Result<bool, PortError> {
        let mut tables = self.tables();
        if tables.endpoint_mut(account, id).is_none() {
            return Ok(false);
        }
        let is_it = |it: &Endpoint| it.account == *account && it.id == id;
        tables.endpoints.retain(|it| !is_it(it));
        tables.record_change(noted);
        tables.removed.push(Removed {
            account: account.clone(),
            endpoint: id,
            at: now,
        });
        Ok(true)
    }
}

impl MemoryTables {
    pub(super) fn is_removed(&self, account: &AccountId, id: EndpointId) -> bool {
        let mut removed = self.removed.iter();
        removed.any(|it| it.account == *account && it.endpoint == id)
    }

    pub(super) fn endpoint_mut(
        &mut self,
        account: &AccountId,
        id: EndpointId,
    ) -> Option<&mut Endpoint> {
        let mut endpoints = self.endpoints.iter_mut();
        endpoints.find(|it| it.account == *account && it.id == id)
    }
}
