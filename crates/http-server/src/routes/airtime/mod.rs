//! Airtime (interface §4.2). Nothing here may know which provider delivers it.

mod top_up;

use super::table::{self, RouteKind, RouteRow};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(product_path(Service::Airtime), || {
            table::listing(Service::Airtime)
        }),
        RouteKind::Money.at("/payment/airtime", || table::posting(top_up::handle)),
        RouteKind::Read.at("/payment/airtime/transaction", || {
            table::reporting(Service::Airtime)
        }),
    ]
}
