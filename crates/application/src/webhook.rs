//! An account's endpoints and deliveries, as the merchant sees them. Nothing here may deliver: the
//! dispatcher does that with what is recorded as due.

mod error;
mod notes;
mod retry;
mod secrets;

pub use self::error::EndpointError;
pub use self::retry::{EndpointCreated, TestEvent};
pub use secrets::DerivedSecrets;

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::idempotency::IdempotencyKey;
use domain::webhook::{
    DisabledBecause, Endpoint, EndpointHealth, EndpointId, EventPayload, Registration, Secret,
    SecretVersion, Target, Topic, WebhookEvent, WebhookEventId,
};
use ports::PortError;
use ports::webhooks::{
    DeliveryPage, EndpointChange, EndpointRegistration, RejectedUrl, Replay, Replayed, Secrets,
};
pub use ports::webhooks::{DeliveryQuery, ReplayOf};

/// Most deliveries that may be asked for together (interface §8).
pub const REPLAY_MAX: u64 = 1000;

/// How many numbers are drawn for an endpoint: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// An endpoint and the secret its deliveries are signed with from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointWithSecret {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// Its present secret.
    pub secret: Secret,
}

impl Gateway {
    /// Creates an endpoint of a merchant; where the merchant's key of the request created one
    /// before, that one is answered.
    ///
    /// # Errors
    /// Refuses an address that is not delivered to, one endpoint too many, and a key that was used
    /// for another request.
    pub async fn create_endpoint(
        &self,
        merchant: &Merchant,
        registration: Registration,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<EndpointCreated, RequestError> {
        let Some(key) = retry_key else {
            let endpoint = self.draft(merchant, registration, self.fresh_endpoint_id()?);
            return self.register_fresh(merchant, endpoint.await?).await;
        };
        let id = self.retried_endpoint_id(merchant, key)?;
        if let Some(earlier) = self.retried_endpoint(merchant, id, &registration).await? {
            return Ok(EndpointCreated::Before(earlier));
        }
        let endpoint = self.draft(merchant, registration.clone(), id).await?;
        if self.register_endpoint(merchant, &endpoint).await? {
            return Ok(EndpointCreated::Now(self.keyed(endpoint)?));
        }
        // Another request under this key was faster, or the endpoint was removed meanwhile.
        let earlier = self.retried_endpoint(merchant, id, &registration).await?;
        earlier
            .map(EndpointCreated::Before)
            .ok_or(RequestError::KeyReused)
    }

    async fn draft(
        &self,
        merchant: &Merchant,
        registration: Registration,
        id: EndpointId,
    ) -> Result<Endpoint, RequestError> {
        let target = self.fit_target(merchant, &registration.url).await?;
        Ok(Endpoint {
            id,
            account: merchant.account.id.clone(),
            target,
            topics: registration.topics,
            description: registration.description,
            with_tokens: registration.with_tokens,
            generation: SecretVersion::of(1, self.parts().pepper.newest()),
            peppers_before: [1, 1],
            rotated_at: None,
            rotated_before: None,
            health: EndpointHealth::GOOD,
            created_at: self.now(),
        })
    }

    async fn register_fresh(
        &self,
        merchant: &Merchant,
        mut endpoint: Endpoint,
    ) -> Result<EndpointCreated, RequestError> {
        for _ in 0..DRAWS_MAX {
            if self.register_endpoint(merchant, &endpoint).await? {
                return Ok(EndpointCreated::Now(self.keyed(endpoint)?));
            }
            endpoint.id = self.fresh_endpoint_id()?;
        }
        let what = "every number that was drawn is in use";
        Err(PortError::new("endpoints", what).into())
    }

    /// Stores an endpoint; `false` where its number is in use.
    async fn register_endpoint(
        &self,
        merchant: &Merchant,
        endpoint: &Endpoint,
    ) -> Result<bool, RequestError> {
        let noted = self.noted(merchant, notes::registration(endpoint));
        match self.parts().endpoints.register(endpoint, &noted).await? {
            EndpointRegistration::Done => Ok(true),
            EndpointRegistration::IdTaken => Ok(false),
            EndpointRegistration::TooMany => Err(EndpointError::TooMany.into()),
            EndpointRegistration::AccountUnknown => {
                let what = "an account that was let in has no place for an endpoint";
                Err(PortError::new("endpoints", what).into())
            }
        }
    }

    /// The merchant's endpoints, oldest first.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn endpoints(&self, merchant: &Merchant) -> Result<Vec<Endpoint>, RequestError> {
        Ok(self
            .parts()
            .endpoints
            .endpoints(&merchant.account.id)
            .await?)
    }

