//! `POST /webhook/enable`. It must not drop the pending deliveries.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::webhook::{endpoint, named};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = named::parse(&call.attributes, call.handling)?;
    let changed = gateway.enable_endpoint(&call.merchant, wanted).await?;
    let fields = endpoint::view(&changed, &call.zone());
    Ok(HttpReply::success(
        StatusCode::OK,
        "The endpoint is served.",
        fields,
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};

    #[tokio::test]
    async fn an_enabled_endpoint_receives_events_again() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        world
            .ask_endpoint("disable", endpoint)
            .await
            .assert_success(200);
        let enabled = world.ask_endpoint("enable", endpoint).await;
        enabled.assert_success(200);
        assert_eq!(enabled.json["whkStatus"], "Enabled");
        assert_eq!(enabled.json["whkReason"], serde_json::Value::Null);
        world.buy("order-1").await;
        let all = world.send(get("/webhook/deliveries")).await;
        assert_eq!(all.json["query"]["total"], 1);
    }
}
