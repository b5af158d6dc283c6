//! `GET /account/profile`. It must show the account of the request and no other.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::account::profile;

/// An account that was let in is known already: nothing is read.
pub(in crate::routes) async fn handle(
    _gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    profile::parse(&call.attributes, call.handling)?;
    let fields = profile::view(&call.merchant.account, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, "The account.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};

    #[tokio::test]
    async fn the_profile_is_that_of_the_account_that_asks() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(get("/account/profile")).await;
        answer.assert_success(200);
        assert_eq!(answer.json["accIdentity"], "shop");
        assert_eq!(answer.json["accEmail"], serde_json::Value::Null);
        assert_eq!(answer.json["countryCode"], "566");
        assert_eq!(answer.json["accStatus"], "Active");
        assert_eq!(answer.json["accEnvironment"], "test");
    }
}
