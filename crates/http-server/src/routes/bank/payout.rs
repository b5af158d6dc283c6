//! `POST /transfer/bank/payout`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::bank::payout;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = payout::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.quoted_purchase(command);
    let paid = gateway.pay_out(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/transfer/bank/payout";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/transfer/bank/transaction",
        order: r#"{"mrcReference":"order-1","bankIdentifier":"00000000058",
            "accountNumber":"0123476789","txnAmount":"1,000.00","txnNarration":"Rent"}"#,
        number: "0123476789",
        refused: "0123510001",
        pending: "0123460010",
        respelt: ("1,000.00", "1000"),
        changed: ("1,000.00", "1,000.01"),
    };

    laws!(ORDERED);

    fn order(number: &str, amount: &str) -> String {
        format!(
            r#"{{"mrcReference":"order-1","bankIdentifier":"00000000058",
                "accountNumber":"{number}","txnAmount":"{amount}","txnNarration":"Rent"}}"#
        )
    }

    #[tokio::test]
    async fn a_payout_shows_whose_account_was_paid_and_what_it_was_charged() {
        let world = RouteTestWorld::new().await;
        for (n, amount, charges, fees) in [
            (1, "5,000.00", "10.75", "0.00"),
            (2, "100.00", "10.75", "0.00"),
        ] {
            let body = order("0123476789", amount).replace("order-1", &format!("order-{n}"));
            let answer = world.send(post(PATH, body)).await;
            answer.assert_success(200);
            assert_eq!(answer.json["txnStatus"], "Successful");
            assert_eq!(answer.json["bankFullname"], "Guaranty Trust Bank");
            assert_eq!(answer.json["accountName"], "FUNMILAYO ADEYEMI");
            assert_eq!(answer.json["accountNumber"], "0123476789");
            assert_eq!(answer.json["txnAmount"], amount);
            assert_eq!(answer.json["txnNarration"], "Rent");
            assert_eq!(answer.json["txnCharges"], charges);
            assert_eq!(answer.json["txnFees"], fees);
            assert_eq!(answer.json["txnCurrency"], "NGN");
        }
        // 10,000.00 less both amounts and both charges.
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "4,878.50");
    }

    #[tokio::test]
    async fn the_charges_count_against_the_balance() {
        let world = RouteTestWorld::new().await;
        // Neither charges of 26.88 nor charges of 26.88 and 50.00 fit on top.
        for amount in ["9,990.00", "10,000.00"] {
            let answer = world.send(post(PATH, order("0123476789", amount))).await;
            answer.assert_error(400, Some(807), "/request");
        }
        let answer = world
            .send(post(PATH, order("0123476789", "9,973.12")))
            .await;
        answer.assert_success(200);
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "0.00");
    }

    #[tokio::test]
    async fn what_cannot_be_paid_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let good = || order("0123476789", "1,000.00");
        let unlisted = good().replace("00000000058", "00000000059");
        let cases = [
            (unlisted, 404, 840, "/params/bankIdentifier"),
            (
                order("1123476789", "1,000"),
                400,
                842,
                "/params/accountNumber",
            ),
            (
                order("0123480014", "1,000"),
                404,
                842,
                "/params/accountNumber",
            ),
            (order("0123530012", "1,000"), 503, 842, "/system"),
            (order("0123450006", "1,000"), 502, 820, "/system"),
            (order("0123476789", "99.99"), 400, 814, "/params/txnAmount"),
            (
                order("0123476789", "5,000,000.01"),
                400,
                814,
                "/params/txnAmount",
            ),
        ];
        for (body, status, service, place) in cases {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(status, Some(service), place);
        }
        // None of them used the reference up.
        world.send(post(PATH, good())).await.assert_success(200);
    }

    #[tokio::test]
    async fn every_violation_is_named_at_once() {
        let world = RouteTestWorld::new().await;
        let body = r#"{"bankIdentifier":58,"accountNumber":"1","txnAmount":"0",
            "txnNarration":"\u202e"}"#;
        let answer = world.send(post(PATH, body)).await;
        for attribute in [
            "mrcReference",
            "bankIdentifier",
            "accountNumber",
            "txnAmount",
            "txnNarration",
        ] {
            answer.assert_error(400, Some(840), &format!("/params/{attribute}"));
        }
    }
}
