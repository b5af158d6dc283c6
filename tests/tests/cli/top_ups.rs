//! Top-ups from the announcement over the interface to the money, confirmed from the command line
//! beside the running server.

use serde_json::json;
use tests::folder::{GatewayFolder, PAID_TO, QUICK};
use tests::merchant::TestMerchant;
use tests::process::GatewayProcess;

const PATH: &str = "/account/topup";
const REPORT: &str = "/account/topup/transaction?mrcReference=top-1";

fn wanted(reference: &str, channel: &str) -> serde_json::Value {
    json!({"mrcReference": reference, "amount": "50,000.00", "txnChannel": channel})
}

#[tokio::test]
async fn what_was_announced_is_credited_once_with_what_arrived() {
    let folder = GatewayFolder::with(&[QUICK, PAID_TO].concat());
    let account = folder.account("Top-ups", "100.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let announced = merchant.post(PATH, &wanted("top-1", "transfer")).await;
    let number = announced.with_status(202).json()["txnReference"].to_string();
    let shown = folder.run(&["account", "topup", "list"]).well();
    assert!(shown.stdout.contains("top-1"), "{}", shown.stdout);
    assert!(shown.stdout.contains(&number), "{}", shown.stdout);
    let confirm = |reference: &str, amount: &str, more: &[&str]| {
        let named = ["--identity", &account.identity, "--reference", reference];
        let command = ["account", "topup", "confirm", "--amount", amount];
        folder.run(&[&command[..], &named[..], more].concat())
    };
    let unknown = confirm("top-2", "50000.00", &[]).refused();
    assert!(
        unknown.stderr.contains("announced no top-up top-2"),
        "{}",
        unknown.stderr
    );
    let differs = confirm("top-1", "49950.00", &[]).refused();
    assert_eq!(differs.status.code(), Some(2));
    assert!(differs.stderr.contains("--differs"), "{}", differs.stderr);
    assert_eq!(merchant.get(REPORT).await.txn_status(), "Pending");
    let credited = confirm("top-1", "49950.00", &["--differs", "--json"]).well();
    assert_eq!(credited.json()["credited"], true);
    let again = confirm("top-1", "49950.00", &["--json"]).well();
    assert_eq!(again.json()["credited"], false);
    let other = confirm("top-1", "50000.00", &[]).refused();
    assert!(
        other.stderr.contains("confirmed before"),
        "{}",
        other.stderr
    );
    let report = merchant.get(REPORT).await.with_status(200);
    assert_eq!(report.txn_status(), "Successful");
    assert_eq!(report.text("topCredited"), "49,950.00");
    let balance = merchant.get("/account/balance").await.with_status(200);
    assert_eq!(balance.text("accBalance"), "50,050.00");
    let statement = merchant.get("/account/statement").await.with_status(200);
    assert!(statement.body.contains("Top-up top-1"), "{statement:?}");
    let left = folder
        .run(&["account", "topup", "list", "--expired"])
        .well();
    assert!(left.stdout.contains("No top-up waits"), "{}", left.stdout);
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn without_a_bank_account_nothing_is_transferred_to_it() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Top-ups", "100.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let refused = merchant.post(PATH, &wanted("top-1", "transfer")).await;
    let refused = refused.with_status(400);
    assert_eq!(refused.json()["serviceCode"], 812, "{refused:?}");
    assert_eq!(refused.faulty(), ["txnChannel"]);
    assert!(refused.body.contains("choose manual"), "{refused:?}");
    let manual = merchant.post(PATH, &wanted("top-1", "manual")).await;
    manual.with_status(202);
}

/// Other payments in are not mistaken for confirmations.
#[test]
fn a_credit_cannot_take_the_reference_of_a_confirmation() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Top-ups", "100.00");
    let credit = |reference: &str| {
        let named = ["--identity", &account.identity, "--reference", reference];
        let command = ["account", "credit", "--amount", "1.00"];
        folder.run(&[&command[..], &named[..]].concat())
    };
    let refused = credit("topup:7").refused();
    assert!(
        refused.stderr.contains("topup confirm"),
        "{}",
        refused.stderr
    );
    credit("topup-7").well();
}

#[test]
fn a_bank_account_is_named_whole_or_not_at_all() {
    let folder = GatewayFolder::with("[topup]\naccount_number = \"0123456789\"\n");
    let refused = folder.run(&["config"]).refused();
    assert!(
        refused.stderr.contains("set all or none"),
        "{}",
        refused.stderr
    );
}
