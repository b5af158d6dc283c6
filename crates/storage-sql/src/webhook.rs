//! What changes and attempts make of an endpoint, wherever it is stored. It is pure: it must never
//! ask a store for more.

use domain::time::Timestamp;
use domain::webhook::{DisabledBecause, Endpoint, EndpointHealth};
use ports::webhooks::{AttemptResult, EndpointChange};

/// The first round in which a delivery can have more attempts than are shown: each of the two
/// before it makes half as many.
pub const PRUNE_FROM_REPLAY: u32 = 2;

/// Most attempts of a delivery that are forgotten with a call that moves it on: more than a call
/// adds as a rule, so that what was kept before goes as well, and too few to be noticed.
pub const FORGOTTEN_MAX: i64 = 4;

/// The endpoint after a change; what is so already stays as it is.
pub fn changed(mut endpoint: Endpoint, change: EndpointChange) -> Endpoint {
    match change {
        EndpointChange::Rotate(now) => {
            if endpoint.may_rotate(now) {
                endpoint.generation = endpoint.generation.next();
                endpoint.rotated_before = endpoint.rotated_at;
                endpoint.rotated_at = Some(now);
            }
        }
        EndpointChange::Disable(because, at) => {
            endpoint.health = endpoint.health.disabled(because, at);
        }
        EndpointChange::Enable(_) => endpoint.health = endpoint.health.enabled(),
    }
    endpoint
}

/// Applies attempts that counted to the health of their endpoint; answers why it is disabled, if it
/// is by them. A success ends its failing whenever it was made; which failures came after the last
/// success is decided by when they ended, because results come in no order.
pub fn record_answer(
    health: &mut EndpointHealth,
    results: &[&AttemptResult],
) -> Option<DisabledBecause> {
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
    let failed_at = failures.iter().max().copied()?;
    let because = if results.iter().any(|result| result.outcome.gone) {
        DisabledBecause::Gone
    } else if health.fails_for_too_long(failed_at) {
        DisabledBecause::Failing
    } else {
        return None;
    };
    let is_given_up = health.is_served();
    *health = health.disabled(because, failed_at);
    is_given_up.then_some(because)
}
