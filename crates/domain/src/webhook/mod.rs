//! What merchants are told without asking: which events, at which endpoints, how often it is tried.
//! A notice must show the transaction as it was when the event happened, not as it is when it is
//! delivered.

mod delivery;
mod endpoint;
mod notice;
mod schedule;
mod secret;
mod topic;

pub use delivery::{
    ATTEMPTS_SHOWN, Answer, Attempt, COUNTED_MAX, Delivery, DeliveryId, DeliveryState, EXCERPT_MAX,
    Failure, Outcome,
};
pub use endpoint::{
    DESCRIPTION_MAX, DisabledBecause, ENDPOINTS_MAX, Endpoint, EndpointId, EndpointState,
    FAILING_MAX, Generation, InvalidDescription, OVERLAP, Registration, Target, Topics,
};
pub use notice::{ASKED_FOR, Notice, NoticeId, Subject};
pub use schedule::{ATTEMPTS_MAX, Jitter, PAUSE_MAX, RETRY_AFTER_MAX, next_attempt};
pub use secret::Secret;
pub use topic::Topic;
