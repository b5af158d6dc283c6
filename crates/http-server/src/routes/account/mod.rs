//! The merchant's own account. Nothing here may change it.

mod balance;
mod statement;

use super::table::{self, RouteKind, RouteRow};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/account/balance", || table::getting(balance::handle)),
        RouteKind::Page.at("/account/statement", || table::getting(statement::handle)),
    ]
}
