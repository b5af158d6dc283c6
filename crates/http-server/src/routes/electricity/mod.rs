//! Electricity (interface §4.4). Nothing here may know which provider delivers it.

mod discos;
mod meter;
mod pay;

use super::table::{self, RouteKind, RouteRow};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/payment/electricity/discos", || {
            table::getting(discos::handle)
        }),
        RouteKind::Lookup.at("/payment/electricity/meter", || {
            table::getting(meter::handle)
        }),
        RouteKind::List.at(product_path(Service::Electricity), || {
            table::listing(Service::Electricity)
        }),
        RouteKind::Money.at("/payment/electricity", || table::posting(pay::handle)),
        RouteKind::Read.at("/payment/electricity/transaction", || {
            table::reporting(Service::Electricity)
        }),
    ]
}
