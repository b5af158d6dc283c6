//! `POST /payment/cabletv`. It must leave every decision about the order to the application.

use crate::call::Call;
use crate::reply::Reply;
use crate::routes::payment;
use application::Gateway;
use wire::cabletv::subscribe;

pub(in crate::routes) async fn handle(gateway: Gateway, call: Call) -> Result<Reply, Reply> {
    let currency = call.merchant.account.currency;
    let command = subscribe::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.purchase(command);
    let paid = gateway.subscribe_cable(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{World, get, post, post_of, request_of};
    use axum::body::Body;
    use http::header::CONTENT_TYPE;

    const PATH: &str = "/payment/cabletv";

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
        let world = World::new().await;
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
        let world = World::new().await;
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
        let world = World::new().await;
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
        let world = World::new().await;
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
        let poor = world.send(post_of("poor", PATH, good())).await;
        poor.assert_error(400, Some(807), "/request");
        // None of them used the reference up.
        world.send(post(PATH, good())).await.assert_success(200);
    }

    #[tokio::test]
    async fn a_refused_subscription_was_accepted_and_failed() {
        let world = World::new().await;
        let body = instant("0201230001", "204", 1);
        let answer = world.send(post(PATH, body)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Failed");
    }

    #[tokio::test]
    async fn a_subscription_without_an_outcome_in_time_is_accepted_and_leads_to_its_report() {
        let world = World::new().await;
        let body = top_up("0201230010", "1,000.00");
        let answer = world.send_and_wait(post(PATH, body)).await;
        answer.assert_success(202);
        assert_eq!(answer.json["txnStatus"], "Pending");
        let location = answer.header("location");
        let expected = "/payment/cabletv/transaction?mrcReference=order-1";
        assert_eq!(location, expected);
        let report = world.send(get(location)).await;
        report.assert_success(200);
        assert_eq!(report.json["txnReference"], answer.json["txnReference"]);
    }

    #[tokio::test]
    async fn a_retry_under_its_key_hears_of_the_first_and_says_so() {
        let world = World::new().await;
        let keyed = |body: String| {
            let builder = request_of("shop", "POST", PATH);
            let builder = builder.header(CONTENT_TYPE, "application/json");
            let builder = builder.header("Idempotency-Key", "try-1");
            builder.body(Body::from(body)).unwrap()
        };
        let made = world.send(keyed(instant("0201234567", "204", 1))).await;
        made.assert_success(200);
        let retried = world.send(keyed(instant("0201234567", "\"204\"", 1))).await;
        retried.assert_success(200);
        assert_eq!(retried.header("idempotency-replayed"), "true");
        assert_eq!(retried.json, made.json);
        let other = world.send(keyed(instant("0201234567", "204", 2))).await;
        other.assert_error(422, None, "/params/Idempotency-Key");
    }
}
