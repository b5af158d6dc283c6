//! `/geolocation/:type`. A type without an operation must be refused, not answered with something
//! else.

mod ipaddress;

use super::row::{RouteKind, RouteRow, getting};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![RouteKind::Read.at("/geolocation/ipaddress", getting(ipaddress::handle))]
}
