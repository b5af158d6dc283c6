//! Transfers between the wallets of an account, one operation per file. It must not know what a
//! credit costs.

mod transfer;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::Wallet);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::Wallet)),
        RouteKind::Money.at(path, operation(transfer::handle)),
        RouteKind::Read.at(
            "/transfer/wallet/transaction",
            report::reporting(Service::Wallet),
        ),
    ]
}
