//! Refunds over the interface: what is asked for, what its reference decides, and what is refused.

use crate::testing::{RouteTestWorld, bare, get, post, post_of, request_of};
use domain::change_set::ChangeSet;
use http::HeaderValue;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use testkit::builders::airtime;

const PATH: &str = "/billing/refund";

fn body(reference: &str, original: &str, rest: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","mrcOriginal":"{original}",
            "rfdReason":"never arrived"{rest}}}"#
    )
}

fn report(reference: &str) -> String {
    format!("{PATH}/transaction?mrcReference={reference}")
}

/// Airtime of 1,000.00 to a number.
async fn buy(world: &RouteTestWorld, reference: &str, number: &str) {
    let order = format!(
        r#"{{"mrcReference":"{reference}","countryCode":566,"number":"{number}","amount":"1000",
            "billing":"prepaid"}}"#
    );
    world.send(post("/payment/airtime", order)).await;
}

async fn balance(world: &RouteTestWorld) -> String {
    let answer = world.send(get("/account/balance")).await;
    answer.json["accBalance"].as_str().unwrap().to_owned()
}

const DELIVERED: &str = "2348031234567";

#[tokio::test]
async fn a_refund_gives_the_price_back_once() {
    let world = RouteTestWorld::new().await;
    let before = balance(&world).await;
    buy(&world, "order-1", DELIVERED).await;
    assert_ne!(balance(&world).await, before);
    let answer = world.send(post(PATH, body("back-1", "order-1", ""))).await;
    answer.assert_success(200);
    assert_eq!(answer.header("location"), report("back-1"));
    assert_eq!(answer.json["rfdStatus"], "Completed");
    assert_eq!(answer.json["rfdChannel"], "credit");
    assert_eq!(answer.json["rfdCredited"], answer.json["txnAmount"]);
    assert_eq!(balance(&world).await, before);
    let again = world.send(post(PATH, body("back-2", "order-1", ""))).await;
    again.assert_error(409, None, "/request");
    assert_eq!(balance(&world).await, before);
    let shown = world.send(get(&report("back-1"))).await;
    shown.assert_success(200);
    assert_eq!(shown.json["txnStatus"], "Successful");
    let listed = world.send(get(PATH)).await;
    assert_eq!(listed.header("total"), "1");
    assert_eq!(listed.json["refunds"][0]["mrcOriginal"], "order-1");
}

#[tokio::test]
async fn a_reference_of_a_test_account_decides() {
    let world = RouteTestWorld::new().await;
    for number in 1..=2 {
        buy(&world, &format!("order-{number}"), DELIVERED).await;
    }
    let before = balance(&world).await;
    let refused = world
        .send(post(PATH, body("back-0001", "order-1", "")))
        .await;
    refused.assert_success(200);
    assert_eq!(refused.json["rfdStatus"], "Refused");
    assert_eq!(refused.json["txnStatus"], "Failed");
    let waits = world
        .send(post(PATH, body("back-0002", "order-2", "")))
        .await;
    waits.assert_success(202);
    assert_eq!(waits.json["rfdStatus"], "Pending");
    assert_eq!(balance(&world).await, before);
    // What was refused may be asked for again, and a part of the price alone.
    let part = body("back-3", "order-1", r#","txnAmount":"0.01""#);
    let part = world.send(post(PATH, part)).await;
    part.assert_success(200);
    assert_eq!(part.json["rfdCredited"], "0.01");
    let another = world.send(post(PATH, body("back-4", "order-2", ""))).await;
    another.assert_error(409, None, "/request");
}

#[tokio::test]
async fn what_was_not_delivered_or_cost_less_is_not_refunded() {
    let world = RouteTestWorld::new().await;
    buy(&world, "order-1", DELIVERED).await;
    buy(&world, "failed", "2348030000001").await;
    let open = airtime().number(77).reference("open").opening();
    let open = world.store.commit(ChangeSet::Open(Box::new(open))).await;
    assert_eq!(open.unwrap(), CommitOutcome::Done);
    let before = balance(&world).await;
    for original in ["failed", "open"] {
        let refused = world.send(post(PATH, body("back-1", original, ""))).await;
        refused.assert_error(409, None, "/request");
    }
    let unknown = world.send(post(PATH, body("back-1", "order-9", ""))).await;
    unknown.assert_error(404, None, "/params/mrcOriginal");
    let theirs = post_of("other", PATH, body("back-1", "order-1", ""));
    let theirs = world.send(theirs).await;
    theirs.assert_error(404, None, "/params/mrcOriginal");
    let more = body("back-1", "order-1", r#","txnAmount":"1000.01""#);
    let more = world.send(post(PATH, more)).await;
    more.assert_error(400, Some(814), "/params/txnAmount");
    let credits = body(
        "back-1",
        "order-1",
        r#","txnAmount":"1.00","currency":"CRD""#,
    );
    let credits = world.send(post(PATH, credits)).await;
    credits.assert_error(400, None, "/params/currency");
    assert_eq!(balance(&world).await, before);
    assert_eq!(world.send(get(PATH)).await.header("total"), "0");
}

#[tokio::test]
async fn a_retry_is_answered_with_the_first_and_a_reference_leads_to_one_refund() {
    let world = RouteTestWorld::new().await;
    buy(&world, "order-1", DELIVERED).await;
    buy(&world, "order-2", DELIVERED).await;
    let keyed = |body: String| {
        let mut request = post(PATH, body);
        let key = HeaderValue::from_static("try-1");
        request.headers_mut().insert("idempotency-key", key);
        request
    };
    let first = world.send(keyed(body("back-1", "order-1", ""))).await;
    first.assert_success(200);
    let after = balance(&world).await;
    let again = world.send(keyed(body("back-1", "order-1", ""))).await;
    again.assert_success(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json["txnReference"], first.json["txnReference"]);
    for other in [
        body("back-1", "order-2", ""),
        body("back-1", "order-1", r#","txnAmount":"1000""#),
    ] {
        let other = world.send(keyed(other)).await;
        other.assert_error(422, None, "/params/Idempotency-Key");
    }
    let same = world.send(post(PATH, body("back-1", "order-1", ""))).await;
    same.assert_error(422, None, "/params/mrcReference");
    assert_eq!(same.header("location"), report("back-1"));
    let used = world.send(post(PATH, body("back-1", "order-2", ""))).await;
    used.assert_error(422, None, "/params/mrcReference");
    assert_eq!(used.header("location"), report("back-1"));
    assert_eq!(balance(&world).await, after);
    let theirs = world
        .send(bare(request_of("other", "GET", &report("back-1"))))
        .await;
    theirs.assert_error(404, None, "/params/mrcReference");
}
