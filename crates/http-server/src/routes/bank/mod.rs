//! Bank transfers, one operation per file. It must not know what a payout is charged.

mod enquiry;
mod lists;
mod lookup;
mod payout;

use super::table::{self, RouteKind, RouteRow};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(product_path(Service::Bank), || {
            table::listing(Service::Bank)
        }),
        RouteKind::Page.at("/transfer/bank/lists", || table::getting(lists::handle)),
        RouteKind::Read.at("/transfer/bank/lookup", || table::getting(lookup::handle)),
        RouteKind::Lookup.at("/transfer/bank/enquiry", || table::getting(enquiry::handle)),
        RouteKind::Money.at("/transfer/bank/payout", || table::posting(payout::handle)),
        RouteKind::Read.at("/transfer/bank/transaction", || {
            table::reporting(Service::Bank)
        }),
    ]
}
