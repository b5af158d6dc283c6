//! Stands in for a store that does not keep webhooks. It must answer nothing as if it did: whoever
//! asks is told that it cannot be done.

use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::{Endpoint, EndpointId, Notice};
use ports::PortError;
use ports::webhooks::{
    Claimed, DeliveryClaim, DeliveryPage, DeliveryQuery, Ended, EndpointChange, Endpoints, GivenUp,
    Outbox, Registered, Replay, Replayed,
};

/// No webhooks are kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unkept;

fn unkept<T>() -> Result<T, PortError> {
    let error = PortError::new("storage", "webhooks are not kept in a shared database yet");
    Err(error.with_nothing_done())
}

#[async_trait]
impl Endpoints for Unkept {
    async fn register(&self, _: &Endpoint) -> Result<Registered, PortError> {
        unkept()
    }

    async fn endpoints(&self, _: &AccountId) -> Result<Vec<Endpoint>, PortError> {
        unkept()
    }

    async fn change(
        &self,
        _: &AccountId,
        _: EndpointId,
        _: EndpointChange,
    ) -> Result<Option<Endpoint>, PortError> {
        unkept()
    }

    async fn remove(&self, _: &AccountId, _: EndpointId) -> Result<bool, PortError> {
        unkept()
    }
}

#[async_trait]
impl Outbox for Unkept {
    async fn claim_deliveries(&self, _: &DeliveryClaim) -> Result<Vec<Claimed>, PortError> {
        unkept()
    }

    async fn record_attempts(&self, _: &[Ended]) -> Result<Vec<GivenUp>, PortError> {
        unkept()
    }

    async fn announce(
        &self,
        _: &AccountId,
        _: Option<EndpointId>,
        _: &Notice,
    ) -> Result<u64, PortError> {
        unkept()
    }

    async fn deliveries(
        &self,
        _: &AccountId,
        _: &DeliveryQuery,
    ) -> Result<DeliveryPage, PortError> {
        unkept()
    }

    async fn replay(&self, _: &AccountId, _: &Replay) -> Result<Replayed, PortError> {
        unkept()
    }

    async fn forget_delivered(&self, _: Timestamp, _: u32) -> Result<u64, PortError> {
        unkept()
    }
}
