//! `GET /messaging/senders`. It must show an account its own senders only.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::sms::senders;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = senders::parse(&call.attributes, call.handling)?;
    let found = gateway.senders(&call.merchant).await?;
    let listing = senders::listing(found, &call.zone());
    let fields = senders::view(&listing, &paging);
    let links = senders::link_header(&listing, &paging);
    let reply = HttpReply::success(StatusCode::OK, "The senders.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};
    use serde_json::json;

    #[tokio::test]
    async fn an_account_lists_its_own_senders_in_parts() {
        let world = RouteTestWorld::new().await;
        let all = world.send(get("/messaging/senders")).await;
        all.assert_success(200);
        let shown = all.json["senders"].as_array().unwrap();
        let shown: Vec<_> = shown
            .iter()
            .map(|it| json!([it["sndIdentifier"], it["sndName"], it["sndStatus"]]))
            .collect();
        let expected = [
            json!(["100000000001", "Name0001", "Approved"]),
            json!(["100000000009", "Name0009", "Pending"]),
        ];
        assert_eq!(shown, expected);
        let part = world
            .send(get("/messaging/senders?length=1&sort=desc"))
            .await;
        assert_eq!(part.json["senders"][0]["sndName"], "Name0009");
        assert_eq!(part.header("total"), "2");
        let refused = world.send(get("/messaging/senders?orderby=name")).await;
        refused.assert_error(400, None, "/params/orderby");
    }
}
