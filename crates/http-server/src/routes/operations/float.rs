//! `GET /operations/float`. It must reach no provider: what a server read last is shown.

use crate::operator_request::OperatorRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::operations::float;

pub(in crate::routes) async fn handle(
    _: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let page = float::parse(&call.attributes, call.handling)?;
    let floats = call.administration.floats().await;
    let floats = floats.map_err(|error| HttpReply::unavailable(&error))?;
    let rows = float::listing(floats, &OperatorRequest::zone());
    let links = float::link_header(&rows, &page);
    let fields = float::view(&rows, &page);
    let reply = HttpReply::success(StatusCode::OK, "What is left at the providers.", fields);
    Ok(collection::part(reply, rows.found.len(), &links))
}
