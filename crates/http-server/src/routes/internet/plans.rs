//! `GET /payment/internet/plans`. It must not price: prices come with the plans.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::internet::plans;
use wire::listing::Listing;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = plans::parse(&call.attributes, call.handling)?;
    let asked = gateway.data_plans(&call.merchant, &query.provider, query.retrieve);
    let (provider, listed) = asked?;
    let found = listed.found.into_iter();
    let listing = Listing {
        found: found.map(|priced| (priced.plan, priced.price)).collect(),
        total: listed.total,
    };
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
            .send(get(&format!("/payment/internet/plans?{query}")))
            .await
    }

    #[tokio::test]
    async fn the_list_holds_what_can_be_bought_now_or_everything_active() {
        let now = ask("provider=1").await;
        now.assert_success(200);
        assert_eq!(now.json["brandname"], "MTN");
        let plan = json!({
            "identifier": "105", "name": "1.5GB 30 days", "validity": "30",
            "amount": "1,200.00", "price": "1,176.00", "currency": "NGN",
        });
        assert_eq!(now.json["plans"], json!([plan]));
        assert_eq!(now.json["query"]["total"], 2);
        let all = ask("provider=1&retrieve=all").await;
        assert_eq!(all.json["metadata"]["total"], 2);
    }

    #[tokio::test]
    async fn a_provider_that_cannot_be_paid_sells_nothing_now() {
        let now = ask("provider=2").await;
        now.assert_success(200);
        assert_eq!(now.json["plans"], json!([]));
        let all = ask("provider=2&retrieve=all").await;
        assert_eq!(all.json["metadata"]["total"], 2);
    }

    #[tokio::test]
    async fn the_list_comes_in_parts_as_every_collection() {
        let part = ask("provider=1&retrieve=all&length=1&offset=1&sort=desc").await;
        part.assert_success(200);
        assert_eq!(part.json["metadata"]["total"], 1);
        let query = json!({"length": 1, "offset": 1, "total": 2, "found": 2});
        assert_eq!(part.json["query"], query);
        assert_eq!(part.header("total"), "2");
        assert!(part.header("link").contains("rel=\"first\""));
        let bad = ask("provider=1&retrieve=all&length=101&orderby=password").await;
        bad.assert_error(400, None, "/params/length");
        bad.assert_error(400, None, "/params/orderby");
    }

    #[tokio::test]
    async fn the_provider_is_needed_and_must_be_known() {
        let missing = ask("").await;
        missing.assert_error(405, Some(820), "/params/provider");
        let unknown = ask("provider=9").await;
        unknown.assert_error(404, Some(820), "/params/provider");
        let other = ask("provider=1&retrieve=some").await;
        other.assert_error(400, None, "/params/retrieve");
    }
}
