//! The merchant's own account. Nothing here may change it.

mod balance;
mod permissions;
mod profile;
mod statement;
mod transactions;

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/account/profile", operation(profile::handle)),
        RouteKind::Read.at("/account/permissions", operation(permissions::handle)),
        RouteKind::Read.at("/account/balance", operation(balance::handle)),
        RouteKind::Page.at("/account/statement", operation(statement::handle)),
        RouteKind::List.at(
            "/account/transactions/{category}",
            operation(transactions::handle),
        ),
    ]
}
