//! `POST /payment/electricity`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::electricity::pay;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = pay::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.quoted_purchase(command);
    let paid = gateway.pay_electricity(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, post};

    const PATH: &str = "/payment/electricity";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/payment/electricity/transaction",
        order: r#"{"mrcReference":"order-1","disco":"101","number":"04123456789",
            "amount":"5,000.00","billing":"prepaid"}"#,
        number: "04123456789",
        refused: "04123450001",
        pending: "04123450010",
        respelt: ("5,000.00", "5000"),
        changed: ("5,000.00", "5,000.01"),
    };

    laws!(ORDERED);

    fn order(disco: &str, number: &str, amount: &str) -> String {
        format!(
            r#"{{"mrcReference":"order-1","disco":"{disco}","number":"{number}",
                "amount":"{amount}","billing":"prepaid"}}"#
        )
    }

    #[tokio::test]
    async fn a_prepaid_payment_brings_a_token() {
        let world = RouteTestWorld::new().await;
        let body = order("101", "04123456789", "5,000.00");
        let answer = world.send(post(PATH, body)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["number"], "04123456789");
        assert_eq!(answer.json["price"], "4,875.00");
        let token = answer.json["token"]["number"].as_str().unwrap();
        assert_eq!(token.split('-').map(str::len).collect::<Vec<_>>(), [4; 5]);
    }

    #[tokio::test]
    async fn what_cannot_be_paid_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let cases = [
            (
                order("999", "04123456789", "1000"),
                404,
                820,
                "/params/disco",
            ),
            (order("102", "04123456789", "1000"), 503, 820, "/system"),
            (
                order("101", "04123450014", "1000"),
                404,
                823,
                "/params/number",
            ),
            (order("101", "04123450012", "1000"), 503, 823, "/system"),
            (order("101", "04123450006", "1000"), 502, 820, "/system"),
            (
                order("101", "04123456789", "1.00"),
                400,
                814,
                "/params/amount",
            ),
            (
                order("101", "0412345678x", "1000"),
                400,
                823,
                "/params/number",
            ),
        ];
        for (body, status, service, place) in cases {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(status, Some(service), place);
        }
    }
}
