//! Text messages (interface §4.6). Nothing here may know which provider delivers them.

mod bulk;
mod send;
mod senders;

use super::bulk::rows_of;
use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::batch::BatchKind;
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let mut rows = vec![
        RouteKind::List.at(
            product_path(Service::Sms),
            transactions::listing(Service::Sms),
        ),
        RouteKind::Money.at("/messaging/sms", operation(send::handle)),
        RouteKind::Read.at("/messaging/senders", operation(senders::handle)),
        RouteKind::Read.at(
            "/messaging/sms/transaction",
            report::reporting(Service::Sms),
        ),
    ];
    rows.extend(rows_of(
        BatchKind::Messages,
        [
            "/messaging/bulk",
            "/messaging/bulk/transaction",
            "/messaging/bulk/cancel",
        ],
    ));
    rows.push(RouteKind::Bulk.at("/messaging/bulk", operation(bulk::handle)));
    rows
}
