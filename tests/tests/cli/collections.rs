//! Collections from the interface to the money, recorded and imported from the command line beside
//! the running server.

use serde_json::json;
use std::fs;
use tests::folder::{GatewayFolder, PAID_TO, QUICK};
use tests::merchant::TestMerchant;
use tests::patience::time_of_day;
use tests::process::GatewayProcess;

/// The numbers that the bank of these tests lends, and what is charged.
const LENT: &str = "\
[collection]
bank_name = \"Wema Bank\"
bank_code = \"035\"
account_prefix = \"774\"

[[collection_charge]]
from = \"2026-01-01\"
percent = \"1.5\"
cap = \"2000.00\"
vat = \"7.5\"
";

#[tokio::test]
async fn what_arrives_at_the_bank_is_credited_once_less_its_charge() {
    let folder = GatewayFolder::with(&[QUICK, PAID_TO, LENT].concat());
    let account = folder.live_account("Collections", "100.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let wanted = json!({"mrcReference": "col-1", "customerName": "Ada Obi"});
    let made = merchant
        .post("/collection/account", &wanted)
        .await
        .with_status(201);
    assert_eq!(made.text("bankFullname"), "Wema Bank");
    let payee = made.text("accountNumber");
    assert!(payee.starts_with("774"), "{payee}");
    let record = |session: &str, amount: &str, more: &[&str]| {
        let named = ["--payee", &payee, "--session", session, "--amount", amount];
        folder.run(&[&["collection", "record"][..], &named[..], more].concat())
    };
    let recorded = record("S1", "1000.00", &["--payer-name", "Bola", "--json"]).well();
    assert_eq!(recorded.json()["credited"], true);
    // 1,000.00 less 15.00 and 7.5 % of that.
    assert_eq!(recorded.json()["colNet"], "983.87");
    let again = record("S1", "1000.00", &["--json"]).well();
    assert_eq!(again.json()["credited"], false);
    let other = record("S1", "2000.00", &[]).refused();
    assert!(
        other.stderr.contains("credited before with NGN 1,000.00"),
        "{}",
        other.stderr
    );
    let unknown = folder.run(&[
        "collection",
        "record",
        "--payee",
        "7749999991",
        "--session",
        "S2",
        "--amount",
        "1.00",
    ]);
    let unknown = unknown.refused();
    assert!(
        unknown.stderr.contains("the number of no collection"),
        "{}",
        unknown.stderr
    );
    let balance = merchant.get("/account/balance").await.with_status(200);
    assert_eq!(balance.text("accBalance"), "1,083.87");
    let simulated = json!({
        "mrcReference": "pay-1", "colIdentifier": made.json()["colIdentifier"],
        "colAmount": "1.00",
    });
    merchant
        .post("/collection/simulate", &simulated)
        .await
        .with_status(403);
    let listed = merchant
        .get("/collection/transaction")
        .await
        .with_status(200);
    assert_eq!(listed.json()["payments"][0]["sessionId"], "S1");
    assert_eq!(listed.json()["payments"][0]["payerName"], "Bola");
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

/// A payment is of the day its number was made, or later.
fn now() -> String {
    let now = jiff::Timestamp::from_millisecond(time_of_day().as_millis());
    format!("{:.0}", now.expect("a moment"))
}

#[tokio::test]
async fn a_statement_is_imported_whole_or_not_and_twice_for_nothing() {
    let folder = GatewayFolder::with(&[QUICK, PAID_TO].concat());
    let account = folder.live_account("Collections", "100.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let no_numbers = json!({"mrcReference": "col-1", "customerName": "Ada Obi"});
    let refused = merchant.post("/collection/account", &no_numbers).await;
    refused.with_status(503);
    let wanted = json!({
        "mrcReference": "tax-1", "payerName": "Ada Obi", "colPurpose": "tax",
        "colAmount": "5,000.00", "dueDate": "2030-01-01T00:00:00Z",
    });
    let made = merchant
        .post("/collection/invoice", &wanted)
        .await
        .with_status(201);
    assert_eq!(made.text("accountNumber"), "0123456789");
    let payee = made.text("colReference");
    let file = folder.beside("statement.csv");
    let name = file.display().to_string();
    let import = |rows: &str, more: &[&str]| {
        let head = "session,payee,amount,paid_at,payer_name\n";
        fs::write(&file, format!("{head}{rows}")).expect("write a statement");
        folder.run(&[&["collection", "import", &name][..], more].concat())
    };
    let paid_at = now();
    let good = format!("S1,{payee},\"2,000.00\",{paid_at},Ada Obi\n");
    let wrong = import(&format!("{good}S2,{payee},nothing,today,\n"), &[]).refused();
    assert!(wrong.stderr.contains("line 3: amount"), "{}", wrong.stderr);
    let dry = import(&good, &["--dry-run"]).well();
    assert!(
        dry.stdout.contains("Would credit 1 payments"),
        "{}",
        dry.stdout
    );
    let balance = merchant.get("/account/balance").await.with_status(200);
    assert_eq!(balance.text("accBalance"), "100.00");
    let imported = import(&good, &["--json"]).well();
    assert_eq!(imported.json()["credited"], 1);
    let rows = format!(
        "{good}S1,{payee},\"2,000.00\",{paid_at},\n\
         S3,{payee},3.00,{paid_at},\n\
         S3,{payee},4.00,{paid_at},\n\
         S4,7749999991,1.00,{paid_at},\n\
         S5,{payee},5000,{paid_at},\n"
    );
    let again = import(&rows, &["--json"]).refused();
    let told_apart = again.json();
    assert_eq!(
        (&told_apart["credited"], &told_apart["known"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(told_apart["unsettled"][0]["line"], 4);
    assert_eq!(told_apart["unsettled"][1]["line"], 5);
    assert_eq!(told_apart["unsettled"][2]["about"], "matches no collection");
    let changed = import(&good.replace("2,000.00", "3.00"), &["--json"]).refused();
    let about = changed.json()["unsettled"][0]["about"].to_string();
    assert!(
        about.contains("credited before with NGN 2,000.00"),
        "{about}"
    );
    let shown = merchant
        .get("/collection/invoice/transaction?mrcReference=tax-1")
        .await;
    let shown = shown.with_status(200);
    assert_eq!(shown.text("colStatus"), "Paid");
    assert_eq!(shown.text("colPaid"), "7,000.00");
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[test]
fn a_range_of_account_numbers_is_named_whole_or_not_at_all() {
    for (text, problem) in [
        ("[collection]\nbank_code = \"035\"\n", "set all or none"),
        (
            "[collection]\nbank_name = \"B\"\nbank_code = \"035\"\naccount_prefix = \"774123\"\n",
            "must be 1 to 5 digits",
        ),
    ] {
        let folder = GatewayFolder::with(text);
        let refused = folder.run(&["config"]).refused();
        assert!(refused.stderr.contains(problem), "{}", refused.stderr);
    }
}
