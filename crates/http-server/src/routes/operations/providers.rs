//! `/operations/providers`. It must reach no provider.

use super::approvals;
use crate::operator_request::OperatorRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::operations::{change, providers};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let page = providers::parse(&call.attributes, call.handling)?;
    let rows = providers::listing(gateway.provider_overview(), &OperatorRequest::zone());
    let links = providers::link_header(&rows, &page);
    let fields = providers::view(&rows, &page);
    let reply = HttpReply::success(StatusCode::OK, "The providers.", fields);
    Ok(collection::part(reply, rows.found.len(), &links))
}

pub(in crate::routes) async fn ask(
    gateway: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = change::parse_provider(&call.attributes, call.handling)?;
    if let Some(provider) = wanted.0.provider() {
        super::is_known(&gateway, provider)?;
    }
    approvals::ask(&call, wanted).await
}
