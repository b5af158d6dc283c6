//! `/billing/refund` and what is below it. They must leave it to the ledger whether money came
//! back, and show refunds of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use domain::refund::RefundStatus;
use http::StatusCode;
use wire::billing::refunds::{self, RefundsPart, view_one};
use wire::transaction::parse_reference;

pub(super) async fn ask(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = refunds::parse(&call.attributes, call.handling)?;
    let asked = gateway.ask_for_refund(&call.merchant, wanted, call.retry_key());
    let asked = asked.await?;
    let status = asked.state.status();
    // It is asked for, and nothing has moved.
    let code = match status {
        RefundStatus::Pending => StatusCode::ACCEPTED,
        RefundStatus::Completed | RefundStatus::Refused => StatusCode::OK,
    };
    let fields = view_one(&asked.state, &call.zone());
    let reply = HttpReply::success(code, refunds::outcome(status), fields);
    let reply = reply.located(&refunds::path(&asked.state.request.reference));
    Ok(reply.marked(asked.replay))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = refunds::parse_list(&call.attributes, call.handling)?;
    let wanted = collection::page_of(&paging);
    let found = gateway.refunds(&call.merchant, wanted).await?;
    let part = RefundsPart {
        refunds: &found.refunds,
        total: found.total,
    };
    let fields = refunds::view(part, &paging, &call.zone());
    let reply = HttpReply::success(StatusCode::OK, "The refunds.", fields);
    let links = refunds::link_header(part, &paging);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = parse_reference(&call.attributes, call.handling)?;
    let state = gateway.refund(&call.merchant, &reference).await?;
    let message = refunds::outcome(state.status());
    let fields = view_one(&state, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}

#[cfg(test)]
mod tests;
