//! Lookups that are sold by name. Nothing here may know which lookups there are, or which provider
//! answers them.

mod list;
mod lookup;

pub(super) use lookup::led_to_report;

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at(
            "/vas/lookups",
            operation(|gateway, call| async move { list::handle(&gateway, &call) }),
        ),
        RouteKind::PaidLookup.at("/vas/lookup", operation(lookup::handle)),
    ]
}
