//! Transfers abroad, one operation per file. It must not know what a transfer is charged.

mod quote;
mod transfer;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::International);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::International)),
        RouteKind::Money.at(path, operation(transfer::handle)),
        RouteKind::Quote.at("/transfer/international/quote", operation(quote::handle)),
        RouteKind::Read.at(
            "/transfer/international/transaction",
            report::reporting(Service::International),
        ),
    ]
}