    /// One of the merchant's endpoints.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's.
    pub async fn endpoint(
        &self,
        merchant: &Merchant,
        id: EndpointId,
    ) -> Result<Endpoint, RequestError> {
        let mut endpoints = self.endpoints(merchant).await?.into_iter();
        let found = endpoints.find(|endpoint| endpoint.id == id);
        found.ok_or(EndpointError::Unknown.into())
    }

    /// Gives an endpoint its next secret.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's, and a third change within the time that
    /// secrets overlap.
    pub async fn rotate_secret(
        &self,
        merchant: &Merchant,
        id: EndpointId,
    ) -> Result<EndpointWithSecret, RequestError> {
        let now = self.now();
        if !self.endpoint(merchant, id).await?.may_rotate(now) {
            return Err(EndpointError::TooManySecrets.into());
        }
        let change = EndpointChange::Rotate(now, self.parts().pepper.newest());
        let endpoint = self.change_endpoint(merchant, id, change).await?;
        // Others may have changed it a moment ago.
        if endpoint.rotated_at != Some(now) {
            return Err(EndpointError::TooManySecrets.into());
        }
        self.keyed(endpoint)
    }

    /// Stops serving an endpoint.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's.
    pub async fn disable_endpoint(
        &self,
        merchant: &Merchant,
        id: EndpointId,
    ) -> Result<Endpoint, RequestError> {
        let change = EndpointChange::Disable(DisabledBecause::ByMerchant, self.now());
        self.change_endpoint(merchant, id, change).await
    }

    /// Serves an endpoint again.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's.
    pub async fn enable_endpoint(
        &self,
        merchant: &Merchant,
        id: EndpointId,
    ) -> Result<Endpoint, RequestError> {
        let change = EndpointChange::Enable(self.now());
        self.change_endpoint(merchant, id, change).await
    }

    /// Removes an endpoint with everything that waits for it.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's.
    pub async fn delete_endpoint(
        &self,
        merchant: &Merchant,
        id: EndpointId,
    ) -> Result<(), RequestError> {
        let account = &merchant.account.id;
        let endpoints = &self.parts().endpoints;
        let noted = self.noted(merchant, notes::removal(id));
        let removed = endpoints.remove((account, id), self.now(), &noted).await?;
        removed.then_some(()).ok_or(EndpointError::Unknown.into())
    }

