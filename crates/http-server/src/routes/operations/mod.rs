//! How the gateway is doing, one operation per file. All but the status are for operators.

mod cases;
mod float;
mod providers;
mod routes;
mod status;

use super::row::{RouteKind, RouteRow, operation, operator};

/// Their operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let read = |path, handler| RouteKind::Read.at(path, handler);
    vec![
        read("/operations/status", operation(status::handle)),
        read("/operations/providers", operator(providers::handle)),
        read("/operations/routes", operator(routes::handle)),
        read("/operations/float", operator(float::handle)),
        // The whole ledger is read for them.
        RouteKind::Page.at("/operations/cases", operator(cases::handle)),
    ]
}

#[cfg(test)]
mod operator_tests;
#[cfg(test)]
mod tests;
