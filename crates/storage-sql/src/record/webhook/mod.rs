//! Webhook events as rows and back. A row must pass every rule that a fresh value passes.

mod announced;
mod attempt;
mod delivery;
mod endpoint;
mod event_key;
mod excess;
mod line;

pub use announced::AnnouncedRow;
pub use attempt::{AttemptRecord, log};
pub use delivery::{Announcement, DeliveryRow, endpoint_key, moments, progress};
pub use endpoint::{
    EndpointRow, HealthColumns, HealthRow, SubscriberRow, endpoint_of_key, secret_peppers, target,
    topics,
};
pub use event_key::EventKey;
pub use excess::excess;
