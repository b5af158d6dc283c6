//! Electricity (interface §4.4). Nothing here may know which provider delivers it.

mod discos;
mod meter;
mod pay;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/payment/electricity/discos", operation(discos::handle)),
        RouteKind::Lookup.at("/payment/electricity/meter", operation(meter::handle)),
        RouteKind::List.at(
            product_path(Service::Electricity),
            transactions::listing(Service::Electricity),
        ),
        RouteKind::Money.at("/payment/electricity", operation(pay::handle)),
        RouteKind::Read.at(
            "/payment/electricity/transaction",
            report::reporting(Service::Electricity),
        ),
    ]
}
