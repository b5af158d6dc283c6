//! `POST /transfer/mobilemoney`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::mobile_money::transfer;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = transfer::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.quoted_purchase(command);
    let paid = gateway.pay_mobile_money(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/transfer/mobilemoney";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/transfer/mobilemoney/transaction",
        order: r#"{"mrcReference":"order-1","countryCode":566,"identifier":901,
            "number":"2348031236789","txnAmount":"1,000.00","txnNarration":"Rent"}"#,
        number: "2348031236789",
        refused: "2348031230001",
        pending: "2348031230010",
        respelt: ("1,000.00", "1000"),
        changed: ("1,000.00", "1,000.01"),
    };

    laws!(ORDERED);

    fn order(number: &str, amount: &str) -> String {
        format!(
            r#"{{"mrcReference":"order-1","countryCode":"566","identifier":"901",
                "number":"{number}","txnAmount":"{amount}","txnNarration":"Rent"}}"#
        )
    }

    #[tokio::test]
    async fn a_transfer_shows_whose_wallet_was_paid_and_what_it_was_charged() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, order("2348031236789", "5,000.00")));
        let answer = answer.await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["identifier"], "901");
        assert_eq!(answer.json["brandname"], "MoMo PSB");
        assert_eq!(answer.json["accountName"], "FUNMILAYO ADEYEMI");
        assert_eq!(answer.json["txnCharges"], "10.75");
        assert_eq!(answer.json["txnFees"], "0.00");
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "4,989.25");
    }

    #[tokio::test]
    async fn what_cannot_be_paid_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let good = || order("2348031236789", "1,000.00");
        for (body, status, service, place) in [
            (good().replace("901", "999"), 404, 820, "/params/identifier"),
            (
                good().replace("566", "288"),
                400,
                851,
                "/params/countryCode",
            ),
            (good().replace("901", "902"), 503, 820, "/system"),
            (order("2348031230014", "1,000"), 404, 822, "/params/number"),
            (order("2348031230012", "1,000"), 503, 822, "/system"),
            (
                order("2348031236789", "99.99"),
                400,
                814,
                "/params/txnAmount",
            ),
            (
                order("2348031236789", "5,000,000.01"),
                400,
                814,
                "/params/txnAmount",
            ),
        ] {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(status, Some(service), place);
        }
        // None of them used the reference up.
        world.send(post(PATH, good())).await.assert_success(200);
    }
}
