//! `POST /messaging/bulk`. It must leave every decision about the messages to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::bulk::accepted;
use application::{Gateway, MessageFamily};
use wire::sms::bulk;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let status = gateway.message_numbers(&call.merchant, MessageFamily::Sms);
    let kept = match bulk::named_template(&call.attributes) {
        Some(named) => {
            let reference = bulk::named_reference(&call.attributes);
            let kept = gateway.template_of_batch(&call.merchant, (named, reference));
            Some(kept.await?)
        }
        None => None,
    };
    let command = bulk::parse(&call.attributes, (call.handling, kept), status)?;
    let purchase = call.purchase(command);
    let opened = gateway.send_in_bulk(&call.merchant, purchase).await?;
    Ok(accepted(&opened, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post, post_of};
    use application::QueueWorker;
    use http::HeaderValue;

    const PATH: &str = "/messaging/bulk";
    const REPORT: &str = "/messaging/bulk/transaction?mrcReference=news-1";

    fn item(reference: &str, name: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","number":"2348031234567",
                "fields":[{{"name":"first","value":"{name}"}}]}}"#
        )
    }

    fn order(items: &[String]) -> String {
        format!(
            r#"{{"mrcReference":"news-1","countryCode":566,"sender":100000000001,"type":"text",
                "message":"Dear {{first}}.","items":[{}]}}"#,
            items.join(",")
        )
    }

    async fn balance(world: &RouteTestWorld) -> String {
        let answer = world.send(get("/account/balance")).await;
        answer.json["accBalance"].as_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn many_messages_are_paid_for_together_and_sent_one_by_one() {
        let world = RouteTestWorld::new().await;
        // Of two parts.
        let long = "a".repeat(160);
        let items = [item("a", "Ada"), item("b", &long)];
        let answer = world.send(post(PATH, order(&items))).await;
        answer.assert_success(202);
        assert_eq!(answer.header("location"), REPORT);
        assert_eq!(answer.json["batCount"], 2);
        assert_eq!(answer.json["batPrice"], "12.00");
        assert!(
            answer.text.contains("The messages are accepted"),
            "{}",
            answer.text
        );
        assert_eq!(balance(&world).await, "9,988.00");
        QueueWorker::new(&world.gateway).sweep().await.unwrap();
        let report = world.send(get(REPORT)).await;
        assert_eq!(report.json["batStatus"], "Completed");
        assert_eq!(report.json["counts"]["successful"], 2);
        assert_eq!(report.json["items"][0]["content"], "Dear Ada.");
        // Each is a message of its own.
        let own = world
            .send(get("/messaging/sms/transaction?mrcReference=b"))
            .await;
        own.assert_success(200);
        assert_eq!(own.json["cost"], "8.00");
        for (name, value) in report.json["items"][1].as_object().unwrap() {
            assert_eq!(own.json[name], *value, "{name}");
        }
        let file = world.send(get(&format!("{REPORT}&format=csv"))).await;
        let rows: Vec<_> = file.text.lines().collect();
        assert!(rows[0].starts_with("mrcReference,txnReference,txnStatus,gtwStatus,dlvStatus,"));
        assert!(rows[1].ends_with(",Dear Ada."), "{}", rows[1]);
        assert!(rows[2].contains(",2,8.00,NGN,"), "{}", rows[2]);
    }

    #[tokio::test]
    async fn what_cannot_be_paid_for_or_sent_whole_is_refused_whole() {
        let world = RouteTestWorld::new().await;
        let unknown = order(&[item("a", "Ada")]).replace("100000000001", "199999999999");
        let answer = world.send(post(PATH, unknown)).await;
        answer.assert_error(404, Some(870), "/params/sender");
        let wrong = [item("a", "Ada"), item("b", "Bola").replace("first", "last")];
        let answer = world.send(post(PATH, order(&wrong))).await;
        answer.assert_error(400, None, "/params/items.1.fields");
        let long = "a".repeat(160);
        let many: Vec<_> = (0..1_001)
            .map(|n| item(&format!("item-{n}"), "Ada"))
            .collect();
        let answer = world.send(post(PATH, order(&many))).await;
        answer.assert_error(413, None, "/request");
        assert_eq!(balance(&world).await, "10,000.00");
        let answer = world.send(post(PATH, order(&many[..1_000]))).await;
        answer.assert_success(202);
        assert_eq!(balance(&world).await, "6,000.00");
        let rest: Vec<_> = (0..1_000)
            .map(|n| item(&format!("more-{n}"), &long))
            .collect();
        let rest = order(&rest).replace("news-1", "news-2");
        let answer = world.send(post(PATH, rest)).await;
        answer.assert_error(400, Some(807), "/request");
        assert_eq!(balance(&world).await, "6,000.00");
    }

    #[tokio::test]
    async fn a_retry_is_answered_with_the_first_and_what_waits_can_be_cancelled() {
        let world = RouteTestWorld::new().await;
        let keyed = |body: String| {
            let mut request = post(PATH, body);
            let key = HeaderValue::from_static("try-1");
            request.headers_mut().insert("idempotency-key", key);
            request
        };
        let first = world.send(keyed(order(&[item("a", "Ada")]))).await;
        first.assert_success(202);
        // The same words, by another way.
        let respelt = order(&[item("a", "Ada.")]).replace("{first}.", "{first}");
        let again = world.send(keyed(respelt)).await;
        again.assert_success(202);
        assert_eq!(again.json, first.json);
        let other = world.send(keyed(order(&[item("a", "Bola")]))).await;
        other.assert_error(422, None, "/params/Idempotency-Key");
        let named = r#"{"mrcReference":"news-1"}"#;
        let path = "/messaging/bulk/cancel";
        let foreign = world.send(post_of("other", path, named)).await;
        foreign.assert_error(404, None, "/params/mrcReference");
        // Another kind of batch is none of its family.
        let payouts = world.send(post("/transfer/bulk/cancel", named)).await;
        payouts.assert_error(404, None, "/params/mrcReference");
        let cancelled = world.send(post(path, named)).await;
        cancelled.assert_success(200);
        assert_eq!(cancelled.json["batStatus"], "Cancelled");
        assert_eq!(balance(&world).await, "10,000.00");
        let listed = world.send(get(PATH)).await;
        assert_eq!(listed.header("total"), "1");
        let payouts = world.send(get("/transfer/bulk")).await;
        assert_eq!(payouts.header("total"), "0");
    }

    #[tokio::test]
    async fn while_the_service_is_frozen_none_is_accepted() {
        let world = RouteTestWorld::new().await;
        let freeze = r#"{"scope":"service","service":"sms","reason":"spam"}"#;
        let frozen = world.send(post("/security/freeze", freeze)).await;
        frozen.assert_success(200);
        let answer = world.send(post(PATH, order(&[item("a", "Ada")]))).await;
        answer.assert_error(403, Some(801), "/params/items.0");
        assert_eq!(balance(&world).await, "10,000.00");
    }

    #[tokio::test]
    async fn no_text_of_a_file_is_a_formula() {
        let world = RouteTestWorld::new().await;
        let order = order(&[item("a", "1+1")]).replace("Dear {first}.", "={first}");
        world.send(post(PATH, order)).await.assert_success(202);
        let file = world.send(get(&format!("{REPORT}&format=csv"))).await;
        let row = file.text.lines().nth(1).unwrap_or_default();
        assert!(row.ends_with(",'=1+1"), "{row}");
    }
}
