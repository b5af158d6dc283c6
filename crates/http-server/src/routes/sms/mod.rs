//! Text messages (interface §4.6). Nothing here may know which provider delivers them.

mod send;
mod senders;

use super::table::{self, RouteKind, RouteRow};
use domain::order::Service;
use wire::product_path;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(product_path(Service::Sms), || table::listing(Service::Sms)),
        RouteKind::Money.at("/messaging/sms", || table::posting(send::handle)),
        RouteKind::Read.at("/messaging/senders", || table::getting(senders::handle)),
        RouteKind::Read.at("/messaging/sms/transaction", || {
            table::reporting(Service::Sms)
        }),
    ]
}
