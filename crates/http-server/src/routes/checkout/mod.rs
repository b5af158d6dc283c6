//! `/checkout`: sessions that merchants open, and the pages on which their customers pay. Nothing
//! here may decide what was paid.

pub(crate) mod page;
mod session;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Page.at("/checkout/session", operation(session::list)),
        RouteKind::Money.at("/checkout/session", operation(session::open)),
        RouteKind::Read.at("/checkout/session/transaction", operation(session::report)),
        RouteKind::Change
            .at("/checkout/cancel", operation(session::cancel))
            .needing(AccessScope::Pay),
    ]
}

#[cfg(test)]
mod tests;
