//! Bulk transfers, one operation per file. It must not know what a payout is charged.

pub(super) mod cancel;
pub(super) mod list;
mod order;
pub(super) mod report;

use super::row::{RouteKind, RouteRow, operation};
use crate::reply::HttpReply;
use application::{BatchResult, ReplayMark};
use domain::batch::BatchKind;
use http::StatusCode;
use wire::attribute::REFERENCE;
use wire::bulk::{outcome, report_path, view};
use wire::violations::Violations;
use wire::zone::Zone;

const KIND: BatchKind = BatchKind::BankTransfers;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(
            "/transfer/bulk",
            operation(|gateway, call| list::handle(gateway, call, KIND)),
        ),
        RouteKind::Bulk.at("/transfer/bulk", operation(order::handle)),
        RouteKind::Page.at(
            "/transfer/bulk/transaction",
            operation(|gateway, call| report::handle(gateway, call, KIND)),
        ),
        RouteKind::Change.at(
            "/transfer/bulk/cancel",
            operation(|gateway, call| cancel::handle(gateway, call, KIND)),
        ),
    ]
}

/// The answer to a request that opened a batch, of whatever kind.
pub(super) fn accepted(opened: &BatchResult, zone: &Zone) -> HttpReply {
    let (batch, progress) = (&opened.batch, &opened.progress);
    let fields = view(batch, progress, zone);
    let reply = HttpReply::success(StatusCode::ACCEPTED, outcome(progress), fields);
    let reply = reply.located(&report_path(batch.kind, &batch.reference));
    match opened.replay {
        ReplayMark::New => reply,
        ReplayMark::Replayed => reply.replayed(),
    }
}

/// A batch of another merchant does not exist.
fn unknown(kind: BatchKind) -> HttpReply {
    let message = match kind {
        BatchKind::BankTransfers => "names no bulk transfer in your account",
        BatchKind::Payroll => "names no payroll in your account",
    };
    let violations = Violations::of(&REFERENCE, message);
    HttpReply::params(StatusCode::NOT_FOUND, "Not found.", violations)
}
