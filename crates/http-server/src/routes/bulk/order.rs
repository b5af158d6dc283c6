//! `POST /transfer/bulk`. It must leave every decision about the payouts to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::bulk::accepted;
use application::Gateway;
use wire::bulk::order;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = order::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.purchase(command);
    let opened = gateway.pay_out_in_bulk(&call.merchant, purchase).await?;
    Ok(accepted(&opened, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get, post, post_of};
    use http::HeaderValue;

    const PATH: &str = "/transfer/bulk";
    const REPORT: &str = "/transfer/bulk/transaction?mrcReference=run-1";

    fn item(reference: &str, number: &str, amount: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","bankIdentifier":"00000000058",
                "accountNumber":"{number}","txnAmount":"{amount}","txnNarration":"Pay"}}"#
        )
    }

    fn good(reference: &str) -> String {
        item(reference, "0123476789", "1,000.00")
    }

    fn order(items: &[String]) -> String {
        let items = items.join(",");
        format!(r#"{{"mrcReference":"run-1","items":[{items}]}}"#)
    }

    async fn balance(world: &RouteTestWorld) -> String {
        let answer = world.send(get("/account/balance")).await;
        answer.json["accBalance"].as_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn many_payouts_are_accepted_together_and_paid_for() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, order(&[good("a"), good("b")]))).await;
        answer.assert_success(202);
        assert_eq!(answer.header("location"), REPORT);
        assert_eq!(answer.json["mrcReference"], "run-1");
        assert_eq!(answer.json["batStatus"], "Pending");
        assert_eq!(answer.json["batOnFailure"], "continue");
        assert_eq!(answer.json["batCount"], 2);
        assert_eq!(answer.json["batTotal"], "2,000.00");
        assert_eq!(answer.json["batPrice"], "2,021.50");
        assert_eq!(answer.json["counts"]["pending"], 2);
        assert_eq!(balance(&world).await, "7,978.50");
        // Each is a payout of its own.
        let report = "/transfer/bank/transaction?mrcReference=b";
        let payout = world.send(get(report)).await;
        payout.assert_success(200);
        assert_eq!(payout.json["txnStatus"], "Pending");
        assert_eq!(payout.json["accountName"], "FUNMILAYO ADEYEMI");
    }

    #[tokio::test]
    async fn what_cannot_be_paid_for_whole_is_refused_whole() {
        let world = RouteTestWorld::new().await;
        let items: Vec<_> = (0..10).map(|n| good(&format!("item-{n}"))).collect();
        let answer = world.send(post(PATH, order(&items))).await;
        answer.assert_error(400, Some(807), "/request");
        assert_eq!(balance(&world).await, "10,000.00");
        let report = world.send(get("/transfer/bank/transaction?mrcReference=item-0"));
        report.await.assert_error(404, None, "/params/mrcReference");
        // The references are free.
        let answer = world.send(post(PATH, order(&items[..9]))).await;
        answer.assert_success(202);
    }

    #[tokio::test]
    async fn every_payout_that_is_refused_is_named_by_its_place() {
        let world = RouteTestWorld::new().await;
        let unlisted = good("d").replace("00000000058", "00000000059");
        let wrong = [
            good("a"),
            item("b", "1123476789", "1,000"),
            item("c", "0123480014", "1,000"),
            unlisted,
            item("e", "0123476789", "99.99"),
        ];
        let answer = world.send(post(PATH, order(&wrong))).await;
        for (place, service) in [
            ("/params/items.1.accountNumber", 842),
            ("/params/items.2.accountNumber", 842),
            ("/params/items.3.bankIdentifier", 842),
            ("/params/items.4.txnAmount", 842),
        ] {
            answer.assert_error(400, Some(service), place);
        }
        assert_eq!(balance(&world).await, "10,000.00");
        // Nothing but the bank is at fault: it is worth sending it again.
        let away = [good("a"), item("b", "0123530012", "1,000")];
        let answer = world.send(post(PATH, order(&away))).await;
        answer.assert_error(503, Some(842), "/system");
        assert!(answer.text.contains("items.1"), "{}", answer.text);
        // All of one kind.
        let unknown = [good("a"), item("b", "0123480014", "1,000")];
        let answer = world.send(post(PATH, order(&unknown))).await;
        answer.assert_error(404, Some(842), "/params/items.1.accountNumber");
    }

    #[tokio::test]
    async fn more_than_a_thousand_are_refused_before_they_are_read() {
        let world = RouteTestWorld::new().await;
        let items: Vec<_> = (0..1_001).map(|n| good(&format!("item-{n}"))).collect();
        let answer = world.send(post(PATH, order(&items))).await;
        answer.assert_error(413, None, "/request");
        assert_eq!(balance(&world).await, "10,000.00");
    }

    fn keyed(body: String) -> http::Request<crate::layers::body::Body> {
        let mut request = post(PATH, body);
        let key = HeaderValue::from_static("try-1");
        request.headers_mut().insert("idempotency-key", key);
        request
    }

    #[tokio::test]
    async fn a_retry_is_answered_with_the_first() {
        let world = RouteTestWorld::new().await;
        let first = world.send(keyed(order(&[good("a"), good("b")]))).await;
        first.assert_success(202);
        let respelt = order(&[good("a"), good("b").replace("1,000.00", "1000")]);
        let again = world.send(keyed(respelt)).await;
        again.assert_success(202);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.json, first.json);
        for changed in [
            order(&[good("a")]),
            order(&[good("b"), good("a")]),
            order(&[good("c"), good("d")]).replace("run-1", "run-2"),
        ] {
            let answer = world.send(keyed(changed)).await;
            answer.assert_error(422, None, "/params/Idempotency-Key");
        }
        assert_eq!(balance(&world).await, "7,978.50");
    }

    #[tokio::test]
    async fn a_reference_that_was_used_leads_to_what_has_it() {
        let world = RouteTestWorld::new().await;
        world
            .send(post(PATH, order(&[good("a")])))
            .await
            .assert_success(202);
        let again = world.send(post(PATH, order(&[good("b")]))).await;
        again.assert_error(422, None, "/params/mrcReference");
        assert_eq!(again.header("location"), REPORT);
        let payout = good("run-1");
        let payout = world.send(post("/transfer/bank/payout", payout)).await;
        payout.assert_error(422, None, "/params/mrcReference");
        assert_eq!(payout.header("location"), REPORT);
        // A payment has the reference of one of them, or of the batch.
        let taken = [good("x"), good("a"), good("y")];
        let second = order(&taken).replace("run-1", "run-2");
        let answer = world.send(post(PATH, second)).await;
        answer.assert_error(422, None, "/params/items.1.mrcReference");
        let named_so = order(&[good("z")]).replace("run-1", "a");
        let answer = world.send(post(PATH, named_so)).await;
        answer.assert_error(422, None, "/params/mrcReference");
        let report = "/transfer/bank/transaction?mrcReference=a";
        assert_eq!(answer.header("location"), report);
        let others = world
            .send(post_of("other", PATH, order(&[good("a")])))
            .await;
        others.assert_success(202);
    }

    fn assert_untaken(answer: &TestAnswer) {
        assert_eq!(answer.status, 503, "{}", answer.text);
        assert!(answer.text.contains("nothing was done"), "{}", answer.text);
    }

    #[tokio::test]
    async fn while_payments_are_suspended_none_is_accepted() {
        let world = RouteTestWorld::new().await;
        world.store.hold_openings();
        let answer = world.send(post(PATH, order(&[good("a")]))).await;
        assert_untaken(&answer);
        world.store.allow_openings();
        let answer = world.send(post(PATH, order(&[good("a")]))).await;
        answer.assert_success(202);
    }
}
