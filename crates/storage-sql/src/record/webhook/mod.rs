//! Webhook events as rows and back. A row must pass every rule that a fresh value passes.

mod announced;
mod attempt;
mod delivery;
mod endpoint;
mod excess;
mod line;
mod notice_key;

pub use announced::AnnouncedRow;
pub use attempt::{AttemptRecord, log};
pub use delivery::{Announcement, DeliveryRow, endpoint_key, moments, progress};
pub use endpoint::{
    EndpointRow, HealthColumns, HealthRow, SubscriberRow, endpoint_of_key, target, topics,
};
pub use excess::excess;
pub use notice_key::NoticeKey;
