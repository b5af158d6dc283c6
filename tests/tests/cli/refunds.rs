//! Refunds from the request over the interface to the money, decided from the command line beside
//! the running server.

use serde_json::{Value, json};
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::operators::BETA;
use tests::orders;
use tests::orders::OrderFamily;
use tests::process::GatewayProcess;

const PATH: &str = "/billing/refund";
const NUMBER: &str = "2348031234567";

/// Its end leaves it to an operator.
const WAITS: &str = "back-0002";

fn wanted(reference: &str, original: &str) -> Value {
    json!({"mrcReference": reference, "mrcOriginal": original, "rfdReason": "never arrived"})
}

async fn buy(merchant: &TestMerchant, reference: &str, amount: &str) {
    let order = orders::airtime(reference, NUMBER, amount);
    let bought = merchant.buy(OrderFamily::Airtime, &order).await;
    assert_eq!(bought.with_status(200).txn_status(), "Successful");
}

async fn balance(merchant: &TestMerchant) -> String {
    let answer = merchant.get("/account/balance").await.with_status(200);
    answer.text("accBalance")
}

async fn status(merchant: &TestMerchant, reference: &str) -> String {
    let path = format!("{PATH}/transaction?mrcReference={reference}");
    merchant.get(&path).await.with_status(200).text("rfdStatus")
}

#[tokio::test]
async fn what_an_operator_approves_comes_back_once() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Refunds", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    buy(&merchant, "order-1", "1000").await;
    buy(&merchant, "order-2", "1000").await;
    let before = balance(&merchant).await;
    let asked = merchant.post(PATH, &wanted(WAITS, "order-1")).await;
    assert_eq!(asked.with_status(202).text("rfdStatus"), "Pending");
    let shown = folder.run(&["refund", "list"]).well();
    assert!(shown.stdout.contains(WAITS), "{}", shown.stdout);
    assert!(shown.stdout.contains("never arrived"), "{}", shown.stdout);
    let decide = |word: &str, reference: &str, more: &[&str]| {
        let named = ["--identity", &account.identity, "--reference", reference];
        folder.run(&[&["refund", word][..], &named[..], more].concat())
    };
    let unknown = decide("approve", "back-9", &[]).refused();
    let said = unknown.stderr;
    assert!(said.contains("asked for no refund back-9"), "{said}");
    assert_eq!(balance(&merchant).await, before);
    let approved = decide("approve", WAITS, &["--json"]).well();
    assert_eq!(approved.json()["rfdStatus"], "Completed");
    let after = balance(&merchant).await;
    assert_ne!(after, before);
    let again = decide("approve", WAITS, &[]).well();
    assert!(again.stdout.contains("Completed"), "{}", again.stdout);
    let late = decide("refuse", WAITS, &["--reason", "too late"]).refused();
    assert!(late.stderr.contains("approved before"), "{}", late.stderr);
    assert_eq!(balance(&merchant).await, after);
    assert_eq!(status(&merchant, WAITS).await, "Completed");
    let statement = merchant.get("/account/statement").await.with_status(200);
    assert!(statement.body.contains("Refunded: "), "{statement:?}");
    let other = merchant.post(PATH, &wanted("other-0002", "order-2")).await;
    let _ = other.with_status(202);
    let refused = decide("refuse", "other-0002", &["--reason", "it arrived"]).well();
    assert!(refused.stdout.contains("Refused"), "{}", refused.stdout);
    let late = decide("approve", "other-0002", &[]).refused();
    assert!(late.stderr.contains("refused before"), "{}", late.stderr);
    assert_eq!(balance(&merchant).await, after);
    let left = folder.run(&["refund", "list"]).well();
    assert!(left.stdout.contains("No refund waits"), "{}", left.stdout);
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn above_the_limit_a_second_operator_approves_the_very_same() {
    let limit = "[review]\ndual_control_above = \"500.00\"\n";
    let folder = GatewayFolder::with(&[QUICK, limit].concat());
    let account = folder.account("Refunds", "10000.00");
    folder.has_also(&BETA);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    buy(&merchant, "order-1", "1000").await;
    let before = balance(&merchant).await;
    let asked = merchant.post(PATH, &wanted(WAITS, "order-1")).await;
    let _ = asked.with_status(202);
    let named = ["--identity", &account.identity, "--reference", WAITS];
    let approve = [&["refund", "approve", "--json"][..], &named[..]].concat();
    for _ in 0..2 {
        let proposed = folder.run(&approve).well().json();
        assert_eq!(proposed["rfdStatus"], "Pending", "{proposed}");
        assert!(proposed["proposed"].is_u64(), "{proposed}");
        assert_eq!(balance(&merchant).await, before);
    }
    let approved = folder.run_as(&BETA, &approve).well().json();
    assert_eq!(approved["rfdStatus"], "Completed", "{approved}");
    assert_ne!(balance(&merchant).await, before);
    assert_eq!(status(&merchant, WAITS).await, "Completed");
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}
