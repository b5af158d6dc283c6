//! Tools for developers, one per file.

mod fees;

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![RouteKind::Read.at("/tools/fees", operation(fees::handle))]
}
