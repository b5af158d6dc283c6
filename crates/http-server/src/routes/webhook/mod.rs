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

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/webhook/endpoint", operation(endpoints::handle)),
        RouteKind::Change.at("/webhook/endpoint", operation(create::handle)),
        RouteKind::Read.at("/webhook/events", operation(events::handle)),
        RouteKind::Page.at("/webhook/deliveries", operation(deliveries::handle)),
        RouteKind::Change.at("/webhook/test", operation(test::handle)),
        RouteKind::Change.at("/webhook/replay", operation(replay::handle)),
        RouteKind::Change.at("/webhook/rotate", operation(rotate::handle)),
        RouteKind::Change.at("/webhook/disable", operation(disable::handle)),
        RouteKind::Change.at("/webhook/enable", operation(enable::handle)),
        RouteKind::Change.at("/webhook/delete", operation(delete::handle)),
    ]
}
