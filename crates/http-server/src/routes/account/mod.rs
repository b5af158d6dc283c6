//! The merchant's own account, its keys, users, limits and top-ups. Nothing here may show another
//! one.

mod approvals;
mod balance;
mod keys;
mod limits;
mod permissions;
mod profile;
mod statement;
mod topup;
mod transactions;
mod users;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations. Who may do what is for keys that may say so: the lists of users too, which show
/// where people are reached. What waits for an approval is decided of by those who may pay.
pub(super) fn rows() -> Vec<RouteRow> {
    let admin = |row: RouteRow| row.needing(AccessScope::Admin);
    let change = |path, handler| admin(RouteKind::Change.at(path, handler));
    vec![
        change("/account/keys", operation(keys::create)),
        change("/account/keys/revoke", operation(keys::revoke)),
        admin(RouteKind::Page.at("/account/users", operation(users::list))),
        change("/account/users", operation(users::invite)),
        change("/account/users/activate", operation(users::activate)),
        change("/account/users/disable", operation(users::disable)),
        RouteKind::Read.at("/account/limits", operation(limits::list)),
        change("/account/limits", operation(limits::set)),
        RouteKind::Page
            .at("/account/approvals", operation(approvals::list))
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at("/account/approvals", operation(approvals::decide))
            .needing(AccessScope::Pay),
        RouteKind::Read.at("/account/profile", operation(profile::handle)),
        RouteKind::Read.at("/account/permissions", operation(permissions::handle)),
        RouteKind::Read.at("/account/balance", operation(balance::handle)),
        RouteKind::Page.at("/account/statement", operation(statement::handle)),
        RouteKind::List.at(
            "/account/transactions/{category}",
            operation(transactions::handle),
        ),
        RouteKind::Page.at("/account/topup", operation(topup::list)),
        // It moves nothing, so that a key that only manages may say what will be paid in.
        RouteKind::Change.at("/account/topup", operation(topup::announce)),
        RouteKind::Read.at("/account/topup/transaction", operation(topup::report)),
    ]
}
