//! `POST /webhook/disable`. It must keep the pending deliveries.

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
    let changed = gateway.disable_endpoint(&call.merchant, wanted).await?;
    let fields = endpoint::view(&changed, &call.zone());
    Ok(HttpReply::success(
        StatusCode::OK,
        "The endpoint is disabled.",
        fields,
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};

    #[tokio::test]
    async fn a_disabled_endpoint_receives_nothing_and_keeps_what_waits() {
        let world = RouteTestWorld::new().await;
        let endpoint = world.endpoint().await;
        world.buy("order-1").await;
        let disabled = world.ask_endpoint("disable", endpoint).await;
        disabled.assert_success(200);
        assert_eq!(disabled.json["whkStatus"], "Disabled");
        assert_eq!(disabled.json["whkReason"], "merchant");
        world.buy("order-2").await;
        let all = world.send(get("/webhook/deliveries")).await;
        assert_eq!(all.json["query"]["total"], 1);
        assert_eq!(all.json["deliveries"][0]["mrcReference"], "order-1");
        let again = world.ask_endpoint("disable", endpoint).await;
        assert_eq!(again.json["whkReason"], "merchant");
    }
}
