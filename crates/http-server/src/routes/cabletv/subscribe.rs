//! `POST /payment/cabletv`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::cabletv::subscribe;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = subscribe::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.quoted_purchase(command);
    let paid = gateway.subscribe_cable(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/payment/cabletv";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/payment/cabletv/transaction",
        order: r#"{"mrcReference":"order-1","provider":2,"number":"0201234567",
            "subscribe":"instant","identifier":204,"duration":1}"#,
        number: "0201234567",
        refused: "0201230001",
        pending: "0201230010",
        respelt: ("204", r#""204""#),
        changed: (r#""duration":1"#, r#""duration":2"#),
    };

    laws!(ORDERED);

    fn order(number: &str, way: &str) -> String {
        format!(
            r#"{{"mrcReference":"order-1","provider":2,"number":"{number}",
                "subscribe":{way}}}"#
        )
    }

    fn instant(number: &str, plan: &str, duration: u32) -> String {
        let way = format!(r#""instant","identifier":{plan},"duration":{duration}"#);
        order(number, &way)
    }

    fn top_up(number: &str, amount: &str) -> String {
        order(number, &format!(r#""topup","amount":"{amount}""#))
    }

    #[tokio::test]
    async fn a_plan_is_paid_for_as_many_months_as_were_asked_for() {
        let world = RouteTestWorld::new().await;
        let body = instant("0201234567", "204", 2);
        let answer = world.send(post(PATH, body)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["identifier"], "204");
        assert_eq!(answer.json["name"], "GOtv Jolli");
        assert_eq!(answer.json["duration"], "2");
        assert_eq!(answer.json["amount"], "7,600.00");
        assert_eq!(answer.json["price"], "7,448.00");
    }

    #[tokio::test]
    async fn an_amount_is_credited_without_a_plan_and_its_report_says_so() {
        let world = RouteTestWorld::new().await;
        let answer = world
            .send(post(PATH, top_up("0201234567", "1,000.00")))
            .await;
        answer.assert_success(200);
        assert_eq!(answer.json["amount"], "1,000.00");
        assert_eq!(answer.json["price"], "980.00");
        let report = "/payment/cabletv/transaction?mrcReference=order-1";
        let report = world.send(get(report)).await;
        for name in ["identifier", "name", "duration"] {
            assert!(answer.json.get(name).is_none(), "{name}");
            assert!(report.json[name].is_null(), "{name}");
            assert!(report.text.contains(&format!("\"{name}\"")), "{name}");
        }
    }

    #[tokio::test]
    async fn each_way_needs_its_own_attributes() {
        let world = RouteTestWorld::new().await;
        let bare = world
            .send(post(PATH, order("0201234567", "\"instant\"")))
            .await;
        bare.assert_error(400, Some(830), "/params/identifier");
        bare.assert_error(400, Some(830), "/params/duration");
        let bare = world
            .send(post(PATH, order("0201234567", "\"topup\"")))
            .await;
        bare.assert_error(400, Some(814), "/params/amount");
        let nothing = world.send(post(PATH, "{}")).await;
        for attribute in ["mrcReference", "provider", "number", "subscribe"] {
            nothing.assert_error(400, Some(820), &format!("/params/{attribute}"));
        }
    }

    #[tokio::test]
    async fn what_cannot_be_sold_is_refused_with_its_place_and_code() {
        let world = RouteTestWorld::new().await;
        let elsewhere = |provider: &str, body: String| {
            body.replace("\"provider\":2", &format!("\"provider\":{provider}"))
        };
        let good = || instant("0201234567", "204", 1);
        let cases = [
            (elsewhere("9", good()), 404, 820, "/params/provider"),
            (elsewhere("3", good()), 503, 820, "/system"),
            (
                instant("0201234567", "304", 1),
                404,
                830,
                "/params/identifier",
            ),
            (instant("0201230014", "204", 1), 404, 824, "/params/number"),
            (instant("0201230012", "204", 1), 503, 824, "/system"),
            (instant("0201230006", "204", 1), 502, 820, "/system"),
            (top_up("0201234567", "499.99"), 400, 814, "/params/amount"),
            (
                top_up("0201234567", "50,000.01"),
                400,
                814,
                "/params/amount",
            ),
            (instant("0201234567", "204", 12), 400, 807, "/request"),
        ];
        for (body, status, service, place) in cases {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(status, Some(service), place);
        }
        // None of them used the reference up.
        world.send(post(PATH, good())).await.assert_success(200);
    }
}
