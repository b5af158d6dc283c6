//! `/account/approvals`. It must show and decide of payments of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::account::approvals::{self, ApprovalsPart};

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = approvals::parse(&call.attributes, call.handling)?;
    let wanted = collection::page_of(&paging);
    let found = gateway.awaiting_approval(&call.merchant, wanted).await?;
    let part = ApprovalsPart {
        payments: &found.payments,
        total: found.total,
    };
    let fields = approvals::view(part, &paging, &call.zone());
    let reply = HttpReply::success(StatusCode::OK, "What waits for an approval.", fields);
    let links = approvals::link_header(part, &paging);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn decide(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (reference, verdict) = approvals::parse_decision(&call.attributes, call.handling)?;
    let decided = gateway
        .decide(&call.merchant, (&reference, verdict))
        .await?;
    let fields = approvals::decided(&reference, verdict, &decided.payments);
    let reply = HttpReply::success(StatusCode::OK, "It is decided.", fields);
    Ok(reply.marked(decided.replay))
}

#[cfg(test)]
mod tests;
