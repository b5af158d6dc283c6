//! `POST /webhook/replay`. It must not wait for the deliveries.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::webhook::ReplayOf;
use domain::webhook::DeliveryId;
use http::StatusCode;
use wire::webhook::replay::{self, ReplaySelection};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let command = replay::parse(&call.attributes, call.handling, &call.zone())?;
    let endpoint = command.endpoint;
    let what = match command.which {
        ReplaySelection::Event(event) => ReplayOf::One(DeliveryId { endpoint, event }),
        ReplaySelection::Range { from, until } => ReplayOf::Range {
            endpoint,
            from,
            until,
        },
    };
    let count = gateway.deliver_again(&call.merchant, what).await?;
    let fields = replay::view(endpoint, count);
    let message = "So many deliveries are due again.";
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get, post};
    use application::webhook::REPLAY_MAX;
    use domain::webhook::{DeliveryState, EndpointId};
    use ports::webhooks::Outbox;
    use testkit::builders::{account_id, answered, delivery_claim, ended, ping};

    async fn replay(world: &RouteTestWorld, endpoint: u64, what: &str) -> TestAnswer {
        let body = format!(r#"{{"whkIdentifier":{endpoint},{what}}}"#);
        world.send(post("/webhook/replay", body)).await
    }

    /// Delivers everything that is due.
    async fn deliver(world: &RouteTestWorld) {
        let now = world.gateway.now();
        let claimed = world.store.claim_deliveries(&delivery_claim(now)).await;
        for claimed in claimed.unwrap() {
            let made = ended(&claimed.delivery, answered(200, now));
            assert!(matches!(made.outcome.state, DeliveryState::Delivered(_)));
            world.store.record_attempts(&[made]).await.unwrap();
        }
    }

    async fn statuses(world: &RouteTestWorld) -> Vec<String> {
        let all = world.send(get("/webhook/deliveries")).await;
        let all = all.json["deliveries"].as_array().unwrap().clone();
        let statuses = all.iter().map(|one| one["dlvStatus"].as_str().unwrap());
        statuses.map(str::to_owned).collect()
    }

    #[tokio::test]
    async fn one_event_is_delivered_again_under_the_same_name() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        world.buy("order-1").await;
        world.buy("order-2").await;
        deliver(&world).await;
        assert_eq!(statuses(&world).await, ["Delivered", "Delivered"]);
        let all = world.send(get("/webhook/deliveries")).await;
        let event = all.json["deliveries"][1]["evtIdentifier"].as_str().unwrap();
        let what = format!(r#""evtIdentifier":"{event}""#);
        let again = replay(&world, endpoint, &what).await;
        again.assert_success(200);
        assert_eq!(again.json["dlvCount"], 1);
        assert_eq!(again.json["whkIdentifier"], endpoint);
        assert_eq!(statuses(&world).await, ["Delivered", "Pending"]);
    }

    #[tokio::test]
    async fn an_event_the_endpoint_did_not_receive_is_not_there() {
        let world = RouteTestWorld::new().await;
        world.endpoint().await;
        world.buy("order-1").await;
        let late = world.endpoint().await;
        let all = world.send(get("/webhook/deliveries")).await;
        let event = all.json["deliveries"][0]["evtIdentifier"].as_str().unwrap();
        let refused = replay(&world, late, &format!(r#""evtIdentifier":"{event}""#)).await;
        refused.assert_error(404, None, "/params/evtIdentifier");
    }

    #[tokio::test]
    async fn the_events_of_a_time_are_delivered_again_as_deliveries_date_them() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        world.buy("order-1").await;
        deliver(&world).await;
        let all = world.send(get("/webhook/deliveries")).await;
        let from = all.json["deliveries"][0]["evtDate"].as_str().unwrap();
        let time = |until| format!(r#""whkFrom":"{from}","whkUntil":"{until}""#);
        let again = replay(&world, endpoint, &time("2099-01-01T00:00:00Z")).await;
        assert_eq!(again.json["dlvCount"], 1, "{}", again.text);
        assert_eq!(statuses(&world).await, ["Pending"]);
        let before = r#""whkFrom":"2020-01-01T00:00:00Z","whkUntil":"2020-01-02T00:00:00Z""#;
        let none = replay(&world, endpoint, before).await;
        assert_eq!(none.json["dlvCount"], 0, "{}", none.text);
        let backwards = replay(&world, endpoint, &time("2020-01-01T00:00:00Z")).await;
        backwards.assert_error(400, None, "/params/whkUntil");
    }

    #[tokio::test]
    async fn a_time_with_more_than_a_thousand_events_is_too_much_to_ask_for() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        let (shop, now) = (account_id("shop"), world.gateway.now());
        let announce = async |n: u64| {
            let trial = ping(n, now);
            let to = EndpointId::new(endpoint);
            assert_eq!(world.store.announce(&shop, to, &trial).await.unwrap(), 1);
        };
        for n in 1..=REPLAY_MAX {
            announce(n).await;
        }
        let time = r#""whkFrom":"2020-01-01T00:00:00Z","whkUntil":"2099-01-01T00:00:00Z""#;
        let most = replay(&world, endpoint, time).await;
        assert_eq!(most.json["dlvCount"], REPLAY_MAX, "{}", most.text);
        announce(REPLAY_MAX + 1).await;
        let refused = replay(&world, endpoint, time).await;
        refused.assert_error(413, None, "/request");
        assert!(refused.text.contains("more than 1000"), "{}", refused.text);
    }
}
