//! What merchants are told, as rows and back. A row must pass every rule that a fresh value passes.

mod attempt;
mod delivery;
mod endpoint;

pub use attempt::{AttemptRecord, log};
pub use delivery::{Announcement, DeliveryRow, NoticeKey, endpoint_key, moments};
pub use endpoint::{EndpointRow, HearerRow, disabled, topics};
