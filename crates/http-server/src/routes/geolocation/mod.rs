//! `/geolocation/:type`. A type without an operation must be refused, not answered with something
//! else.

mod device;
mod ipaddress;

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::PaidLookup.at("/geolocation/device", operation(device::handle)),
        RouteKind::Read.at("/geolocation/ipaddress", operation(ipaddress::handle)),
    ]
}
