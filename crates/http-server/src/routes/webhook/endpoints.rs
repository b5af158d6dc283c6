//! `GET /webhook/endpoint`. It must never show a secret.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::webhook::{endpoint, endpoints};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = endpoints::parse(&call.attributes, call.handling)?;
    if let Some(only) = query.only {
        let found = gateway.endpoint(&call.merchant, only).await?;
        let fields = endpoint::view(&found, &call.zone());
        return Ok(HttpReply::success(StatusCode::OK, "The endpoint.", fields));
    }
    let found = gateway.endpoints(&call.merchant).await?;
    let listing = endpoints::listing(found, &call.zone());
    let fields = endpoints::view(&listing, &query);
    let links = endpoints::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The endpoints.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, bare, get, post_of, request_of};

    #[tokio::test]
    async fn the_list_holds_the_endpoints_of_the_account_in_parts() {
        let world = RouteTestWorld::new().await;
        world.endpoint_of("other").await;
        let (first, second) = (world.endpoint().await, world.endpoint().await);
        let part = world
            .send(get("/webhook/endpoint?length=1&sort=desc"))
            .await;
        part.assert_success(200);
        assert_eq!(part.header("total"), "2");
        assert!(part.header("link").contains("rel=\"next\""));
        assert_eq!(part.json["query"]["total"], 2);
        let whole = world.send(get("/webhook/endpoint")).await;
        let numbers: Vec<_> = whole.json["endpoints"].as_array().unwrap().iter().collect();
        let numbers: Vec<_> = numbers
            .iter()
            .map(|it| it["whkIdentifier"].as_u64())
            .collect();
        let mut expected = vec![Some(first), Some(second)];
        expected.sort_unstable();
        assert_eq!(numbers, expected);
        assert!(!whole.text.contains("whsec_"), "{}", whole.text);
    }

    #[tokio::test]
    async fn the_endpoint_of_another_account_looks_like_an_absent_one() {
        let world = RouteTestWorld::new().await;
        let theirs = world.endpoint_of("other").await;
        let gone = world.endpoint().await;
        world.ask_endpoint("delete", gone).await.assert_success(200);
        let event = r#""evtIdentifier":"evt_1_1""#;
        let time = r#""whkFrom":"2026-01-01T00:00:00Z","whkUntil":"2027-01-01T00:00:00Z""#;
        let reported = async |number: u64| {
            let mut answers = Vec::new();
            for path in ["/webhook/endpoint", "/webhook/deliveries"] {
                let target = format!("{path}?whkIdentifier={number}");
                let request = bare(request_of("shop", "GET", &target));
                answers.push(world.send(request).await);
            }
            let named = format!(r#"{{"whkIdentifier":{number}}}"#);
            for what in ["test", "rotate", "disable", "enable", "delete"] {
                let path = format!("/webhook/{what}");
                answers.push(world.send(post_of("shop", &path, named.clone())).await);
            }
            for what in [event, time] {
                let body = format!(r#"{{"whkIdentifier":{number},{what}}}"#);
                answers.push(world.send(post_of("shop", "/webhook/replay", body)).await);
            }
            answers
        };
        let without_id =
            |answer: &TestAnswer| answer.text.replace(answer.header("x-request-id"), "");
        let (theirs, gone) = (reported(theirs).await, reported(gone).await);
        assert_eq!(theirs.len(), 9);
        for (theirs, gone) in theirs.iter().zip(&gone) {
            theirs.assert_error(404, None, "/params/whkIdentifier");
            assert_eq!(without_id(theirs), without_id(gone));
        }
        let list = request_of("other", "GET", "/webhook/endpoint");
        let list = world.send(bare(list)).await;
        assert_eq!(list.json["endpoints"][0]["whkStatus"], "Enabled");
    }
}
