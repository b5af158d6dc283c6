//! `GET /tools/currencies`.

use crate::authenticated_request::AuthenticatedRequest;
use crate::layers::entity_tag;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::listing::Listing;
use wire::tools::currencies::{self, ListedCurrency};

pub(in crate::routes) async fn handle(
    _gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = currencies::parse(&call.attributes, call.handling)?;
    let listing = Listing::whole(ListedCurrency::all());
    let fields = currencies::view(&listing, &paging);
    let links = currencies::link_header(&listing, &paging);
    let reply = HttpReply::success(StatusCode::OK, "The currencies.", fields);
    let reply = collection::part(reply, listing.found.len(), &links);
    Ok(entity_tag::kept(reply))
}
