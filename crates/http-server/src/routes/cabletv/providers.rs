//! `GET /payment/cabletv/providers`. It must not decide which billers can be paid.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::attribute::PROVIDER_IDENTIFIER;
use wire::cabletv::providers;
use wire::listing::Listing;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = providers::parse(&call.attributes, call.handling)?;
    if let Some(only) = &query.only {
        let found = gateway.cable_provider(&call.merchant, (query.country, only));
        let provider =
            found.map_err(|refused| HttpReply::refused_provider(refused, &PROVIDER_IDENTIFIER))?;
        let fields = providers::view_one(&provider);
        return Ok(HttpReply::success(StatusCode::OK, "The provider.", fields));
    }
    let found = gateway.cable_providers(&call.merchant, query.country)?;
    let listing = Listing::whole(found);
    let fields = providers::view(&listing, &query);
    let links = providers::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The cable TV providers.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};
    use serde_json::json;

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/payment/cabletv/providers?{query}")))
            .await
    }

    #[tokio::test]
    async fn the_list_holds_what_can_be_paid_now() {
        let list = ask("countryCode=566").await;
        list.assert_success(200);
        assert_eq!(list.json["providers"][0]["identifier"], "2");
        assert_eq!(list.json["providers"][0]["brandname"], "GOtv");
        assert_eq!(list.json["providers"][0]["commission"], "2.00");
        assert_eq!(list.json["metadata"]["total"], 1);
        assert_eq!(list.json["query"]["total"], 1);
    }

    #[tokio::test]
    async fn the_list_comes_in_parts_as_every_collection() {
        let part = ask("countryCode=566&length=1&offset=1&sort=desc").await;
        part.assert_success(200);
        assert_eq!(part.json["metadata"]["total"], 0);
        let query = json!({"length": 1, "offset": 1, "total": 1, "found": 1});
        assert_eq!(part.json["query"], query);
        assert_eq!(part.header("total"), "1");
        assert!(part.header("link").contains("rel=\"first\""));
        let bad = ask("countryCode=566&length=101&orderby=password").await;
        bad.assert_error(400, None, "/params/length");
        bad.assert_error(400, None, "/params/orderby");
    }

    #[tokio::test]
    async fn one_provider_is_the_whole_answer_whether_it_can_be_paid_or_not() {
        for (code, brandname) in [("2", "GOtv"), ("3", "StarTimes")] {
            let one = ask(&format!("countryCode=566&identifier={code}")).await;
            one.assert_success(200);
            assert_eq!(one.json["identifier"], code);
            assert_eq!(one.json["brandname"], brandname);
            assert!(one.json.get("providers").is_none());
            assert!(!one.headers.contains_key("link"));
        }
    }

    #[tokio::test]
    async fn an_unknown_provider_is_named_as_it_was_requested() {
        let unknown = ask("countryCode=566&identifier=99").await;
        unknown.assert_error(404, Some(820), "/params/identifier");
        let abroad = ask("countryCode=288&identifier=2").await;
        abroad.assert_error(404, Some(820), "/params/identifier");
    }

    #[tokio::test]
    async fn the_country_is_needed_and_must_be_served() {
        let missing = ask("").await;
        missing.assert_error(405, Some(851), "/params/countryCode");
        assert_eq!(missing.header("allow"), "GET, HEAD, OPTIONS");
        let abroad = ask("countryCode=288").await;
        abroad.assert_error(400, Some(851), "/params/countryCode");
    }
}
