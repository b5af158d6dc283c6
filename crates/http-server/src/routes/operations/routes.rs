//! `GET /operations/routes`. It must reach no provider.

use crate::operator_request::OperatorRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::operations::routes;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let page = routes::parse(&call.attributes, call.handling)?;
    let rows = routes::listing(gateway.route_overview(), &OperatorRequest::zone());
    let links = routes::link_header(&rows, &page);
    let fields = routes::view(&rows, &page);
    let reply = HttpReply::success(StatusCode::OK, "The routes.", fields);
    Ok(collection::part(reply, rows.found.len(), &links))
}
