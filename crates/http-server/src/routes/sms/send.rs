//! `POST /messaging/sms`. It must leave every decision about the message to the application, and
//! use the field names of the request in its answer.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::{Gateway, MessageFamily};
use wire::sms::{in_names_of, send};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let status = gateway.message_numbers(&call.merchant, MessageFamily::Sms);
    let command = send::parse(&call.attributes, call.handling, status)?;
    let variant = command.variant;
    let purchase = call.quoted_purchase(command);
    let sent = gateway.send_message(&call.merchant, purchase).await;
    let paid = sent.map_err(|refused| {
        HttpReply::from(refused).with_violations(|violations| in_names_of(variant, violations))
    })?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, TestAnswer, get, post, post_of};

    const PATH: &str = "/messaging/sms";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/messaging/sms/transaction",
        order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
            "sender":100000000001,"type":"text","message":"Hi"}"#,
        number: "2348031234567",
        refused: "2348031230001",
        pending: "2348031230010",
        respelt: ("566", r#""566""#),
        changed: ("Hi", "Ho"),
    };

    laws!(ORDERED);

    /// Number, sender and text of a message to Nigeria.
    type SendResult<'a> = (&'a str, &'a str, &'a str);

    fn variant_a((number, sender, text): SendResult<'_>) -> String {
        format!(
            r#"{{"mrcReference":"order-1","countryCode":566,"number":"{number}",
                "sender":{sender},"type":"text","message":"{text}"}}"#
        )
    }

    fn variant_b((number, sender, text): SendResult<'_>) -> String {
        format!(
            r#"{{"mrcReference":"order-1","countryCode":"566","phnNumber":{number},
                "msgSender":"{sender}","msgType":"text","msgContent":"{text}"}}"#
        )
    }

    const GOOD: SendResult<'_> = ("2348031234567", "100000000001", "Your code is 4711.");

    async fn balance(world: &RouteTestWorld, account: &str) -> TestAnswer {
        let request = crate::testing::request_of(account, "GET", "/account/balance");
        world.send(crate::testing::bare(request)).await
    }

    #[tokio::test]
    async fn a_message_is_answered_in_the_names_it_was_sent_with() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, variant_a(GOOD))).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["gtwStatus"], "Submitted");
        assert_eq!(answer.json["sender"], "Name0001");
        assert_eq!(answer.json["network"], "MTN");
        assert_eq!(answer.json["content"], "Your code is 4711.");
        assert_eq!(answer.json["cost"], "4.00");
        assert_eq!(answer.json["currency"], "NGN");
        assert!(answer.json.get("dlvStatus").is_none(), "{}", answer.text);
        let report = world
            .send(get("/messaging/sms/transaction?mrcReference=order-1"))
            .await;
        assert_eq!(report.json["dlvStatus"], "Submitted");

        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, variant_b(GOOD))).await;
        answer.assert_success(200);
        assert_eq!(answer.json["msgSender"], "Name0001");
        assert_eq!(answer.json["msgContent"], "Your code is 4711.");
        assert_eq!(answer.json["dlvStatus"], "Submitted");
        assert_eq!(answer.json["txnCost"], "4.00");
        assert!(answer.json.get("number").is_none(), "{}", answer.text);
    }

    #[tokio::test]
    async fn a_retry_under_its_key_may_use_the_other_names() {
        let world = RouteTestWorld::new().await;
        let keyed = |body: String| {
            let mut request = post(PATH, body);
            let headers = request.headers_mut();
            headers.insert("idempotency-key", "try-1".parse().unwrap());
            request
        };
        let sent = world.send(keyed(variant_a(GOOD))).await;
        let again = world.send(keyed(variant_b(GOOD))).await;
        again.assert_success(200);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.json, sent.json);
    }

    #[tokio::test]
    async fn every_part_is_charged() {
        let world = RouteTestWorld::new().await;
        let long = "a".repeat(161);
        let (number, sender, _) = GOOD;
        let answer = world
            .send(post(PATH, variant_a((number, sender, &long))))
            .await;
        answer.assert_success(200);
        assert_eq!(answer.json["cost"], "8.00");
        assert_eq!(balance(&world, "shop").await.json["accBalance"], "9,992.00");
    }

    #[tokio::test]
    async fn credits_pay_for_messages_where_the_account_uses_them() {
        let world = RouteTestWorld::new().await;
        let (number, _, _) = GOOD;
        let sender = "100000000004";
        let of_parts = |parts: usize| "a".repeat(153 * parts);
        let costly = variant_b((number, sender, &of_parts(10)));
        let answer = world.send(post_of("texter", PATH, costly)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnCost"], "10.00");
        assert_eq!(answer.json["txnCurrency"], "CRD");
        let another = variant_b((number, sender, "Hi")).replace("order-1", "order-2");
        let answer = world.send(post_of("texter", PATH, another)).await;
        answer.assert_error(400, Some(808), "/request");
    }

    #[tokio::test]
    async fn a_message_without_an_outcome_in_time_is_accepted_and_leads_to_its_report() {
        let world = RouteTestWorld::new().await;
        let (_, sender, text) = GOOD;
        let body = variant_b(("2348031230010", sender, text));
        let answer = world.send_and_wait(post(PATH, body)).await;
        answer.assert_success(202);
        assert_eq!(answer.json["dlvStatus"], "Pending");
        let report = world.send(get(answer.header("location"))).await;
        report.assert_success(200);
        assert_eq!(report.json["dlvStatus"], "Pending");
    }

    #[tokio::test]
    async fn a_message_the_network_refuses_costs_nothing_and_says_so() {
        let world = RouteTestWorld::new().await;
        let (_, sender, text) = GOOD;
        let body = variant_b(("2348031230001", sender, text));
        let answer = world.send(post(PATH, body)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Failed");
        assert_eq!(answer.json["dlvStatus"], "Rejected");
        assert_eq!(
            balance(&world, "shop").await.json["accBalance"],
            "10,000.00"
        );
    }

    /// Sends a message in both sets of field names and asserts that both are refused at the same
    /// place.
    async fn assert_refused(
        world: &RouteTestWorld,
        result: SendResult<'_>,
        status: u16,
        service: Option<u16>,
    ) {
        let places = match service {
            Some(822) => ["number", "phnNumber"],
            Some(870) => ["sender", "msgSender"],
            Some(_) | None => ["message", "msgContent"],
        };
        let bodies = [variant_a(result), variant_b(result)];
        for (body, place) in bodies.into_iter().zip(places) {
            let answer = world.send(post(PATH, body)).await;
            answer.assert_error(status, service, &format!("/params/{place}"));
            let params = answer.json["errors"]["params"].as_object().unwrap();
            assert_eq!(params.len(), 1, "{}", answer.text);
        }
    }

    #[tokio::test]
    async fn what_cannot_be_sent_is_refused_in_the_names_of_the_request() {
        let world = RouteTestWorld::new().await;
        let (number, sender, text) = GOOD;
        assert_refused(&world, ("2212345678", sender, text), 400, Some(822)).await;
        assert_refused(&world, (number, "12345", text), 400, Some(870)).await;
        // A sender of another account gets the same answer as one that does not exist.
        for unknown in ["100000000000", "100000000002"] {
            assert_refused(&world, (number, unknown, text), 404, Some(870)).await;
        }
        let long = "a".repeat(1531);
        for text in [&long, "", "\\u0000", "\\u202etxt"] {
            assert_refused(&world, (number, sender, text), 400, None).await;
        }
        let abroad = variant_b(GOOD).replace("566", "288");
        let answer = world.send(post(PATH, abroad)).await;
        answer.assert_error(400, Some(851), "/params/countryCode");
    }

    #[tokio::test]
    async fn a_sender_sends_nothing_before_it_is_approved() {
        let world = RouteTestWorld::new().await;
        let (number, _, text) = GOOD;
        let unapproved = variant_b((number, "100000000009", text));
        let answer = world.send(post(PATH, unapproved)).await;
        answer.assert_error(403, Some(870), "/request");
    }

    #[tokio::test]
    async fn mixing_both_sets_of_names_is_refused_at_every_name() {
        let world = RouteTestWorld::new().await;
        let body = variant_a(GOOD).replace("\"sender\"", "\"msgSender\"");
        let answer = world.send(post(PATH, body)).await;
        for name in ["number", "msgSender", "type", "message"] {
            answer.assert_error(400, None, &format!("/params/{name}"));
        }
        let shop = balance(&world, "shop").await;
        assert_eq!(shop.json["accBalance"], "10,000.00");
    }
}
