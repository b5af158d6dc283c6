//! WhatsApp messages. Nothing here may know which provider delivers them.

mod send;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let path = product_path(Service::Whatsapp);
    vec![
        RouteKind::List.at(path, transactions::listing(Service::Whatsapp)),
        RouteKind::Money.at(path, operation(send::handle)),
        RouteKind::Read.at(
            "/messaging/whatsapp/transaction",
            report::reporting(Service::Whatsapp),
        ),
    ]
}
