//! The rules of webhooks: what a claim, results, a replay, a change and a removal make of
//! deliveries and endpoints. They are pure: they must never ask a store for more. Both stores write
//! what is decided here; which rows a claim looks at is chosen where the rows are.

mod delivery;
mod endpoint;
mod recording;

pub use delivery::{DeliveryProgress, lease_end, replayed};
pub use endpoint::{changed, record_answer, removed};
pub use recording::{MovedDelivery, RecordedHealth, RecordingPlan};

/// The first round in which a delivery can have more attempts than are shown: each of the two
/// before it makes half as many.
const PRUNE_FROM_REPLAY: u32 = 2;

/// Most attempts of a delivery that are forgotten with a call that moves it on: more than a call
/// adds as a rule, so that what was kept before goes as well, and too few to be noticed.
pub const FORGOTTEN_MAX: i64 = 4;
