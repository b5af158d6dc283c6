//! Transfers to cards, one operation per file. It must not know what a transfer is charged.

mod transfer;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::Card);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::Card)),
        RouteKind::Money.at(path, operation(transfer::handle)),
        RouteKind::Read.at(
            "/transfer/card/transaction",
            report::reporting(Service::Card),
        ),
    ]
}
