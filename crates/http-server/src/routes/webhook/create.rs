//! `POST /webhook/endpoint`. It must not decide whether the URL is acceptable.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::webhook::{EndpointCreated, EndpointWithSecret};
use http::StatusCode;
use wire::webhook::endpoint;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = endpoint::parse(&call.attributes, call.handling)?;
    let created = gateway
        .create_endpoint(&call.merchant, wanted, call.retry_key())
        .await?;
    let (reply, id) = match created {
        EndpointCreated::Now(EndpointWithSecret { endpoint, secret }) => {
            let fields = endpoint::created(&endpoint, &secret, &call.zone());
            let message = "The endpoint; its secret is shown this once.";
            let reply = HttpReply::success(StatusCode::CREATED, message, fields);
            (reply, endpoint.id)
        }
        EndpointCreated::Before(endpoint) => {
            let fields = endpoint::view(&endpoint, &call.zone());
            let message = "The endpoint of the first request, which was answered its secret.";
            let reply = HttpReply::success(StatusCode::OK, message, fields);
            (reply.replayed(), endpoint.id)
        }
    };
    Ok(reply.located(&endpoint::path(id)))
}

#[cfg(test)]
mod tests {
    use crate::testing::webhooks::URL;
    use crate::testing::{RouteTestWorld, get, post};
    use domain::webhook::ENDPOINTS_MAX;

    const PATH: &str = "/webhook/endpoint";

    #[tokio::test]
    async fn an_endpoint_shows_its_secret_once_and_says_where_it_is() {
        let world = RouteTestWorld::new().await;
        let body = format!(
            r#"{{"whkUrl":"{URL}","whkEvents":["transaction.failed"],"whkDescription":"Till 1",
                "whkTokens":true}}"#
        );
        let made = world.send(post(PATH, body)).await;
        made.assert_success(201);
        let secret = made.json["whkSecret"].as_str().unwrap();
        assert_eq!(secret.len(), "whsec_".len() + 44, "{secret}");
        let found = world.send(get(made.header("location"))).await;
        found.assert_success(200);
        assert!(found.json.get("whkSecret").is_none(), "{}", found.text);
        assert_eq!(found.json["whkIdentifier"], made.json["whkIdentifier"]);
        assert_eq!(found.json["whkUrl"], URL);
        assert_eq!(
            found.json["whkEvents"],
            serde_json::json!(["transaction.failed"])
        );
        assert_eq!(found.json["whkDescription"], "Till 1");
        assert_eq!(found.json["whkTokens"], true);
        assert_eq!(found.json["whkStatus"], "Enabled");
    }

    #[tokio::test]
    async fn every_endpoint_has_a_secret_of_its_own() {
        let world = RouteTestWorld::new().await;
        let body = format!(r#"{{"whkUrl":"{URL}"}}"#);
        let secret = async || {
            let made = world.send(post(PATH, body.clone())).await;
            made.json["whkSecret"].clone()
        };
        assert_ne!(secret().await, secret().await);
    }

    #[tokio::test]
    async fn an_address_that_is_not_delivered_to_is_refused_with_the_rule_it_breaks() {
        let world = RouteTestWorld::new().await;
        let refused = world
            .send(post(PATH, r#"{"whkUrl":"ftp://shop.example"}"#))
            .await;
        refused.assert_error(400, None, "/params/whkUrl");
        let reported = &refused.json["errors"]["params"]["whkUrl"][0];
        assert_eq!(reported, "must begin with https://");
        let slow = r#"{"whkUrl":"https://slow.example/events"}"#;
        let slow = world.send_and_wait(post(PATH, slow)).await;
        slow.assert_error(503, None, "/system");
        let list = world.send(get(PATH)).await;
        assert_eq!(list.json["metadata"]["total"], 0);
    }

    #[tokio::test]
    async fn an_event_there_is_not_is_refused_with_those_there_are() {
        let world = RouteTestWorld::new().await;
        let body = format!(r#"{{"whkUrl":"{URL}","whkEvents":"transaction.opened"}}"#);
        let refused = world.send(post(PATH, body)).await;
        refused.assert_error(400, None, "/params/whkEvents");
        assert!(
            refused.text.contains("transaction.successful"),
            "{}",
            refused.text
        );
    }

    #[tokio::test]
    async fn one_endpoint_too_many_is_refused_until_another_is_gone() {
        let world = RouteTestWorld::new().await;
        let first = world.endpoint().await;
        for _ in 1..ENDPOINTS_MAX {
            world.endpoint().await;
        }
        let body = format!(r#"{{"whkUrl":"{URL}"}}"#);
        let refused = world.send(post(PATH, body)).await;
        refused.assert_error(409, None, "/request");
        assert!(
            refused.text.contains("POST /webhook/delete"),
            "{}",
            refused.text
        );
        // The endpoints of one account do not limit those of another.
        world.endpoint_of("other").await;
        world
            .ask_endpoint("delete", first)
            .await
            .assert_success(200);
        world.endpoint().await;
    }

    #[tokio::test]
    async fn a_retry_is_answered_the_endpoint_without_its_secret() {
        let world = RouteTestWorld::new().await;
        let body = |url: &str| format!(r#"{{"whkUrl":"{url}","whkDescription":"Till 1"}}"#);
        let keyed = |body: String| {
            let mut request = post(PATH, body);
            let key = "till 1".try_into().unwrap();
            request.headers_mut().insert("idempotency-key", key);
            request
        };
        let first = world.send(keyed(body(URL))).await;
        first.assert_success(201);
        assert!(first.headers.get("idempotency-replayed").is_none());
        let again = world.send(keyed(body(URL))).await;
        again.assert_success(200);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.header("location"), first.header("location"));
        assert_eq!(again.json["whkIdentifier"], first.json["whkIdentifier"]);
        assert!(again.json.get("whkSecret").is_none(), "{}", again.text);
        let other = world.send(keyed(body("https://other.example/"))).await;
        other.assert_error(422, None, "/params/Idempotency-Key");
        let list = world.send(get(PATH)).await;
        assert_eq!(list.json["metadata"]["total"], 1);
    }
}
