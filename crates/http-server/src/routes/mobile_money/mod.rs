//! Mobile money, one operation per file. It must not know what a transfer is charged.

mod enquiry;
mod providers;
mod transfer;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::MobileMoney);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::MobileMoney)),
        RouteKind::Money.at(path, operation(transfer::handle)),
        RouteKind::Page.at(
            "/transfer/mobilemoney/providers",
            operation(providers::handle),
        ),
        RouteKind::Lookup.at("/transfer/mobilemoney/enquiry", operation(enquiry::handle)),
        RouteKind::Read.at(
            "/transfer/mobilemoney/transaction",
            report::reporting(Service::MobileMoney),
        ),
    ]
}
