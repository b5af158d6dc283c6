//! `GET /transfer/bank/lists`. It must not decide which banks there are.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::bank::lists;
use wire::listing::Listing;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = lists::parse(&call.attributes, call.handling)?;
    let listing = Listing::whole(gateway.banks(query.country)?);
    let fields = lists::view(&listing, &query);
    let links = lists::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The banks.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};
    use serde_json::json;

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/transfer/bank/lists?{query}")))
            .await
    }

    #[tokio::test]
    async fn the_banks_of_a_country_are_listed_with_their_codes() {
        let list = ask("countryCode=566").await;
        list.assert_success(200);
        let bank = json!({
            "bankIdentifier": "00000000058", "bankType": "Commercial Bank",
            "bankShortname": "GTBank", "bankFullname": "Guaranty Trust Bank",
            "bankLogo": "https://localhost/logos/gtbank", "codeBank": "058",
            "codeTransfer": "000013", "codeUSSD": "*737#",
        });
        assert_eq!(list.json["banks"], json!([bank]));
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
    async fn the_country_is_needed_and_must_be_served() {
        let missing = ask("").await;
        missing.assert_error(405, Some(851), "/params/countryCode");
        let abroad = ask("countryCode=288").await;
        abroad.assert_error(400, Some(851), "/params/countryCode");
    }
}
