//! `POST /payment/internet`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::internet::subscribe;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let command = subscribe::parse(&call.attributes, call.handling)?;
    let purchase = call.quoted_purchase(command);
    let paid = gateway.buy_data(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, post};

    const PATH: &str = "/payment/internet";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/payment/internet/transaction",
        order: r#"{"mrcReference":"order-1","identifier":105,"number":"2348031234567"}"#,
        number: "2348031234567",
        refused: "2348031230001",
        pending: "2348031230010",
        respelt: ("105", r#""105""#),
        changed: ("2348031234567", "2348031234568"),
    };

    laws!(ORDERED);

    fn order(plan: &str, number: &str) -> String {
        format!(r#"{{"mrcReference":"order-1","identifier":{plan},"number":"{number}"}}"#)
    }

    #[tokio::test]
    async fn a_delivered_bundle_is_answered_with_its_plan() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, order("105", "+2348031234567"))).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["number"], "2348031234567");
        assert_eq!(answer.json["brandname"], "MTN");
        assert_eq!(answer.json["identifier"], "105");
        assert_eq!(answer.json["validity"], "30");
        assert_eq!(answer.json["amount"], "1,200.00");
        assert_eq!(answer.json["price"], "1,176.00");
    }

    #[tokio::test]
    async fn the_plan_decides_whose_data_it_is_even_for_a_ported_number() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, order("105", "2347001234567"))).await;
        answer.assert_success(200);
        assert_eq!(answer.json["brandname"], "MTN");
    }

    #[tokio::test]
    async fn what_cannot_be_sold_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let number = "2348031234567";
        let cases = [
            (order("999", number), 404, 830, "/params/identifier"),
            (order("105", "447911123456"), 400, 822, "/params/number"),
            (order("106", number), 503, 820, "/system"),
            (order("205", number), 503, 820, "/system"),
        ];
        for (body, status, service, place) in cases {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(status, Some(service), place);
            // The request has no country that could be wrong.
            assert!(!answer.text.contains("countryCode"), "{}", answer.text);
        }
        // None of them used the reference up.
        let good = world.send(post(PATH, order("105", number))).await;
        good.assert_success(200);
    }

    #[tokio::test]
    async fn every_violation_is_named_at_once() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, "{}")).await;
        for attribute in ["mrcReference", "identifier", "number"] {
            answer.assert_error(400, Some(830), &format!("/params/{attribute}"));
        }
    }
}
