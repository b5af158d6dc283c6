//! Calls that run a flow. Nothing here may know which provider makes them.

mod call;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::Ivr);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::Ivr)),
        RouteKind::Money.at(path, operation(call::handle)),
        RouteKind::Read.at(
            "/messaging/ivr/transaction",
            report::reporting(Service::Ivr),
        ),
    ]
}
