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

use super::row::{RouteKind, RouteRow, getting, posting};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/webhook/endpoint", getting(endpoints::handle)),
        RouteKind::Change.at("/webhook/endpoint", posting(create::handle)),
        RouteKind::Read.at("/webhook/events", getting(events::handle)),
        RouteKind::Page.at("/webhook/deliveries", getting(deliveries::handle)),
        RouteKind::Change.at("/webhook/test", posting(test::handle)),
        RouteKind::Change.at("/webhook/replay", posting(replay::handle)),
        RouteKind::Change.at("/webhook/rotate", posting(rotate::handle)),
        RouteKind::Change.at("/webhook/disable", posting(disable::handle)),
        RouteKind::Change.at("/webhook/enable", posting(enable::handle)),
        RouteKind::Change.at("/webhook/delete", posting(delete::handle)),
    ]
}
