//! Cable TV, one operation per file. It must not know what can be bought now.

mod plans;
mod providers;
mod smartcard;
mod subscribe;

use super::row::{RouteKind, RouteRow, getting, posting};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/payment/cabletv/providers", getting(providers::handle)),
        RouteKind::Lookup.at("/payment/cabletv/smartcard", getting(smartcard::handle)),
        RouteKind::Read.at("/payment/cabletv/plans", getting(plans::handle)),
        RouteKind::List.at(
            product_path(Service::CableTv),
            transactions::listing(Service::CableTv),
        ),
        RouteKind::Money.at("/payment/cabletv", posting(subscribe::handle)),
        RouteKind::Read.at(
            "/payment/cabletv/transaction",
            report::reporting(Service::CableTv),
        ),
    ]
}
