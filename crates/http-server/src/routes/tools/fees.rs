//! `GET /tools/fees`. It must store nothing: a quote is its own proof.

use crate::authenticated_request::AuthenticatedRequest;
use crate::error_response::unknown;
use crate::reply::HttpReply;
use application::{Gateway, RequestError};
use http::StatusCode;
use wire::attribute::PROVIDER;
use wire::tools::fees;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let asked = fees::parse(&call.attributes, call.handling, currency)?;
    let quoted = gateway.quote_fees(&call.merchant, &asked);
    let named = quoted.map_err(refused)?;
    let fields = fees::view(&named.identifier, &named.quote, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, "The price.", fields))
}

/// What is refused is named as it was asked for: a network is a provider here.
pub(super) fn refused(refused: RequestError) -> HttpReply {
    if let RequestError::NetworkNotServed = refused {
        let message = "is no network that airtime is sold for; send its brand name";
        return unknown(&PROVIDER, message);
    }
    HttpReply::refused_provider(refused, &PROVIDER)
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post};

    const ASKED: &str = "/tools/fees?service=airtime&countryCode=566&provider=MTN&amount=1000";

    fn order(reference: &str, amount: &str, quote: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","countryCode":566,"number":"2348031234567",
                "amount":"{amount}","billing":"prepaid","qteIdentifier":"{quote}"}}"#
        )
    }

    #[tokio::test]
    async fn a_payment_by_a_quote_is_charged_its_price_and_one_of_another_amount_is_409() {
        let world = RouteTestWorld::new().await;
        let fees = world.send(get(ASKED)).await;
        fees.assert_success(200);
        let quote = fees.json["qteIdentifier"].as_str().unwrap();
        let airtime = "/payment/airtime";
        let other = world
            .send(post(airtime, order("order-1", "999", quote)))
            .await;
        other.assert_error(409, None, "/params/qteIdentifier");
        let changed = format!("{quote}A");
        let changed = world
            .send(post(airtime, order("order-1", "1000", &changed)))
            .await;
        changed.assert_error(400, None, "/params/qteIdentifier");
        for reference in ["order-1", "order-2"] {
            let paid = world
                .send(post(airtime, order(reference, "1000", quote)))
                .await;
            paid.assert_success(200);
            assert_eq!(paid.json["price"], fees.json["price"]);
        }
    }

    #[tokio::test]
    async fn what_has_no_price_is_refused_with_the_attribute_that_was_sent() {
        let world = RouteTestWorld::new().await;
        for (asked, status, service, place) in [
            (
                ASKED.replace("MTN", "Glo"),
                404,
                Some(820),
                "/params/provider",
            ),
            (ASKED.replace("1000", "1"), 400, Some(814), "/params/amount"),
            (
                ASKED.replace("airtime", "user"),
                400,
                None,
                "/params/service",
            ),
        ] {
            let refused = world.send(get(&asked)).await;
            refused.assert_error(status, service, place);
        }
    }
}
