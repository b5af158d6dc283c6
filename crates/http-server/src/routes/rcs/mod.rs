//! RCS messages. Nothing here may know which provider delivers them.

mod send;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::Rcs);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::Rcs)),
        RouteKind::Money.at(path, operation(send::handle)),
        RouteKind::Read.at(
            "/messaging/rcs/transaction",
            report::reporting(Service::Rcs),
        ),
    ]
}
