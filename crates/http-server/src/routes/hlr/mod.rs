//! Lookups of mobile numbers (interface §4.8). Nothing here may know which provider's register is
//! queried.

pub(super) mod lookup;

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![RouteKind::PaidLookup.at("/vas/hlrlookup", operation(lookup::handle))]
}
