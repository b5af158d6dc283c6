//! `POST /webhook/test`. It must not wait for the delivery.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::webhook::test;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let endpoint = test::parse(&call.attributes, call.handling)?;
    let sent = gateway
        .send_test_event(&call.merchant, endpoint, call.retry_key())
        .await?;
    let fields = test::view(endpoint, &sent.id);
    let message = "The test event will be delivered; its delivery will show the result.";
    let reply = HttpReply::success(StatusCode::ACCEPTED, message, fields);
    let reply = reply.located(&test::path(endpoint));
    Ok(reply.marked(sent.replay))
}

#[cfg(test)]
mod tests {
    use crate::testing::webhooks::URL;
    use crate::testing::{RouteTestWorld, get, post};

    #[tokio::test]
    async fn a_test_event_is_recorded_for_one_endpoint_whatever_its_topics() {
        let world = RouteTestWorld::new().await;
        world.endpoint().await;
        let body = format!(r#"{{"whkUrl":"{URL}","whkEvents":"message.status"}}"#);
        let picky = world.send(post("/webhook/endpoint", body)).await;
        let picky = picky.json["whkIdentifier"].as_u64().unwrap();
        let tried = world.ask_endpoint("test", picky).await;
        tried.assert_success(202);
        let found = world.send(get(tried.header("location"))).await;
        assert_eq!(found.json["metadata"]["total"], 1);
        let reported = &found.json["deliveries"][0];
        assert_eq!(reported["evtIdentifier"], tried.json["evtIdentifier"]);
        assert_eq!(reported["evtType"], "ping");
        assert_eq!(reported["txnReference"], serde_json::Value::Null);
        let all = world.send(get("/webhook/deliveries")).await;
        assert_eq!(all.json["query"]["total"], 1);
    }

    #[tokio::test]
    async fn a_disabled_endpoint_is_not_tried() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        world
            .ask_endpoint("disable", endpoint)
            .await
            .assert_success(200);
        let refused = world.ask_endpoint("test", endpoint).await;
        refused.assert_error(409, None, "/params/whkIdentifier");
        assert!(
            refused.text.contains("POST /webhook/enable"),
            "{}",
            refused.text
        );
    }

    #[tokio::test]
    async fn a_retry_is_answered_the_event_that_was_recorded() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        let other = world.endpoint().await;
        let keyed = |endpoint: u64| {
            let body = format!(r#"{{"whkIdentifier":{endpoint}}}"#);
            let mut request = post("/webhook/test", body);
            let key = "test 1".try_into().unwrap();
            request.headers_mut().insert("idempotency-key", key);
            request
        };
        let first = world.send(keyed(endpoint)).await;
        first.assert_success(202);
        let again = world.send(keyed(endpoint)).await;
        again.assert_success(202);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.json["evtIdentifier"], first.json["evtIdentifier"]);
        let elsewhere = world.send(keyed(other)).await;
        elsewhere.assert_error(422, None, "/params/Idempotency-Key");
        let all = world.send(get("/webhook/deliveries")).await;
        assert_eq!(all.json["query"]["total"], 1);
    }
}
