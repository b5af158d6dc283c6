//! Transfers to other accounts, one operation per file. It must not look for the account that is
//! paid.

mod transfer;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::User);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::User)),
        RouteKind::Money.at(path, operation(transfer::handle)),
        RouteKind::Read.at(
            "/transfer/user/transaction",
            report::reporting(Service::User),
        ),
    ]
}
