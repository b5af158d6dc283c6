//! Top-ups over the interface: the instruction, its confirmation, its end.

use crate::testing::{RouteTestWorld, bare, get, post, post_of, request_of};
use domain::change_set::ChangeSet;
use domain::top_up::{TOP_UP_OPEN_FOR, TOP_UPS_OPEN_MAX};
use http::HeaderValue;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::top_ups::{TopUpCreation, TopUps};
use std::time::Duration;
use testkit::builders::{funding, top_up};

const PATH: &str = "/account/topup";
const REPORT: &str = "/account/topup/transaction?mrcReference=top-1";

fn body(reference: &str, amount: &str, channel: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","amount":"{amount}","txnChannel":"{channel}",
            "currency":"NGN"}}"#
    )
}

async fn confirm(world: &RouteTestWorld, number: u64, amount: &str) {
    let funding = funding("shop", &format!("topup:{number}"), amount);
    let booked = world.store.commit(ChangeSet::Fund(funding)).await;
    assert_eq!(booked.unwrap(), CommitOutcome::Done);
}

#[tokio::test]
async fn a_top_up_is_credited_by_its_confirmation_and_by_nothing_else() {
    let world = RouteTestWorld::new().await;
    let answer = world
        .send(post(PATH, body("top-1", "5,000.00", "transfer")))
        .await;
    answer.assert_success(202);
    assert_eq!(answer.header("location"), REPORT);
    assert_eq!(answer.json["txnStatus"], "Pending");
    assert_eq!(answer.json["accountNumber"], "0123456789");
    let number = answer.json["txnReference"].as_u64().unwrap();
    assert_eq!(answer.json["txnNarration"], number.to_string());
    let balance = world.send(get("/account/balance")).await;
    assert_eq!(balance.json["accBalance"], "10,000.00");
    confirm(&world, number, "4,999.00").await;
    let report = world.send(get(REPORT)).await;
    report.assert_success(200);
    assert_eq!(report.json["txnStatus"], "Successful");
    assert_eq!(report.json["amount"], "5,000.00");
    assert_eq!(report.json["topCredited"], "4,999.00");
    let listed = world.send(get(PATH)).await;
    assert_eq!(listed.header("total"), "1");
    assert_eq!(listed.json["topups"][0]["txnStatus"], "Successful");
    let balance = world.send(get("/account/balance")).await;
    assert_eq!(balance.json["accBalance"], "14,999.00");
}

#[tokio::test]
async fn a_top_up_without_its_money_fails_and_is_credited_when_that_comes_late() {
    let world = RouteTestWorld::new().await;
    let answer = world
        .send(post(PATH, body("top-1", "5000", "manual")))
        .await;
    answer.assert_success(202);
    assert_eq!(answer.json["accountNumber"], serde_json::Value::Null);
    let number = answer.json["txnReference"].as_u64().unwrap();
    let last = TOP_UP_OPEN_FOR.saturating_sub(Duration::from_millis(1));
    world.clock.advance(last).await;
    assert_eq!(world.send(get(REPORT)).await.json["txnStatus"], "Pending");
    world.clock.advance(Duration::from_millis(1)).await;
    let failed = world.send(get(REPORT)).await;
    assert_eq!(failed.json["txnStatus"], "Failed");
    confirm(&world, number, "5,000.00").await;
    let late = world.send(get(REPORT)).await;
    assert_eq!(late.json["txnStatus"], "Successful");
}

#[tokio::test]
async fn a_retry_is_answered_with_the_first() {
    let world = RouteTestWorld::new().await;
    let keyed = |body: String| {
        let mut request = post(PATH, body);
        let key = HeaderValue::from_static("try-1");
        request.headers_mut().insert("idempotency-key", key);
        request
    };
    let first = world.send(keyed(body("top-1", "5000", "transfer"))).await;
    first.assert_success(202);
    let again = world
        .send(keyed(body("top-1", "5,000.00", "Transfer")))
        .await;
    again.assert_success(202);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json["txnReference"], first.json["txnReference"]);
    for other in [
        body("top-1", "5001", "transfer"),
        body("top-2", "5000", "transfer"),
    ] {
        let other = world.send(keyed(other)).await;
        other.assert_error(422, None, "/params/Idempotency-Key");
    }
    confirm(&world, first.json["txnReference"].as_u64().unwrap(), "1.00").await;
    let later = world.send(keyed(body("top-1", "5000", "transfer"))).await;
    later.assert_success(200);
    assert_eq!(later.json["txnStatus"], "Successful");
}

#[tokio::test]
async fn a_reference_leads_to_one_top_up_of_its_account() {
    let world = RouteTestWorld::new().await;
    let wanted = body("top-1", "5000", "transfer");
    world
        .send(post(PATH, wanted.clone()))
        .await
        .assert_success(202);
    let again = world.send(post(PATH, wanted.clone())).await;
    again.assert_error(422, None, "/params/mrcReference");
    assert_eq!(again.header("location"), REPORT);
    let theirs = world.send(bare(request_of("other", "GET", REPORT))).await;
    theirs.assert_error(404, None, "/params/mrcReference");
    let unknown = world.send(get(&REPORT.replace("top-1", "top-2"))).await;
    unknown.assert_error(404, None, "/params/mrcReference");
    let their_own = world.send(post_of("other", PATH, wanted)).await;
    their_own.assert_success(202);
    let missing = world.send(get("/account/topup/transaction")).await;
    missing.assert_error(405, None, "/params/mrcReference");
}

#[tokio::test]
async fn one_top_up_too_many_is_refused() {
    let world = RouteTestWorld::new().await;
    for number in 1..=TOP_UPS_OPEN_MAX {
        let mut open = top_up("shop", number.into(), &format!("open-{number}"));
        open.expires_at = world.gateway.now().plus(TOP_UP_OPEN_FOR);
        let made = world.store.create_top_up(&open).await;
        assert_eq!(made.unwrap(), TopUpCreation::Done);
    }
    let more = world
        .send(post(PATH, body("top-1", "5000", "manual")))
        .await;
    more.assert_error(409, None, "/request");
    let page = world.send(get("/account/topup?length=2&sort=desc")).await;
    assert_eq!(page.header("total"), "100");
    assert_eq!(page.json["topups"][0]["mrcReference"], "open-100");
    assert!(page.header("link").contains("rel=\"next\""));
}
