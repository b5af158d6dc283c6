//! Internet data, one operation per file. It must not know what can be bought now.

mod number;
mod plans;
mod providers;
mod subscribe;

use super::table::{self, RouteKind, RouteRow};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/payment/internet/number", || {
            table::getting(number::handle)
        }),
        RouteKind::Read.at("/payment/internet/providers", || {
            table::getting(providers::handle)
        }),
        RouteKind::Read.at("/payment/internet/plans", || table::getting(plans::handle)),
        RouteKind::List.at(product_path(Service::Internet), || {
            table::listing(Service::Internet)
        }),
        RouteKind::Money.at("/payment/internet", || table::posting(subscribe::handle)),
        RouteKind::Read.at("/payment/internet/transaction", || {
            table::reporting(Service::Internet)
        }),
    ]
}
