//! Bulk transfers, one operation per file. It must not know what a payout is charged.

mod cancel;
mod list;
mod order;
mod report;

use super::row::{RouteKind, RouteRow, operation};
use crate::reply::HttpReply;
use http::StatusCode;
use wire::attribute::REFERENCE;
use wire::violations::Violations;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at("/transfer/bulk", operation(list::handle)),
        RouteKind::Bulk.at("/transfer/bulk", operation(order::handle)),
        RouteKind::Page.at("/transfer/bulk/transaction", operation(report::handle)),
        RouteKind::Change.at("/transfer/bulk/cancel", operation(cancel::handle)),
    ]
}

/// A batch of another merchant does not exist.
fn unknown() -> HttpReply {
    let violations = Violations::of(&REFERENCE, "names no bulk transfer in your account");
    HttpReply::params(StatusCode::NOT_FOUND, "Not found.", violations)
}
