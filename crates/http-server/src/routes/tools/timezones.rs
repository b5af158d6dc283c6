//! `GET /tools/timezones`.

use crate::authenticated_request::AuthenticatedRequest;
use crate::layers::entity_tag;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::listing::Listing;
use wire::tools::timezones::{self, ListedZone};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = timezones::parse(&call.attributes, call.handling)?;
    let listing = Listing::whole(ListedZone::all(gateway.now()));
    let fields = timezones::view(&listing, &paging);
    let links = timezones::link_header(&listing, &paging);
    let reply = HttpReply::success(StatusCode::OK, "The time zones.", fields);
    let reply = collection::part(reply, listing.found.len(), &links);
    Ok(entity_tag::kept(reply))
}
