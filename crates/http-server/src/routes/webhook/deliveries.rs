//! `GET /webhook/deliveries`. It must return pages, never everything at once.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::webhook::DeliveryQuery;
use http::StatusCode;
use wire::webhook::deliveries::{self, DeliveriesPart};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = deliveries::parse(&call.attributes, call.handling)?;
    let wanted = DeliveryQuery {
        endpoint: query.endpoint,
        parked: query.parked,
        offset: query.offset,
        length: query.length,
        sort: query.sort,
    };
    let page = gateway.deliveries(&call.merchant, &wanted).await?;
    let part = DeliveriesPart {
        deliveries: &page.deliveries,
        total: page.total,
        found: page.found,
    };
    let fields = deliveries::view(part, &query, &call.zone());
    let links = deliveries::link_header(part, &query);
    let reply = HttpReply::success(StatusCode::OK, "The deliveries.", fields);
    Ok(collection::part(reply, page.found, &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};
    use domain::webhook::{DeliveryFailure, DeliveryState};
    use ports::webhooks::{AttemptResult, Outbox};
    use testkit::builders::{delivery_claim, ended, unanswered};

    #[tokio::test]
    async fn a_purchase_is_reported_to_the_endpoints_there_were() {
        let world = RouteTestWorld::new().await;
        world.buy("order-1").await;
        let endpoint = world.endpoint().await;
        world.buy("order-2").await;
        world.endpoint_of("other").await;
        let all = world.send(get("/webhook/deliveries")).await;
        all.assert_success(200);
        assert_eq!(all.header("total"), "1");
        let reported = &all.json["deliveries"][0];
        assert_eq!(reported["evtType"], "transaction.successful");
        assert_eq!(reported["evtSequence"], 2);
        assert_eq!(reported["whkIdentifier"], endpoint);
        assert_eq!(reported["mrcReference"], "order-2");
        assert_eq!(reported["dlvStatus"], "Pending");
        let name = reported["evtIdentifier"].as_str().unwrap();
        assert_eq!(name, format!("evt_{}_2", reported["txnReference"]));
    }

    #[tokio::test]
    async fn what_every_attempt_failed_at_is_parked_and_shows_why() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        world.buy("order-1").await;
        world.buy("order-2").await;
        let now = world.gateway.now();
        let claimed = world.store.claim_deliveries(&delivery_claim(now)).await;
        let delivery = claimed.unwrap().remove(0).delivery;
        let failed = ended(&delivery, unanswered(DeliveryFailure::TimedOut, now));
        let outcome = domain::webhook::DeliveryOutcome {
            state: DeliveryState::Parked(now),
            ..failed.outcome
        };
        let parked = AttemptResult { outcome, ..failed };
        world.store.record_attempts(&[parked]).await.unwrap();
        let path = format!("/webhook/deliveries?whkIdentifier={endpoint}&dlvStatus=Parked");
        let found = world.send(get(&path)).await;
        assert_eq!(found.json["query"]["found"], 1);
        assert_eq!(found.json["query"]["total"], 2);
        let shown = &found.json["deliveries"][0];
        assert_eq!(shown["dlvStatus"], "Parked");
        assert_eq!(shown["dlvAttempts"][0]["attFailure"], "timed_out");
        assert_eq!(shown["dlvAttempts"][0]["attDuration"], 15_000);
        assert_eq!(
            shown["dlvAttempts"][0]["attStatus"],
            serde_json::Value::Null
        );
        let list = world.send(get("/webhook/endpoint")).await;
        assert!(
            list.json["endpoints"][0]["whkFailing"].is_string(),
            "{}",
            list.text
        );
    }

    #[tokio::test]
    async fn deliveries_that_cannot_be_asked_for_are_refused() {
        let world = RouteTestWorld::new().await;
        let target = "/webhook/deliveries?dlvStatus=Delivered&whkIdentifier=x&orderby=dlvDate";
        let refused = world.send(get(target)).await;
        for filter in ["dlvStatus", "whkIdentifier", "orderby"] {
            refused.assert_error(400, None, &format!("/params/{filter}"));
        }
    }
}
