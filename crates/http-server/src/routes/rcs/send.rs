//! `POST /messaging/rcs`. It must leave every decision about the message to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::{Gateway, MessageFamily};
use wire::rcs::send;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let status = gateway.message_numbers(&call.merchant, MessageFamily::Rcs);
    let command = send::parse(&call.attributes, call.handling, status)?;
    let purchase = call.purchase(command);
    let paid = gateway.send_rcs(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/messaging/rcs";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/messaging/rcs/transaction",
        order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
            "sender":100000000001,"type":"text","content":"Hi"}"#,
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

    const CARD: &str = r#""type":"card","card":{"title":"Your order","description":"On its\nway.",
        "mediaUrl":"https://shop.example/1.png","suggestions":[
            {"text":"Follow it","url":"https://shop.example/1"},
            {"text":"Call us","dial":"+2348039990000"}]},
        "suggestions":[{"text":"Later","reply":"later 1042"}],
        "smsFallback":{"content":"On its way.","after":600}"#;

    #[tokio::test]
    async fn a_card_is_sent_with_everything_on_it() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, saying(CARD))).await;
        answer.assert_success(200);
        for (name, value) in [
            ("txnStatus", "Successful"),
            ("gtwStatus", "Submitted"),
            ("dlvStatus", "Submitted"),
            ("sender", "Name0001"),
            ("network", "MTN"),
            ("type", "card"),
            ("fallbackContent", "On its way."),
            ("cost", "12.00"),
            ("currency", "NGN"),
        ] {
            assert_eq!(answer.json[name], value, "{name}");
        }
        for name in ["content", "mediaUrl", "readDate", "rcsCapable"] {
            assert!(answer.json[name].is_null(), "{name}");
        }
        assert_eq!(answer.json["fallbackUsed"], false);
        let report = "/messaging/rcs/transaction?mrcReference=order-1";
        let report = world.send(get(report)).await;
        assert_eq!(report.json, answer.json);
        // Another suggestion is another message, and so is another time for the text message.
        for (from, to) in [("later 1042", "later 1043"), ("600", "601")] {
            let other = CARD.replace(from, to);
            let conflict = world.send(post(PATH, saying(&other))).await;
            assert_eq!(conflict.status, 422, "{}", conflict.text);
        }
    }

    #[tokio::test]
    async fn what_is_wrong_deep_within_is_named_by_the_way_to_it() {
        let world = RouteTestWorld::new().await;
        let wrong = r#""type":"carousel","content":"Hi","cards":[{"title":"A"},{"suggestions":[
            {"text":"Go","url":"https://x.example/a"},{"text":"Both","dial":"123456789",
            "reply":"a"}]}],"suggestions":[{"reply":"a"},{"text":"None"}],
            "smsFallback":{"after":5}"#;
        let answer = world.send(post(PATH, saying(wrong))).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
        let violations = answer.json["errors"]["params"].as_object().unwrap();
        let mut names: Vec<_> = violations.keys().map(String::as_str).collect();
        names.sort_unstable();
        let expected = [
            "cards.1.suggestions.1.dial",
            "cards.1.title",
            "content",
            "smsFallback.after",
            "smsFallback.content",
            "suggestions.0.text",
            "suggestions.1.url",
        ];
        assert_eq!(names, expected);
    }
}
