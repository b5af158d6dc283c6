//! `GET /operations/cases`. It must decide none.

use crate::operator_request::OperatorRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::operations::cases;

pub(in crate::routes) async fn handle(
    _: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let query = cases::parse(&call.attributes, call.handling)?;
    let found = call.administration.cases().await;
    let found = found.map_err(|error| HttpReply::unavailable(&error))?;
    let rows = cases::listing(found, &OperatorRequest::zone(), &query);
    let links = cases::link_header(&rows, &query);
    let fields = cases::view(&rows, &query);
    let reply = HttpReply::success(StatusCode::OK, "What waits for a person.", fields);
    Ok(collection::part(reply, rows.found.len(), &links))
}
