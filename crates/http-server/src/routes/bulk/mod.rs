//! Bulk transfers, and what can be done with batches of any kind, one operation per file. It must
//! not know what a payment is charged.

mod cancel;
mod list;
mod order;
mod report;

use super::row::{RouteKind, RouteRow, operation};
use crate::reply::HttpReply;
use application::BatchResult;
use domain::access::AccessScope;
use domain::batch::BatchKind;
use http::StatusCode;
use wire::attribute::REFERENCE;
use wire::bulk::{outcome, report_path, view};
use wire::violations::Violations;
use wire::zone::Zone;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let mut rows = rows_of(
        BatchKind::BankTransfers,
        [
            "/transfer/bulk",
            "/transfer/bulk/transaction",
            "/transfer/bulk/cancel",
        ],
    );
    rows.push(RouteKind::Bulk.at("/transfer/bulk", operation(order::handle)));
    rows
}

/// What can be done with the batches of any kind: listed, reported and cancelled, at these paths.
pub(super) fn rows_of(kind: BatchKind, [list, report, cancel]: [&'static str; 3]) -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(
            list,
            operation(move |gateway, call| list::handle(gateway, call, kind)),
        ),
        RouteKind::Page.at(
            report,
            operation(move |gateway, call| report::handle(gateway, call, kind)),
        ),
        RouteKind::Change
            .at(
                cancel,
                operation(move |gateway, call| cancel::handle(gateway, call, kind)),
            )
            .needing(AccessScope::Pay),
    ]
}

/// The answer to a request that opened a batch, of whatever kind.
pub(super) fn accepted(opened: &BatchResult, zone: &Zone) -> HttpReply {
    let (batch, progress) = (&opened.batch, &opened.progress);
    let fields = view(batch, progress, zone);
    let reply = HttpReply::success(StatusCode::ACCEPTED, outcome(batch.kind, progress), fields);
    let reply = reply.located(&report_path(batch.kind, &batch.reference));
    reply.marked(opened.replay)
}

/// A batch of another merchant does not exist.
fn unknown(kind: BatchKind) -> HttpReply {
    let message = match kind {
        BatchKind::BankTransfers => "names no bulk transfer in your account",
        BatchKind::Payroll => "names no payroll in your account",
        BatchKind::Messages => "names no bulk message in your account",
    };
    let violations = Violations::of(&REFERENCE, message);
    HttpReply::params(StatusCode::NOT_FOUND, "Not found.", violations)
}
