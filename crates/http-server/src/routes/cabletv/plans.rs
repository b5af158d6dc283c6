//! `GET /payment/cabletv/plans`. It must not price: prices come with the plans.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::cabletv::plans;
use wire::listing::Listing;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = plans::parse(&call.attributes, call.handling)?;
    if let Some(only) = &query.only {
        let (provider, priced) = gateway.cable_plan(&call.merchant, (&query.provider, only))?;
        let fields = plans::view_one(&provider, (&priced.plan, priced.price));
        return Ok(HttpReply::success(StatusCode::OK, "The plan.", fields));
    }
    let (provider, found) = gateway.cable_plans(&call.merchant, &query.provider)?;
    let found = found.into_iter().map(|priced| (priced.plan, priced.price));
    let listing = Listing::whole(found.collect());
    let fields = plans::view(&provider, &listing, &query);
    let links = plans::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The plans of the provider.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};
    use serde_json::json;

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/payment/cabletv/plans?{query}")))
            .await
    }

    #[tokio::test]
    async fn the_plans_of_a_provider_are_shown_with_their_prices() {
        let list = ask("provider=2").await;
        list.assert_success(200);
        assert_eq!(list.json["brandname"], "GOtv");
        assert_eq!(list.json["company"], "GOtv Plc");
        let plan = json!({
            "identifier": "204", "name": "GOtv Jolli", "validity": 30,
            "amount": "3,800.00", "price": "3,724.00", "currency": "NGN",
        });
        assert_eq!(list.json["plans"], json!([plan]));
    }

    #[tokio::test]
    async fn the_list_comes_in_parts_as_every_collection() {
        let part = ask("provider=2&length=1&offset=1&sort=desc").await;
        part.assert_success(200);
        assert_eq!(part.json["metadata"]["total"], 0);
        let query = json!({"length": 1, "offset": 1, "total": 1, "found": 1});
        assert_eq!(part.json["query"], query);
        assert_eq!(part.header("total"), "1");
        assert!(part.header("link").contains("rel=\"first\""));
        let bad = ask("provider=2&length=101&orderby=password").await;
        bad.assert_error(400, None, "/params/length");
        bad.assert_error(400, None, "/params/orderby");
    }

    #[tokio::test]
    async fn one_plan_is_the_whole_answer() {
        let one = ask("provider=2&identifier=204").await;
        one.assert_success(200);
        assert_eq!(one.json["brandname"], "GOtv");
        assert_eq!(one.json["identifier"], "204");
        assert_eq!(one.json["price"], "3,724.00");
        assert!(one.json.get("plans").is_none());
    }

    #[tokio::test]
    async fn a_plan_belongs_to_its_provider() {
        let unknown = ask("provider=2&identifier=999").await;
        unknown.assert_error(404, Some(830), "/params/identifier");
        let another = ask("provider=2&identifier=304").await;
        another.assert_error(404, Some(830), "/params/identifier");
        let unlisted = ask("provider=9&identifier=204").await;
        unlisted.assert_error(404, Some(820), "/params/provider");
        let missing = ask("identifier=204").await;
        missing.assert_error(405, Some(820), "/params/provider");
    }
}
