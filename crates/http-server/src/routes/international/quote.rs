//! `POST /transfer/international/quote`. It must store nothing: a quote is its own proof.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::international::quote;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let asked = quote::parse(&call.attributes, call.handling, currency)?;
    let named = gateway.quote_international(&call.merchant, &asked).await?;
    let fields = quote::view(&named.identifier, &named.quote, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, "The quote.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, post};

    const PATH: &str = "/transfer/international/quote";

    fn asked(amount: &str) -> String {
        format!(r#"{{"countryCode":288,"dstCurrency":"GHS",{amount}}}"#)
    }

    #[tokio::test]
    async fn a_quote_shows_both_amounts_and_moves_nothing() {
        let world = RouteTestWorld::new().await;
        for amount in [r#""srcAmount":"5,000.00""#, r#""dstAmount":"42.50""#] {
            let answer = world.send(post(PATH, asked(amount))).await;
            answer.assert_success(200);
            assert_eq!(answer.json["srcAmount"], "5,000.00");
            assert_eq!(answer.json["dstAmount"], "42.50");
            assert_eq!(answer.json["qteRate"], "0.0085");
            assert_eq!(answer.json["qteFee"], "591.25");
            assert_eq!(answer.json["price"], "5,591.25");
        }
        let balance = world.send(crate::testing::get("/account/balance")).await;
        assert_eq!(balance.json["accHeld"], "0.00");
    }

    #[tokio::test]
    async fn what_is_not_quoted_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let good = asked(r#""srcAmount":"5,000.00""#);
        for (body, service, place) in [
            (good.replace("288", "566"), Some(851), "/params/countryCode"),
            (good.replace("GHS", "USD"), None, "/params/dstCurrency"),
            (
                asked(r#""srcAmount":"999.99""#),
                Some(814),
                "/params/srcAmount",
            ),
            // It is converted from less than the smallest.
            (
                asked(r#""dstAmount":"1.00""#),
                Some(814),
                "/params/srcAmount",
            ),
        ] {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(400, service, place);
        }
    }
}
