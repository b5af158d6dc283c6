//! Cable TV, one operation per file. It must not know what can be bought now.

mod plans;
mod providers;
mod smartcard;
mod subscribe;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/payment/cabletv/providers", operation(providers::handle)),
        RouteKind::Lookup.at("/payment/cabletv/smartcard", operation(smartcard::handle)),
        RouteKind::Read.at("/payment/cabletv/plans", operation(plans::handle)),
        RouteKind::List.at(
            product_path(Service::CableTv),
            transactions::listing(Service::CableTv),
        ),
        RouteKind::Money.at("/payment/cabletv", operation(subscribe::handle)),
        RouteKind::Read.at(
            "/payment/cabletv/transaction",
            report::reporting(Service::CableTv),
        ),
    ]
}
