//! `POST /messaging/ivr`. It must leave every decision about the call to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::{Gateway, MessageFamily};
use wire::ivr::call;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    request: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let status = gateway.message_numbers(&request.merchant, MessageFamily::Ivr);
    let command = call::parse(&request.attributes, request.handling, status)?;
    let purchase = request.purchase(command);
    let paid = gateway.run_flow(&request.merchant, purchase).await?;
    Ok(payment::paid(&paid, &request.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::orders::{Ordered, laws};
    use crate::testing::{RouteTestWorld, get, post, post_of};
    use http::HeaderValue;
    use ports::messaging_library::{LibraryCreation, MessagingLibrary};
    use testkit::builders::kept_flow;

    const PATH: &str = "/messaging/ivr";

    const ORDERED: Ordered = Ordered {
        path: PATH,
        report: "/messaging/ivr/transaction",
        order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
            "sender":100000000001,"flwIdentifier":7,
            "variables":[{"name":"first","value":"Ada"}]}"#,
        number: "2348031234567",
        refused: "2348031230001",
        pending: "2348031230010",
        respelt: ("566", r#""566""#),
        changed: ("Ada", "Bola"),
    };

    laws!(ORDERED);

    #[tokio::test]
    async fn a_flow_that_was_deleted_is_run_in_calls_that_were_ordered_before() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, ORDERED.order.to_owned())).await;
        answer.assert_success(200);
        assert_eq!(answer.json["flwIdentifier"], 7);
        assert_eq!(answer.json["flwPath"][0], "ask");
        let flow = r#"{"flwIdentifier":7}"#.to_owned();
        let deleted = world.send(post("/messaging/flow/delete", flow)).await;
        deleted.assert_success(200);
        let again = world.send(post(PATH, ORDERED.order.to_owned())).await;
        again.assert_error(422, None, "/params/mrcReference");
        let report = "/messaging/ivr/transaction?mrcReference=order-1";
        let report = world.send(get(report)).await;
        assert_eq!(report.json, answer.json);
        let other = ORDERED.order.replace("order-1", "order-2");
        let refused = world.send(post(PATH, other)).await;
        refused.assert_error(404, None, "/params/flwIdentifier");
    }

    #[tokio::test]
    async fn a_retry_of_the_same_call_is_the_same_in_everything() {
        let world = RouteTestWorld::new().await;
        let kept = world.store.keep(&kept_flow("shop", 8)).await;
        assert_eq!(kept.unwrap(), LibraryCreation::Done);
        let keyed = |order: String| {
            let mut request = post(PATH, order);
            let key = HeaderValue::from_static("try-1");
            request.headers_mut().insert("idempotency-key", key);
            request
        };
        let order = ORDERED.order;
        world
            .send(keyed(order.to_owned()))
            .await
            .assert_success(200);
        let again = world.send(keyed(order.to_owned())).await;
        assert_eq!(again.header("idempotency-replayed"), "true");
        for changed in [
            order.replace(r#""flwIdentifier":7"#, r#""flwIdentifier":8"#),
            order.replacen('{', r#"{"callMinutes":3,"#, 1),
            order.replacen('{', r#"{"window":31,"#, 1),
        ] {
            let other = world.send(keyed(changed)).await;
            other.assert_error(422, None, "/params/Idempotency-Key");
        }
        // The flow of one account is none of another's.
        let theirs = order.replace(r#""flwIdentifier":7"#, r#""flwIdentifier":8"#);
        let theirs = theirs.replace("100000000001", "100000000002");
        let refused = world.send(post_of("other", PATH, theirs)).await;
        refused.assert_error(404, None, "/params/flwIdentifier");
    }

    #[tokio::test]
    async fn variables_fit_the_flow() {
        let world = RouteTestWorld::new().await;
        for (from, to, message) in [
            (
                r#"{"name":"first","value":"Ada"}"#,
                "",
                "must have first, which the step ask names; add it",
            ),
            (
                r#""first""#,
                r#""last""#,
                "must have first, which the step ask names; add it; have last, which no step of \
                 the flow names; leave it out",
            ),
        ] {
            let order = ORDERED.order.replace(from, to);
            let refused = world.send(post(PATH, order)).await;
            refused.assert_error(400, None, "/params/variables");
            assert_eq!(refused.json["errors"]["params"]["variables"][0], message);
        }
    }
}
