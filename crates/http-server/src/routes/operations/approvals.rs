//! `GET /operations/approvals`, and how the other operations ask for a change. They must change
//! nothing: an operator grants it on the command line.

use crate::admission::operators::{log_unreadable, unknown_operator};
use crate::operator_request::OperatorRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::operators::change_requests::{NotRequested, TrackedRequest};
use domain::operations::change_request::{ChangeReason, RequestedChange};
use http::StatusCode;
use wire::operations::approvals::{self, ShownRequest};

pub(in crate::routes) async fn handle(
    _: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let query = approvals::parse(&call.attributes, call.handling)?;
    let found = call.administration.change_requests().await;
    let found = found.map_err(log_unreadable)?;
    let shown = found.into_iter().map(shown).collect();
    let rows = approvals::listing(shown, &OperatorRequest::zone(), &query);
    let links = approvals::link_header(&rows, &query);
    let fields = approvals::page(&rows, &query);
    let reply = HttpReply::success(StatusCode::OK, "What operators asked for.", fields);
    Ok(collection::part(reply, rows.found.len(), &links))
}

/// Asks for a change in the name of the operator.
pub(super) async fn ask(
    call: &OperatorRequest,
    wanted: (RequestedChange, ChangeReason),
) -> Result<HttpReply, HttpReply> {
    let credentials = call.credentials.pair().unwrap_or_default();
    let asked = call.administration.ask(credentials, wanted).await;
    let asked = asked.map_err(refused)?;
    let message = "It is asked for; another operator grants it with manilla approve.";
    let fields = approvals::view(&shown(asked), &OperatorRequest::zone());
    Ok(HttpReply::success(StatusCode::ACCEPTED, message, fields))
}

fn shown(TrackedRequest { request, state, .. }: TrackedRequest) -> ShownRequest {
    ShownRequest { request, state }
}

fn refused(why: NotRequested) -> HttpReply {
    match why {
        NotRequested::NoOperator => unknown_operator(),
        NotRequested::TooMany => HttpReply::request(
            StatusCode::CONFLICT,
            "Too many of your requests wait.",
            format!("{why}; have them granted or refused first, with manilla approve"),
        ),
        NotRequested::NotSigned(why) => log_unreadable(why),
        NotRequested::Store(error) => HttpReply::unavailable(&error),
    }
}
