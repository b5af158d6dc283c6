//! What changes, results and a removal make of an endpoint.

use domain::time::Timestamp;
use domain::webhook::{DisabledBecause, Endpoint, EndpointHealth};
use ports::webhooks::{AttemptResult, EndpointChange};

/// The endpoint after a change; what is so already stays as it is.
pub fn changed(mut endpoint: Endpoint, change: EndpointChange) -> Endpoint {
    match change {
        EndpointChange::Rotate(now, pepper) => {
            if endpoint.may_rotate(now) {
                endpoint.rotate(now, pepper);
            }
        }
        EndpointChange::Disable(because, at) => {
            endpoint.health = endpoint.health.disabled(because, at);
        }
        EndpointChange::Enable(_) => endpoint.health = endpoint.health.enabled(),
    }
    endpoint
}

/// The health of an endpoint that is removed: it is not served, for the first cause there was.
#[must_use]
pub const fn removed(health: EndpointHealth, now: Timestamp) -> EndpointHealth {
    health.disabled(DisabledBecause::ByMerchant, now)
}

/// The health of an endpoint after attempts that counted, and why it is disabled, if it is by them.
/// A success ends its failing whenever it was made; which failures came after the last success is
/// decided by when they ended, because results come in no order.
pub fn record_answer(
    mut health: EndpointHealth,
    results: &[&AttemptResult],
) -> (EndpointHealth, Option<DisabledBecause>) {
    let mut succeeded_at = None;
    let mut failures: Vec<Timestamp> = Vec::with_capacity(results.len());
    for result in results {
        let at = result.attempt.ended_at();
        if result.outcome.success {
            succeeded_at = succeeded_at.max(Some(at));
        } else {
            failures.push(at);
        }
    }
    let first_after = |moment: Option<Timestamp>| {
        let after = failures.iter().filter(|at| Some(**at) > moment);
        after.min().copied()
    };
    health.failing_since = match (succeeded_at, health.failing_since) {
        (None, Some(since)) => Some(since),
        (moment, _) => first_after(moment),
    };
    let Some(failed_at) = failures.iter().max().copied() else {
        return (health, None);
    };
    let because = if results.iter().any(|result| result.outcome.gone) {
        DisabledBecause::Gone
    } else if health.fails_for_too_long(failed_at) {
        DisabledBecause::Failing
    } else {
        return (health, None);
    };
    let because = health.is_served().then_some(because);
    let disabled = because.map(|because| health.disabled(because, failed_at));
    (disabled.unwrap_or(health), because)
}
