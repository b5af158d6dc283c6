//! Internet data, one operation per file. It must not know what can be bought now.

mod number;
mod plans;
mod providers;
mod subscribe;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Lookup.at("/payment/internet/number", operation(number::handle)),
        RouteKind::Read.at("/payment/internet/providers", operation(providers::handle)),
        RouteKind::Read.at("/payment/internet/plans", operation(plans::handle)),
        RouteKind::List.at(
            product_path(Service::Internet),
            transactions::listing(Service::Internet),
        ),
        RouteKind::Money.at("/payment/internet", operation(subscribe::handle)),
        RouteKind::Read.at(
            "/payment/internet/transaction",
            report::reporting(Service::Internet),
        ),
    ]
}
