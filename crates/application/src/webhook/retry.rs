//! Retries of requests that create endpoints and test events. The number of what is created follows
//! from the merchant's key, so a retry finds it, and nothing is stored about requests. A key is
//! known as long as what was created under it.

use super::EndpointWithSecret;
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::idempotency::IdempotencyKey;
use domain::webhook::{Endpoint, EndpointId, Registration, WebhookEventId};
use ports::PortError;

/// The endpoint that a request created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointCreated {
    /// This request created it.
    Now(EndpointWithSecret),
    /// An earlier request with the same key did, and answered its secret.
    Before(Endpoint),
}

/// A test event, as an event among the deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestEvent {
    /// Its name.
    pub id: WebhookEventId,
    /// Whether an earlier request with the same key recorded it.
    pub replay: ReplayMark,
}

impl Gateway {
    pub(super) fn retried_endpoint_id(
        &self,
        merchant: &Merchant,
        key: &IdempotencyKey,
    ) -> Result<EndpointId, RequestError> {
        let number = self.retried_number("endpoint", merchant, key)?;
        let id = EndpointId::new(number.get());
        id.ok_or_else(|| PortError::new("ids", "a number that no endpoint can have").into())
    }

    pub(super) fn retried_event_id(
        &self,
        merchant: &Merchant,
        key: &IdempotencyKey,
    ) -> Result<WebhookEventId, RequestError> {
        let number = self.retried_number("test event", merchant, key)?;
        Ok(WebhookEventId::fresh(number))
    }

    /// The endpoint that an earlier request created, if there is one.
    pub(super) async fn retried_endpoint(
        &self,
        merchant: &Merchant,
        id: EndpointId,
        registration: &Registration,
    ) -> Result<Option<Endpoint>, RequestError> {
        let mut endpoints = self.endpoints(merchant).await?.into_iter();
        let Some(earlier) = endpoints.find(|endpoint| endpoint.id == id) else {
            return Ok(None);
        };
        let Registration {
            url,
            topics,
            description,
            with_tokens,
        } = registration;
        let is_same = self.parts().targets.form(url).ok().as_ref() == Some(&earlier.target)
            && (topics, description, *with_tokens)
                == (&earlier.topics, &earlier.description, earlier.with_tokens);
        is_same
            .then_some(Some(earlier))
            .ok_or(RequestError::KeyReused)
    }

    /// The test event that an earlier request recorded, if there is one.
    pub(super) async fn retried_event(
        &self,
        merchant: &Merchant,
        endpoint: EndpointId,
        event: &WebhookEventId,
    ) -> Result<Option<TestEvent>, RequestError> {
        let account = &merchant.account.id;
        match self.parts().outbox.announced_to(account, event).await? {
            None => Ok(None),
            Some(to) if to == endpoint => Ok(Some(TestEvent {
                id: event.clone(),
                replay: ReplayMark::Replayed,
            })),
            Some(_) => Err(RequestError::KeyReused),
        }
    }
}
