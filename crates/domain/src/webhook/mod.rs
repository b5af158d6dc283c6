//! Webhooks: event topics, endpoints, delivery state. An event must show the transaction as it was
//! when the event happened, not as it is when it is delivered.

mod delivery;
mod endpoint;
mod event;
mod health;
mod schedule;
mod secret;
mod topic;

pub use delivery::{
    ATTEMPTS_SHOWN, Attempt, COUNTED_MAX, Delivery, DeliveryFailure, DeliveryId, DeliveryOutcome,
    DeliveryState, EXCERPT_MAX, EndpointAnswer,
};
pub use endpoint::{
    DESCRIPTION_MAX, ENDPOINTS_MAX, Endpoint, EndpointId, InvalidDescription, Registration,
    SECRET_ROTATION_OVERLAP, SecretVersion, Target, Topics,
};
pub use event::{EventPayload, WebhookEvent, WebhookEventId};
pub use health::{DisabledBecause, EndpointHealth, EndpointState, FAILING_MAX};
pub use schedule::{ATTEMPTS_MAX, Jitter, PAUSE_MAX, RETRY_AFTER_MAX, next_attempt};
pub use secret::Secret;
pub use topic::Topic;
