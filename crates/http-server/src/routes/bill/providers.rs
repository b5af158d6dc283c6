//! The billers of a category. It must not decide which billers can be paid.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use domain::bill::BillCategory;
use http::StatusCode;
use wire::attribute::PROVIDER_IDENTIFIER;
use wire::bill::providers;
use wire::listing::Listing;

pub(super) fn handle(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    category: BillCategory,
) -> Result<HttpReply, HttpReply> {
    let query = providers::parse(&call.attributes, call.handling, category)?;
    let place = (category, query.country);
    if let Some(only) = &query.only {
        let found = gateway.biller(&call.merchant, place, only);
        let biller =
            found.map_err(|refused| HttpReply::refused_provider(refused, &PROVIDER_IDENTIFIER))?;
        let fields = providers::view_one(&biller);
        return Ok(HttpReply::success(StatusCode::OK, "The provider.", fields));
    }
    let listing = Listing::whole(gateway.billers(&call.merchant, place)?);
    let fields = providers::view(&listing, &query);
    let links = providers::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The providers.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}
