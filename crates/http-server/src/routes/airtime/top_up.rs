//! `POST /payment/airtime`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::airtime::top_up;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let status = |number: &_, country| gateway.number_status(number, country);
    let named = |name: &str, country| gateway.named_network(name, country);
    let handling = (call.handling, currency);
    let command = top_up::parse(&call.attributes, handling, status, named)?;
    let purchase = call.quoted_purchase(command);
    let paid = gateway.buy_airtime(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, post};
    use http::HeaderValue;

    const PATH: &str = "/payment/airtime";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/payment/airtime/transaction",
        order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
            "amount":"1000.00","billing":"prepaid"}"#,
        number: "2348031234567",
        refused: "2348031230001",
        pending: "2348031230010",
        respelt: ("1000.00", "1,000"),
        changed: ("prepaid", "postpaid"),
    };

    laws!(ORDERED);

    fn order(reference: &str, number: &str, amount: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","countryCode":566,"number":"{number}",
                "amount":"{amount}","billing":"prepaid"}}"#
        )
    }

    #[tokio::test]
    async fn a_delivered_top_up_is_answered_with_its_outcome() {
        let world = RouteTestWorld::new().await;
        let body = order("order-1", "+2348031234567", "1,000.00");
        let answer = world.send(post(PATH, body)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["mrcReference"], "order-1");
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["number"], "2348031234567");
        assert_eq!(answer.json["network"], "MTN");
        assert_eq!(answer.json["price"], "970.00");
        assert!(!answer.headers.contains_key("location"));
        assert!(!answer.headers.contains_key("idempotency-replayed"));
    }

    #[tokio::test]
    async fn a_network_that_is_named_must_be_one_that_is_sold() {
        let world = RouteTestWorld::new().await;
        let named = |reference: &str, network: &str| {
            let body = order(reference, "2348031234567", "1,000.00");
            body.replace('}', &format!(r#","network":"{network}"}}"#))
        };
        let answer = world.send(post(PATH, named("known", "MTN"))).await;
        answer.assert_success(200);
        assert_eq!(answer.json["network"], "MTN");
        let answer = world.send(post(PATH, named("unknown", "Etisalat"))).await;
        answer.assert_error(400, Some(820), "/params/network");
        let message = &answer.json["errors"]["params"]["network"][0];
        assert_eq!(message, "must be one of MTN, or be left out");
        let abroad = named("abroad", "Etisalat").replace("566", "288");
        let answer = world.send(post(PATH, abroad)).await;
        answer.assert_error(400, Some(851), "/params/countryCode");
        let params = &answer.json["errors"]["params"];
        assert_eq!(params.get("network"), None, "{params}");
    }

    #[tokio::test]
    async fn a_number_of_another_country_is_named_together_with_whatever_else_is_wrong() {
        let world = RouteTestWorld::new().await;
        let body = order("order 1", "447911123456", "1e5");
        let answer = world.send(post(PATH, body)).await;
        answer.assert_error(400, Some(822), "/params/number");
        for name in ["mrcReference", "amount"] {
            assert!(answer.json["errors"]["params"][name].is_array(), "{name}");
        }
    }

    #[tokio::test]
    async fn every_violation_is_named_at_once() {
        let world = RouteTestWorld::new().await;
        let body = r#"{"countryCode":"NG","number":"0803","amount":"-1","billing":"cash"}"#;
        let answer = world.send(post(PATH, body)).await;
        for attribute in ["mrcReference", "countryCode", "number", "amount", "billing"] {
            let place = format!("/params/{attribute}");
            answer.assert_error(400, Some(851), &place);
        }
    }

    #[tokio::test]
    async fn what_cannot_be_sold_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let cases = [
            (order("a", "2347001234567", "100.00"), 820, "/params/number"),
            (order("a", "2212345678", "100.00"), 822, "/params/number"),
            (order("a", "2348031234567", "49.99"), 814, "/params/amount"),
            (order("a", "2348031234567", "60,000"), 814, "/params/amount"),
            (order("a", "2348031234567", "20,000"), 807, "/request"),
        ];
        for (body, service, place) in cases {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(400, Some(service), place);
        }
        let abroad = order("a", "2348031234567", "100").replace("566", "288");
        let answer = world.send(post(PATH, abroad)).await;
        answer.assert_error(400, Some(851), "/params/countryCode");
    }

    #[tokio::test]
    async fn a_key_without_a_character_is_refused() {
        let world = RouteTestWorld::new().await;
        let mut request = post(PATH, order("order-1", "2348031234567", "1000.00"));
        let key = HeaderValue::from_static("");
        request.headers_mut().insert("idempotency-key", key);
        let answer = world.send(request).await;
        answer.assert_error(400, None, "/request");
    }

    #[tokio::test]
    async fn a_gateway_that_shuts_down_takes_no_payment_and_says_when_to_come_back() {
        let world = RouteTestWorld::new().await;
        world.gateway.drain().await;
        let body = order("order-1", "2348031234567", "100.00");
        let answer = world.send(post(PATH, body)).await;
        answer.assert_error(503, None, "/system");
        assert_eq!(answer.header("retry-after"), "5");
    }
}
