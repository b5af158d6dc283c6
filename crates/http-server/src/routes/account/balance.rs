//! `GET /account/balance`. It must show the wallet of the account in the request and no other.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::account::balance;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let only = balance::parse(&call.attributes, call.handling)?;
    let wallets = gateway.balance(&call.merchant).await?;
    let fields = balance::view(&wallets, call.merchant.account.currency, only);
    Ok(HttpReply::success(StatusCode::OK, "The balance.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, bare, get, post, request_of};

    #[tokio::test]
    async fn the_balance_shows_what_is_held_apart() {
        let world = RouteTestWorld::new().await;
        let body = r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031230010",
            "amount":"1000","billing":"prepaid"}"#;
        world
            .send_and_wait(post("/payment/airtime", body))
            .await
            .assert_success(202);
        let answer = world.send(get("/account/balance")).await;
        answer.assert_success(200);
        assert_eq!(answer.json["accBalance"], "9,030.00");
        assert_eq!(answer.json["accHeld"], "970.00");
        assert_eq!(answer.json["accCurrency"], "NGN");
        let balances = &answer.json["balances"];
        assert_eq!(balances.as_array().map(Vec::len), Some(2));
        assert_eq!(balances[0]["accLedger"], "10,000.00");
        let credits = world.send(get("/account/balance?accCurrency=CRD")).await;
        assert_eq!(credits.json["accBalance"], "9,030.00");
        assert_eq!(credits.json["balances"][0]["accCurrency"], "CRD");
        assert_eq!(credits.json["balances"][0]["accBalance"], "0.00");
    }

    #[tokio::test]
    async fn strict_handling_refuses_attributes_the_operation_does_not_have() {
        let world = RouteTestWorld::new().await;
        let lenient = world.send(get("/account/balance?x=1")).await;
        lenient.assert_success(200);
        assert!(!lenient.headers.contains_key("preference-applied"));
        let strictly = |target: &str| {
            let builder = request_of("shop", "GET", target);
            bare(builder.header("Prefer", "respond-async, handling=strict"))
        };
        let refused = world.send(strictly("/account/balance?x=1")).await;
        refused.assert_error(400, None, "/params/x");
        assert_eq!(refused.header("preference-applied"), "handling=strict");
        let accepted = world.send(strictly("/account/balance")).await;
        accepted.assert_success(200);
        assert_eq!(accepted.header("preference-applied"), "handling=strict");
    }
}
