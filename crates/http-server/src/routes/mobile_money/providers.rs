//! `GET /transfer/mobilemoney/providers`. It must not decide which operators can be paid.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::listing::Listing;
use wire::mobile_money::providers;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = providers::parse(&call.attributes, call.handling)?;
    let found = gateway.mobile_money_operators(query.country)?;
    let listing = Listing::whole(found);
    let fields = providers::view(&listing, &query);
    let links = providers::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The mobile money operators.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};
    use serde_json::json;

    #[tokio::test]
    async fn the_list_holds_whose_wallets_can_be_paid_now() {
        let world = RouteTestWorld::new().await;
        let path = "/transfer/mobilemoney/providers?countryCode=566";
        let list = world.send(get(path)).await;
        list.assert_success(200);
        let operator = json!({
            "identifier": "901", "brandname": "MoMo PSB", "company": "MoMo PSB Limited",
            "currency": "NGN", "minimum": "100.00", "maximum": "5,000,000.00",
        });
        assert_eq!(list.json["providers"], json!([operator]));
        assert_eq!(list.header("total"), "1");
        let abroad = world.send(get(&path.replace("566", "288"))).await;
        abroad.assert_error(400, Some(851), "/params/countryCode");
    }
}
