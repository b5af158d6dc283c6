//! Changes that operators ask for over HTTP.

use super::{at, provider_id};
use domain::operations::change_request::{ChangeReason, ChangeRequest, RequestedChange};
use domain::operator::OperatorName;

/// A request of alpha to pause my-shop, with a signature of no key.
///
/// # Panics
/// Never: its parts are legal.
pub fn change_request(number: u64) -> ChangeRequest {
    ChangeRequest {
        number,
        by: OperatorName::parse("alpha").expect("a name"),
        at: at(7),
        change: RequestedChange::Pause(provider_id("my-shop")),
        reason: ChangeReason::parse("float is spent").expect("a reason"),
        signature: vec![9; 64],
    }
}
