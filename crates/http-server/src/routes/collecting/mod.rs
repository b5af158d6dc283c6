//! `/collection`: account numbers and payment references, one file for each, and what is paid to
//! them. Nothing here may show another account, nor decide what was paid.

mod account;
mod invoice;
mod payment;
mod reading;
mod step;

use super::row::{RouteKind, RouteRow, operation};
use crate::reply::HttpReply;
use domain::access::AccessScope;
use domain::collection::CollectionState;
use http::StatusCode;
use wire::collection::{CollectionContext, view_one};

/// Its operations. What money comes in by is for keys that may pay: who closes a collection decides
/// about money too.
pub(super) fn rows() -> Vec<RouteRow> {
    let change = |row: RouteRow| row.needing(AccessScope::Pay);
    vec![
        RouteKind::Page.at("/collection/account", operation(account::list)),
        RouteKind::Money.at("/collection/account", operation(account::make)),
        RouteKind::Read.at(
            "/collection/account/transaction",
            operation(account::report),
        ),
        RouteKind::Page.at("/collection/invoice", operation(invoice::list)),
        RouteKind::Money.at("/collection/invoice", operation(invoice::make)),
        RouteKind::Read.at(
            "/collection/invoice/transaction",
            operation(invoice::report),
        ),
        RouteKind::Page.at("/collection/transaction", operation(payment::list)),
        RouteKind::Money.at("/collection/simulate", operation(payment::simulate)),
        change(RouteKind::Change.at("/collection/suspend", operation(step::suspend))),
        change(RouteKind::Change.at("/collection/resume", operation(step::resume))),
        change(RouteKind::Change.at("/collection/close", operation(step::close))),
    ]
}

/// An answer that shows a collection, with its version for `If-Match`.
fn shown(
    (status, message): (StatusCode, &'static str),
    state: &CollectionState,
    context: CollectionContext<'_>,
) -> HttpReply {
    let reply = HttpReply::success(status, message, view_one(state, context));
    reply.in_version(state.collection.version)
}

#[cfg(test)]
mod tests;
