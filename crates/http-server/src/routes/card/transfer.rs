//! `POST /transfer/card`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::card::transfer;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = transfer::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.purchase(command);
    let paid = gateway.pay_card(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};

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
