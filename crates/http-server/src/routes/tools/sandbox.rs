//! `GET /tools/sandbox`.

use crate::authenticated_request::AuthenticatedRequest;
use crate::layers::entity_tag;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::tools::sandbox;

pub(in crate::routes) async fn handle(
    _gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = sandbox::parse(&call.attributes, call.handling)?;
    let message = "The outcomes that numbers force in the sandbox.";
    let reply = HttpReply::success(StatusCode::OK, message, sandbox::view(&query));
    let found = sandbox::listing(&query).found.len();
    let reply = collection::part(reply, found, &sandbox::link_header(&query));
    Ok(entity_tag::kept(reply))
}
