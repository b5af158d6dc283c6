//! `POST /messaging/voice`. It must leave every decision about the call to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::{Gateway, MessageFamily};
use wire::voice::call;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    request: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let status = gateway.message_numbers(&request.merchant, MessageFamily::Voice);
    let command = call::parse(&request.attributes, request.handling, status)?;
    let purchase = request.purchase(command);
    let paid = gateway.call_number(&request.merchant, purchase).await?;
    Ok(payment::paid(&paid, &request.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/messaging/voice";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/messaging/voice/transaction",
        order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
            "sender":100000000001,"type":"speech","content":"Hi"}"#,
        number: "2348031234567",
        refused: "2348031230001",
        pending: "2348031230010",
        respelt: ("566", r#""566""#),
        changed: ("Hi", "Ho"),
    };

    laws!(ORDERED);

    fn saying(content: &str) -> String {
        format!(
            r#"{{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
                "sender":100000000001,{content}}}"#
        )
    }

    #[tokio::test]
    async fn minutes_that_were_not_begun_are_given_back() {
        let world = RouteTestWorld::new().await;
        let plan = r#""type":"speech","content":"Hi","callMinutes":10,"repeat":3"#;
        let answer = world.send(post(PATH, saying(plan))).await;
        answer.assert_success(200);
        for (name, value) in [
            ("txnStatus", "Successful"),
            ("gtwStatus", "Delivered"),
            ("dlvStatus", "Answered"),
            ("sender", "Name0001"),
            ("network", "MTN"),
            ("type", "speech"),
            ("content", "Hi"),
            ("currency", "NGN"),
        ] {
            assert_eq!(answer.json[name], value, "{name}");
        }
        let seconds = answer.json["callDuration"].as_u64().unwrap();
        let cost = format!("{}.00", seconds.div_ceil(60) * 15);
        assert_eq!(answer.json["cost"], cost, "{seconds}");
        for name in ["audioUrl", "digits"] {
            assert!(answer.json[name].is_null(), "{name}");
        }
        let report = "/messaging/voice/transaction?mrcReference=order-1";
        let report = world.send(get(report)).await;
        assert_eq!(report.json, answer.json);
        // Another plan is another call.
        let other = plan.replace("10", "9");
        let conflict = world.send(post(PATH, saying(&other))).await;
        assert_eq!(conflict.status, 422, "{}", conflict.text);
    }

    #[tokio::test]
    async fn what_belongs_to_another_type_is_refused() {
        let world = RouteTestWorld::new().await;
        let mixed = r#""type":"audio","audioUrl":"https://shop.example/a.mp3","content":"Hi",
            "voice":"male","language":"en","repeat":4,"retries":4,"window":241,"callMinutes":11"#;
        let answer = world.send(post(PATH, saying(mixed))).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
        let violations = answer.json["errors"]["params"].as_object().unwrap();
        let mut names: Vec<&str> = violations.keys().map(String::as_str).collect();
        names.sort_unstable();
        let expected = [
            "callMinutes",
            "content",
            "language",
            "repeat",
            "retries",
            "voice",
            "window",
        ];
        assert_eq!(names, expected, "{}", answer.text);
    }
}
