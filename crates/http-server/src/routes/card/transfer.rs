//! `POST /transfer/card`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use domain::card::may_hold_card_number;
use domain::idempotency::IdempotencyKey;
use wire::attribute::IDEMPOTENCY_KEY;
use wire::card::transfer;
use wire::violations::Violations;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = transfer::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.quoted_purchase(command);
    let key = purchase.retry_key.as_ref().map(IdempotencyKey::as_str);
    if key.is_some_and(may_hold_card_number) {
        return Err(key_of_card());
    }
    let paid = gateway.pay_card(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

/// A key is kept: it must not be the number of a card any more than an attribute.
fn key_of_card() -> HttpReply {
    let message = "may hold the number of a card; draw a key at random";
    Violations::of(&IDEMPOTENCY_KEY, message).into()
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};
    use http::HeaderValue;

    const PATH: &str = "/transfer/card";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/transfer/card/transaction",
        order: r#"{"mrcReference":"order-1","crdToken":"tok_visa_6789",
            "txnAmount":"1,000.00","txnNarration":"Rent"}"#,
        number: "tok_visa_6789",
        refused: "tok_visa_0001",
        pending: "tok_visa_0010",
        respelt: ("1,000.00", "1000"),
        changed: ("1,000.00", "1,000.01"),
    };

    laws!(ORDERED);

    fn order(token: &str, amount: &str) -> String {
        format!(
            r#"{{"mrcReference":"order-1","crdToken":"{token}","txnAmount":"{amount}",
                "txnNarration":"Rent"}}"#
        )
    }

    #[tokio::test]
    async fn no_number_of_a_card_is_taken_wherever_it_stands() {
        let world = RouteTestWorld::new().await;
        let order = order("tok_visa_6789", "1,000.00");
        let nested = order.replacen('{', r#"{"card":{"number":"4111111111111111"},"#, 1);
        let escaped = order.replacen('{', r#"{"x":[1,"\u0034111111111111111"],"#, 1);
        for body in [nested, escaped] {
            let refused = world.send(post(PATH, body)).await;
            assert_eq!(refused.status, 400, "{}", refused.text);
            assert!(!refused.text.contains("411111"), "{}", refused.text);
        }
        let mut keyed = post(PATH, order);
        let key = HeaderValue::from_static("4111-1111-1111-1111");
        keyed.headers_mut().insert("idempotency-key", key);
        let refused = world.send(keyed).await;
        refused.assert_error(400, None, "/params/Idempotency-Key");
    }

    #[tokio::test]
    async fn a_transfer_shows_which_card_was_paid_and_what_it_was_charged() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, order("tok_visa_6789", "5,000.00")));
        let answer = answer.await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["crdBrand"], "Visa");
        assert_eq!(answer.json["crdLast"], "6789");
        assert_eq!(answer.json["txnCharges"], "10.75");
        assert!(!answer.text.contains("tok_visa"), "{}", answer.text);
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "4,989.25");
    }

    #[tokio::test]
    async fn what_cannot_be_paid_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let good = || order("tok_visa_6789", "1,000.00");
        for (body, status, service, place) in [
            (
                order("4111111111111111", "1,000"),
                400,
                Some(812),
                "/params/crdToken",
            ),
            (
                order("tok_visa_0014", "1,000"),
                404,
                Some(812),
                "/params/crdToken",
            ),
            (order("tok_visa_0012", "1,000"), 503, Some(812), "/system"),
            (
                order("tok_visa_6789", "99.99"),
                400,
                Some(814),
                "/params/txnAmount",
            ),
            (
                order("tok_visa_6789", "5,000,000.01"),
                400,
                Some(814),
                "/params/txnAmount",
            ),
        ] {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(status, service, place);
            assert!(!answer.text.contains("4111"), "{}", answer.text);
        }
        // None of them used the reference up.
        world.send(post(PATH, good())).await.assert_success(200);
    }
}
