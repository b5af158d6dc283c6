//! Webhooks (interface §6). Nothing here may deliver or sign anything.

mod create;
mod delete;
mod deliveries;
mod disable;
mod enable;
mod endpoints;
mod events;
mod replay;
mod rotate;
mod test;

use super::table::{self, RouteKind, RouteRow};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/webhook/endpoint", || table::getting(endpoints::handle)),
        RouteKind::Change.at("/webhook/endpoint", || table::posting(create::handle)),
        RouteKind::Read.at("/webhook/events", || table::getting(events::handle)),
        RouteKind::Page.at("/webhook/deliveries", || table::getting(deliveries::handle)),
        RouteKind::Change.at("/webhook/test", || table::posting(test::handle)),
        RouteKind::Change.at("/webhook/replay", || table::posting(replay::handle)),
        RouteKind::Change.at("/webhook/rotate", || table::posting(rotate::handle)),
        RouteKind::Change.at("/webhook/disable", || table::posting(disable::handle)),
        RouteKind::Change.at("/webhook/enable", || table::posting(enable::handle)),
        RouteKind::Change.at("/webhook/delete", || table::posting(delete::handle)),
    ]
}
