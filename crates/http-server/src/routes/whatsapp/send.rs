//! `POST /messaging/whatsapp`. It must leave every decision about the message to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::{Gateway, MessageFamily};
use wire::attribute::MESSAGE_TYPE;
use wire::violations::Violations;
use wire::whatsapp::send;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let status = gateway.message_numbers(&call.merchant, MessageFamily::Whatsapp);
    let parsed = send::parse(&call.attributes, call.handling, status);
    let command = match parsed {
        Ok(command) => command,
        Err(violations) => return Err(with_closed(&gateway, &call, violations).await?.into()),
    };
    let purchase = call.purchase(command);
    let paid = gateway.send_whatsapp(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

/// The violations of a request, and beside them that its conversation is closed. That of a request
/// without others is found once it is not answered by an earlier one.
async fn with_closed(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    mut violations: Violations,
) -> Result<Violations, HttpReply> {
    if let Some((number, country, sender)) = send::asked_conversation(&call.attributes) {
        let to = (&number, country);
        let closed = gateway.is_conversation_closed(&call.merchant, to, &sender);
        if closed.await? {
            violations.add(&MESSAGE_TYPE, send::CONVERSATION_CLOSED.to_owned());
        }
    }
    Ok(violations)
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/messaging/whatsapp";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/messaging/whatsapp/transaction",
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

    #[tokio::test]
    async fn a_template_is_sent_with_its_values() {
        let world = RouteTestWorld::new().await;
        let template = r#""type":"template","tplName":"order_shipped","tplLanguage":"en",
            "tplParameters":[{"value":"Ada"},{"value":"1042"}]"#;
        let answer = world.send(post(PATH, saying(template))).await;
        answer.assert_success(200);
        for (name, value) in [
            ("txnStatus", "Successful"),
            ("gtwStatus", "Submitted"),
            ("dlvStatus", "Submitted"),
            ("sender", "Name0001"),
            ("network", "MTN"),
            ("type", "template"),
            ("tplName", "order_shipped"),
            ("tplLanguage", "en"),
            ("cost", "9.00"),
            ("currency", "NGN"),
        ] {
            assert_eq!(answer.json[name], value, "{name}");
        }
        for name in ["content", "mediaUrl", "readDate"] {
            assert!(answer.json[name].is_null(), "{name}");
        }
        let report = "/messaging/whatsapp/transaction?mrcReference=order-1";
        let report = world.send(get(report)).await;
        assert_eq!(report.json, answer.json);
        // Other values are another message.
        let other = template.replace("1042", "1043");
        let conflict = world.send(post(PATH, saying(&other))).await;
        assert_eq!(conflict.status, 422, "{}", conflict.text);
    }

    #[tokio::test]
    async fn what_belongs_to_another_type_is_refused() {
        let world = RouteTestWorld::new().await;
        let mixed = r#""type":"text","content":"Hi","tplName":"order_shipped",
            "mediaUrl":"https://shop.example/a.pdf""#;
        let answer = world.send(post(PATH, saying(mixed))).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
        let violations = &answer.json["errors"]["params"];
        assert!(violations["tplName"].is_array(), "{}", answer.text);
        assert!(violations["mediaUrl"].is_array(), "{}", answer.text);
        assert!(violations["content"].is_null(), "{}", answer.text);
    }
}
