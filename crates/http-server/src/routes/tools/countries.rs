//! `GET /tools/countries`.

use crate::authenticated_request::AuthenticatedRequest;
use crate::layers::entity_tag;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::listing::Listing;
use wire::tools::countries::{self, ListedCountry};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = countries::parse(&call.attributes, call.handling)?;
    let all = gateway.served_countries(&call.merchant).into_iter();
    let all = all.map(|served| ListedCountry {
        code: served.country,
        services: served.services,
    });
    let listing = Listing::whole(all.collect());
    let fields = countries::view(&listing, &paging);
    let links = countries::link_header(&listing, &paging);
    let reply = HttpReply::success(StatusCode::OK, "The countries.", fields);
    let reply = collection::part(reply, listing.found.len(), &links);
    Ok(entity_tag::asked_again(reply))
}
