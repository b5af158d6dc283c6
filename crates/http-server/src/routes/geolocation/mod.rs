//! `/geolocation/:type`. A type without an operation must be refused, not answered with something
//! else.

mod ipaddress;

use super::table::{self, RouteKind, RouteRow};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![RouteKind::Read.at("/geolocation/ipaddress", || {
        table::getting(ipaddress::handle)
    })]
}
