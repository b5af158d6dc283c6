//! `GET /payment/internet/providers`. It must not decide which operators can be paid.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::internet::providers;
use wire::listing::Listing;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = providers::parse(&call.attributes, call.handling)?;
    let listed = gateway.data_providers(&call.merchant, query.country, query.retrieve)?;
    let listing = Listing {
        found: listed.found,
        total: listed.total,
    };
    let fields = providers::view(&listing, &query);
    let links = providers::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The providers of internet data.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};
    use serde_json::json;

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/payment/internet/providers?{query}")))
            .await
    }

    #[tokio::test]
    async fn the_list_holds_what_can_be_bought_now_or_everything_active() {
        let now = ask("countryCode=566").await;
        now.assert_success(200);
        assert_eq!(now.json["providers"][0]["identifier"], "1");
        assert_eq!(now.json["providers"][0]["commission"], "2.00");
        assert_eq!(now.json["metadata"]["total"], 1);
        assert_eq!(now.json["query"]["total"], 2);
        let all = ask("countryCode=566&retrieve=all").await;
        assert_eq!(all.json["metadata"]["total"], 2);
    }

    #[tokio::test]
    async fn the_list_comes_in_parts_as_every_collection() {
        let part = ask("countryCode=566&retrieve=all&length=1&offset=1&sort=desc").await;
        part.assert_success(200);
        assert_eq!(part.json["metadata"]["total"], 1);
        let query = json!({"length": 1, "offset": 1, "total": 2, "found": 2});
        assert_eq!(part.json["query"], query);
        assert_eq!(part.header("total"), "2");
        assert!(part.header("link").contains("rel=\"first\""));
        let bad = ask("countryCode=566&retrieve=all&length=101&orderby=password").await;
        bad.assert_error(400, None, "/params/length");
        bad.assert_error(400, None, "/params/orderby");
    }

    #[tokio::test]
    async fn the_country_is_needed_and_must_be_served() {
        let missing = ask("").await;
        missing.assert_error(405, Some(851), "/params/countryCode");
        let abroad = ask("countryCode=288").await;
        abroad.assert_error(400, Some(851), "/params/countryCode");
        let other = ask("countryCode=566&retrieve=some").await;
        other.assert_error(400, None, "/params/retrieve");
    }
}
