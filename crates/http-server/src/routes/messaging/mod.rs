//! Messages of every kind. Nothing here may know which provider reports them.

mod incoming;

use super::row::{RouteKind, RouteRow, operation};
use wire::messaging::incoming::PATH;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![RouteKind::Page.at(PATH, operation(incoming::list))]
}