    /// Records a test event for an endpoint, once for each key that the merchant gives requests.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's, an endpoint that is not served, and a key
    /// that was used for another endpoint.
    pub async fn send_test_event(
        &self,
        merchant: &Merchant,
        id: EndpointId,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<TestEvent, RequestError> {
        let endpoint = self.endpoint(merchant, id).await?;
        let event = match retry_key {
            Some(key) => self.retried_event_id(merchant, key)?,
            None => WebhookEventId::fresh(self.parts().ids.transaction_number()),
        };
        if retry_key.is_some()
            && let Some(earlier) = self.retried_event(merchant, id, &event).await?
        {
            return Ok(earlier);
        }
        if !endpoint.health.is_served() {
            return Err(EndpointError::Disabled.into());
        }
        let trial = WebhookEvent {
            id: event,
            topic: Topic::Ping,
            sequence: 1,
            at: self.now(),
            subject: EventPayload::Ping,
        };
        let account = &merchant.account.id;
        let outbox = &self.parts().outbox;
        if outbox.announce(account, Some(id), &trial).await? > 0 {
            return Ok(TestEvent {
                id: trial.id,
                replay: ReplayMark::New,
            });
        }
        // Recorded a moment ago under the same key, or the endpoint was disabled or deleted.
        let earlier = self.retried_event(merchant, id, &trial.id).await?;
        earlier.ok_or(EndpointError::Disabled.into())
    }

    /// A part of the merchant's deliveries.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's.
    pub async fn deliveries(
        &self,
        merchant: &Merchant,
        query: &DeliveryQuery,
    ) -> Result<DeliveryPage, RequestError> {
        if let Some(id) = query.endpoint {
            self.endpoint(merchant, id).await?;
        }
        let account = &merchant.account.id;
        Ok(self.parts().outbox.deliveries(account, query).await?)
    }

    /// Makes deliveries due again; answers how many.
    ///
    /// # Errors
    /// Refuses what is none of the merchant's, and more than [`REPLAY_MAX`] deliveries.
    pub async fn deliver_again(
        &self,
        merchant: &Merchant,
        what: ReplayOf,
    ) -> Result<u64, RequestError> {
        let (endpoint, unknown) = match &what {
            ReplayOf::One(delivery) => (delivery.endpoint, EndpointError::DeliveryUnknown),
            ReplayOf::Range { endpoint, .. } => (*endpoint, EndpointError::Unknown),
        };
        self.endpoint(merchant, endpoint).await?;
        let replay = Replay {
            what,
            most: REPLAY_MAX,
            now: self.now(),
        };
        let account = &merchant.account.id;
        match self.parts().outbox.replay(account, &replay).await? {
            Replayed::Done(count) => Ok(count),
            Replayed::Unknown => Err(unknown.into()),
            Replayed::TooMany => Err(EndpointError::TooManyDeliveries.into()),
        }
    }

    async fn change_endpoint(
        &self,
        merchant: &Merchant,
        id: EndpointId,
        change: EndpointChange,
    ) -> Result<Endpoint, RequestError> {
        let account = &merchant.account.id;
        let endpoints = &self.parts().endpoints;
        let noted = self.noted(merchant, notes::change(id, change));
        let changed = endpoints.change((account, id), change, &noted).await?;
        changed.ok_or(EndpointError::Unknown.into())
    }

    /// The address as it may be delivered to. A name whose servers do not answer is not waited for
    /// longer than any lookup.
    async fn fit_target(&self, merchant: &Merchant, url: &str) -> Result<Target, RequestError> {
        let deadline = self.parts().settings.lookup_deadline;
        let checked = self.parts().targets.check(&merchant.account.id, url);
        let checked = self.within(deadline, checked).await;
        let Some(checked) = checked else {
            return Err(EndpointError::TargetNotLookedUp.into());
        };
        Ok(checked.map_err(|unfit| match unfit {
            RejectedUrl::Rule(rule) => EndpointError::TargetUnfit(rule),
            RejectedUrl::NotLookedUp => EndpointError::TargetNotLookedUp,
        })?)
    }

    fn fresh_endpoint_id(&self) -> Result<EndpointId, RequestError> {
        let number = self.parts().ids.transaction_number().get();
        let id = EndpointId::new(number);
        id.ok_or_else(|| PortError::new("ids", "a number that no endpoint can have").into())
    }

    fn keyed(&self, endpoint: Endpoint) -> Result<EndpointWithSecret, RequestError> {
        let secrets = DerivedSecrets::new(self.parts().pepper.clone());
        let secret = secrets.secret(&endpoint.account, endpoint.id, endpoint.generation);
        let missing = || PortError::new("key-ring", "it lacks the generation of a webhook secret");
        let secret = secret.ok_or_else(missing)?;
        Ok(EndpointWithSecret { endpoint, secret })
    }
}
