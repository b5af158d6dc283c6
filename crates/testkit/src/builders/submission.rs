//! What a provider is sent.

use super::START;
use domain::order::Order;
use domain::provider::Submission;
use domain::reference::ProviderReference;
use std::time::Duration;

/// The first attempt of an order as it goes to a provider, under a reference of its own.
pub fn submission(under: &str, order: Order) -> Submission {
    Submission {
        reference: ProviderReference::from_echo(under),
        adapter_state: None,
        order,
        started_at: START,
        deadline: Duration::from_secs(30),
        // Far enough for laws that let time pass between one order and the next.
        not_after: START.plus(Duration::from_hours(1)),
    }
}
