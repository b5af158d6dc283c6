//! The plans of a biller. It must not price: prices come with the plans.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use domain::bill::BillCategory;
use http::StatusCode;
use wire::bill::plans;
use wire::listing::Listing;

pub(super) fn handle(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    category: BillCategory,
) -> Result<HttpReply, HttpReply> {
    let query = plans::parse(&call.attributes, call.handling, category)?;
    let (biller, found) = gateway.bill_plans(&call.merchant, (category, &query.provider))?;
    let found = found.into_iter().map(|priced| (priced.plan, priced.price));
    let listing = Listing::whole(found.collect());
    let fields = plans::view(&biller, &listing, &query);
    let links = plans::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The plans of the provider.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}
