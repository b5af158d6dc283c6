//! `GET /vas/lookups`. It must not decide which lookups are sold.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::paid_lookup::SoldLookup;
use http::StatusCode;
use wire::listing::Listing;
use wire::paid_lookup::list::{self, ListedLookup};

pub(super) fn handle(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = list::parse(&call.attributes, call.handling)?;
    let sold = gateway.sold_lookups(&call.merchant, query.country);
    let listing = Listing::whole(sold.into_iter().map(listed).collect());
    let fields = list::view(&listing, &query);
    let links = list::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The lookups.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

fn listed(sold: SoldLookup) -> ListedLookup {
    ListedLookup {
        definition: sold.definition,
        price: sold.price,
        available: sold.available,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};

    #[tokio::test]
    async fn what_is_sold_is_listed_with_what_it_asks_for_and_costs() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(get("/vas/lookups?countryCode=566")).await;
        answer.assert_success(200);
        let lookups = answer.json["lookups"].as_array().unwrap();
        assert_eq!(lookups.len(), 1);
        assert_eq!(lookups[0]["lkpCode"], "sim-age");
        assert_eq!(lookups[0]["needsConsent"], true);
        assert_eq!(lookups[0]["price"], "15.00");
        assert_eq!(lookups[0]["isAvailable"], true);
        assert_eq!(lookups[0]["parameters"][0]["name"], "days");
        let elsewhere = world.send(get("/vas/lookups?countryCode=288")).await;
        assert_eq!(elsewhere.json["lookups"].as_array().unwrap().len(), 0);
        let wrong = world.send(get("/vas/lookups?countryCode=x")).await;
        wrong.assert_error(400, Some(851), "/params/countryCode");
    }
}
