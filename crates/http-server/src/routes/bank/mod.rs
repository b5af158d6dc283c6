//! Bank transfers, one operation per file. It must not know what a payout is charged.

mod enquiry;
mod lists;
mod lookup;
mod payout;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(
            product_path(Service::Bank),
            transactions::listing(Service::Bank),
        ),
        RouteKind::Page.at("/transfer/bank/lists", operation(lists::handle)),
        RouteKind::Read.at("/transfer/bank/lookup", operation(lookup::handle)),
        RouteKind::Lookup.at("/transfer/bank/enquiry", operation(enquiry::handle)),
        RouteKind::Money.at("/transfer/bank/payout", operation(payout::handle)),
        RouteKind::Read.at(
            "/transfer/bank/transaction",
            report::reporting(Service::Bank),
        ),
    ]
}
