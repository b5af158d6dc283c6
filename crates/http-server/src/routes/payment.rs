//! Answers to payments and reports of every family. They must show of a transaction what was
//! committed, no more and no less.

use crate::reply::HttpReply;
use application::PaymentResult;
use domain::transaction::{Status, Transaction};
use http::StatusCode;
use wire::attribute::REFERENCE;
use wire::tree::Object;
use wire::violations::Violations;
use wire::zone::Zone;

/// A payment: 200 with its final outcome, or 202 and the address of its report.
pub(super) fn paid(paid: &PaymentResult, zone: &Zone) -> HttpReply {
    paid_with(paid, wire::transaction::answer(&paid.transaction, zone))
}

/// The same with the fields of the answer.
pub(super) fn paid_with(paid: &PaymentResult, fields: Object) -> HttpReply {
    let transaction = &paid.transaction;
    let status = match transaction.status() {
        Status::Pending => StatusCode::ACCEPTED,
        Status::Successful | Status::Failed | Status::Reversed => StatusCode::OK,
    };
    let reply = HttpReply::success(status, wire::transaction::outcome(transaction), fields);
    let reply = match transaction.status() {
        Status::Pending => {
            let service = transaction.order.service();
            reply.located(&wire::report_path(service, &transaction.reference))
        }
        Status::Successful | Status::Failed | Status::Reversed => reply,
    };
    reply.marked(paid.replay)
}

/// A report; a transaction of another merchant does not exist.
pub(super) fn report(found: Option<&Transaction>, zone: &Zone) -> Result<HttpReply, HttpReply> {
    report_with(found, |transaction| {
        wire::transaction::report(transaction, zone)
    })
}

/// The same with the fields of the report.
pub(super) fn report_with(
    found: Option<&Transaction>,
    fields: impl FnOnce(&Transaction) -> Object,
) -> Result<HttpReply, HttpReply> {
    let transaction = found.ok_or_else(|| {
        let message = "names no transaction of this service in your account";
        let violations = Violations::of(&REFERENCE, message);
        HttpReply::params(StatusCode::NOT_FOUND, "Not found.", violations)
    })?;
    let fields = fields(transaction);
    let message = wire::transaction::outcome(transaction);
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}
