//! `POST /webhook/delete`. It must leave nothing behind that could still be delivered.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::webhook::named;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let endpoint = named::parse(&call.attributes, call.handling)?;
    gateway.delete_endpoint(&call.merchant, endpoint).await?;
    let fields = named::deleted(endpoint);
    let message = "The endpoint and its deliveries are gone.";
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};

    #[tokio::test]
    async fn a_deleted_endpoint_is_gone_with_its_deliveries() {
        let world = RouteTestWorld::new().await;
        let (gone, kept) = (world.endpoint().await, world.endpoint().await);
        world.buy("order-1").await;
        let deleted = world.ask_endpoint("delete", gone).await;
        deleted.assert_success(200);
        assert_eq!(deleted.json["whkIdentifier"], gone);
        let all = world.send(get("/webhook/deliveries")).await;
        assert_eq!(all.json["query"]["total"], 1);
        assert_eq!(all.json["deliveries"][0]["whkIdentifier"], kept);
        let again = world.ask_endpoint("delete", gone).await;
        again.assert_error(404, None, "/params/whkIdentifier");
    }
}
