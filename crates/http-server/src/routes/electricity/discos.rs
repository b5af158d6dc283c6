//! `GET /payment/electricity/discos`. It must not decide which billers can be paid.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::electricity::discos;
use wire::listing::Listing;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = discos::parse(&call.attributes, call.handling)?;
    let listed = gateway.discos(&call.merchant, query.country, query.retrieve)?;
    let listing = Listing {
        found: listed.found,
        total: listed.total,
    };
    let fields = discos::view(&listing, &query);
    let links = discos::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The distribution companies.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};
    use serde_json::Value;

    #[tokio::test]
    async fn the_list_holds_what_can_be_paid_now_or_everything_active() {
        let world = RouteTestWorld::new().await;
        let now = world
            .send(get("/payment/electricity/discos?countryCode=566"))
            .await;
        now.assert_success(200);
        assert_eq!(now.json["discos"][0]["identifier"], "101");
        assert_eq!(now.json["discos"][0]["comPrepaid"], "2.50");
        assert_eq!(now.json["metadata"]["total"], 1);
        let all = world
            .send(get(
                "/payment/electricity/discos?countryCode=566&retrieve=all",
            ))
            .await;
        assert_eq!(all.json["metadata"]["total"], 2);
    }

    #[tokio::test]
    async fn the_list_comes_in_parts_as_every_collection() {
        let world = RouteTestWorld::new().await;
        let path = "/payment/electricity/discos?countryCode=566&retrieve=all&length=1&offset=1";
        let part = world.send(get(path)).await;
        part.assert_success(200);
        assert_eq!(part.json["discos"][0]["identifier"], "102");
        assert_eq!(part.json["metadata"]["total"], 1);
        let query = r#"{"length":1,"offset":1,"total":2,"found":2}"#;
        assert_eq!(
            part.json["query"],
            serde_json::from_str::<Value>(query).unwrap()
        );
        assert_eq!(part.header("total"), "2");
        assert!(part.header("link").contains("rel=\"prev\""));
        let now = world
            .send(get("/payment/electricity/discos?countryCode=566"))
            .await;
        assert_eq!(now.json["query"]["found"], 1);
        assert_eq!(now.json["query"]["total"], 2);
    }

    #[tokio::test]
    async fn the_country_is_needed_and_must_be_served() {
        let world = RouteTestWorld::new().await;
        let missing = world.send(get("/payment/electricity/discos")).await;
        missing.assert_error(405, Some(851), "/params/countryCode");
        let abroad = world
            .send(get("/payment/electricity/discos?countryCode=288"))
            .await;
        abroad.assert_error(400, Some(851), "/params/countryCode");
        let other = world
            .send(get(
                "/payment/electricity/discos?countryCode=566&retrieve=some",
            ))
            .await;
        other.assert_error(400, None, "/params/retrieve");
    }
}
