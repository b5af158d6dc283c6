//! The merchant's own account. Nothing here may change it.

mod balance;
mod statement;

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/account/balance", operation(balance::handle)),
        RouteKind::Page.at("/account/statement", operation(statement::handle)),
    ]
}
