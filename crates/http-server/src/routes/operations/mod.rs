//! How the gateway is doing, one operation per file. All but the status are for operators.

mod approvals;
mod cases;
mod float;
mod maintenance;
mod providers;
mod resolve;
mod routes;
mod status;

use super::row::{RouteKind, RouteRow, operation, operator};
use crate::error_response;
use crate::reply::HttpReply;
use application::Gateway;
use domain::provider::ProviderId;
use wire::attribute::PROVIDER_NAME;

/// Their operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let read = |path, handler| RouteKind::Read.at(path, handler);
    let change = |path, handler| RouteKind::Change.at(path, handler);
    vec![
        read("/operations/status", operation(status::handle)),
        read("/operations/providers", operator(providers::handle)),
        read("/operations/routes", operator(routes::handle)),
        read("/operations/float", operator(float::handle)),
        read("/operations/maintenance", operator(maintenance::list)),
        change("/operations/maintenance", operator(maintenance::ask)),
        change("/operations/providers", operator(providers::ask)),
        change("/operations/resolve", operator(resolve::handle)),
        // The signatures of many are verified for it.
        RouteKind::Page.at("/operations/approvals", operator(approvals::handle)),
        // The whole ledger is read for them.
        RouteKind::Page.at("/operations/cases", operator(cases::handle)),
    ]
}

/// Refuses a provider that the configuration does not name.
fn is_known(gateway: &Gateway, provider: &ProviderId) -> Result<(), HttpReply> {
    if gateway.has_provider(provider) {
        return Ok(());
    }
    let message = "is no provider here; see GET /operations/providers";
    Err(error_response::unknown(&PROVIDER_NAME, message))
}

#[cfg(test)]
mod operator_tests;
#[cfg(test)]
mod tests;
