//! Cable TV, one operation per file. It must not know what can be bought now.

mod plans;
mod providers;
mod smartcard;
mod subscribe;

use super::table::{self, RouteKind, RouteRow};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/payment/cabletv/providers", || {
            table::getting(providers::handle)
        }),
        RouteKind::Lookup.at("/payment/cabletv/smartcard", || {
            table::getting(smartcard::handle)
        }),
        RouteKind::Read.at("/payment/cabletv/plans", || table::getting(plans::handle)),
        RouteKind::List.at(product_path(Service::CableTv), || {
            table::listing(Service::CableTv)
        }),
        RouteKind::Money.at("/payment/cabletv", || table::posting(subscribe::handle)),
        RouteKind::Read.at("/payment/cabletv/transaction", || {
            table::reporting(Service::CableTv)
        }),
    ]
}
