//! Airtime (interface §4.2). Nothing here may know which provider delivers it.

mod top_up;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(
            product_path(Service::Airtime),
            transactions::listing(Service::Airtime),
        ),
        RouteKind::Money.at("/payment/airtime", operation(top_up::handle)),
        RouteKind::Read.at(
            "/payment/airtime/transaction",
            report::reporting(Service::Airtime),
        ),
    ]
}
