//! What operators correct by command beside the running server: a balance, a payment that was
//! delivered and is given back, and events that a merchant did not get.

use serde_json::json;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::operators::BETA;
use tests::orders;
use tests::orders::OrderFamily;
use tests::process::GatewayProcess;
use tests::program::ProgramOutput;

const NUMBER: &str = "2348031234567";
const LOOPBACK: &str = "[webhook]\nallow_loopback = true\n";
const LIMIT: &str = "[review]\ndual_control_above = \"500.00\"\n";

async fn balance(merchant: &TestMerchant) -> String {
    let answer = merchant.get("/account/balance").await.with_status(200);
    answer.text("accBalance")
}

async fn buy(merchant: &TestMerchant, reference: &str) {
    let order = orders::airtime(reference, NUMBER, "1000");
    let bought = merchant.buy(OrderFamily::Airtime, &order).await;
    assert_eq!(bought.with_status(200).txn_status(), "Successful");
}

fn must_be_clean(folder: &GatewayFolder) {
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn a_balance_is_adjusted_either_way_once_and_never_below_what_can_be_spent() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Adjusted", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let adjust = |amount: &str, reference: &str| -> ProgramOutput {
        folder.run(&[
            "account",
            "adjust",
            "--identity",
            &account.identity,
            "--amount",
            amount,
            "--reference",
            reference,
            "--reason",
            "credited twice",
            "--json",
        ])
    };
    let down = adjust("-250.50", "fix-1").well().json();
    assert_eq!(
        (&down["adjusted"], &down["accBalance"]),
        (&json!(true), &json!("749.50"))
    );
    let again = adjust("-250.50", "fix-1").well().json();
    assert_eq!(again["adjusted"], json!(false));
    let other = adjust("-250.51", "fix-1").refused();
    assert!(other.stderr.contains("was used before"), "{other:?}");
    let up = adjust("0.50", "fix-2").well().json();
    assert_eq!(up["accBalance"], json!("750.00"));
    let more = adjust("-750.01", "fix-3").refused();
    assert!(more.stderr.contains("can spend (NGN 750.00)"), "{more:?}");
    let all = adjust("-750.00", "fix-5").well().json();
    assert_eq!(all["accBalance"], json!("0.00"));
    let again = adjust("-750.00", "fix-5").well().json();
    assert_eq!(again["adjusted"], json!(false));
    let _back = adjust("750.00", "fix-6").well();
    let zero = adjust("0", "fix-4").refused();
    assert!(zero.stderr.contains("must not be zero"), "{zero:?}");
    assert_eq!(balance(&merchant).await, "750.00");
    let statement = merchant.get("/account/statement").await.with_status(200);
    for line in ["Adjustment fix-1", "Adjustment fix-2"] {
        assert!(statement.body.contains(line), "{statement:?}");
    }
    assert!(!statement.body.contains("credited twice"), "{statement:?}");
    let log = folder.run(&["operator", "log"]).well();
    assert!(log.stdout.contains("account-adjust"), "{log:?}");
    must_be_clean(&folder);
}

#[tokio::test]
async fn above_the_limit_a_second_operator_adjusts_by_the_very_same() {
    let folder = GatewayFolder::with(&[QUICK, LIMIT].concat());
    let account = folder.account("Adjusted", "1000.00");
    folder.has_also(&BETA);
    let adjust = [
        "account",
        "adjust",
        "--identity",
        &account.identity,
        "--amount",
        "-500.01",
        "--reference",
        "fix-1",
        "--reason",
        "credited twice",
        "--json",
    ];
    for _ in 0..2 {
        let proposed = folder.run(&adjust).well().json();
        assert!(proposed["proposed"].is_u64(), "{proposed}");
        assert_eq!(proposed["accBalance"], json!("1,000.00"));
    }
    // A proposal alone is nothing that has to be done.
    must_be_clean(&folder);
    let adjusted = folder.run_as(&BETA, &adjust).well().json();
    assert_eq!(
        (&adjusted["adjusted"], &adjusted["accBalance"]),
        (&json!(true), &json!("499.99"))
    );
    for again in [folder.run_as(&BETA, &adjust), folder.run(&adjust)] {
        let again = again.well().json();
        assert_eq!(again["adjusted"], json!(false), "{again}");
        assert_eq!(again["accBalance"], json!("499.99"));
    }
    must_be_clean(&folder);
}

#[tokio::test]
async fn an_operator_gives_a_delivered_payment_back_once() {
    let folder = GatewayFolder::with(&[QUICK, LIMIT].concat());
    let account = folder.account("Refunded", "10000.00");
    folder.has_also(&BETA);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let before = balance(&merchant).await;
    buy(&merchant, "order-1").await;
    let refund = |original: &str, reference: &str, more: &[&str]| {
        let named = [
            "transaction",
            "refund",
            "--identity",
            &account.identity,
            "--reference",
            original,
            "--refund-reference",
            reference,
            "--reason",
            "complaint 4711",
            "--json",
        ];
        [&named[..], more]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let run = |arguments: &[String]| {
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        folder.run(&arguments)
    };
    let unknown = run(&refund("order-9", "back-9", &[])).refused();
    assert!(unknown.stderr.contains("has no payment"), "{unknown:?}");
    let part = run(&refund("order-1", "back-1", &["--amount", "400"]))
        .well()
        .json();
    assert_eq!(part["rfdStatus"], "Completed", "{part}");
    let again = run(&refund("order-1", "back-1", &["--amount", "400"]))
        .well()
        .json();
    assert_eq!(again["rfdStatus"], "Completed", "{again}");
    let another = run(&refund("order-1", "back-2", &[])).refused();
    assert!(
        another.stderr.contains("nothing was changed") || another.stderr.contains("another refund"),
        "{another:?}"
    );
    let shown = merchant
        .get("/billing/refund/transaction?mrcReference=back-1")
        .await
        .with_status(200);
    assert_eq!(shown.text("rfdStatus"), "Completed");
    // Above the limit the first operator proposes it.
    buy(&merchant, "order-2").await;
    let whole = refund("order-2", "back-3", &[]);
    let proposed = run(&whole).well().json();
    assert!(proposed["proposed"].is_u64(), "{proposed}");
    let whole: Vec<_> = whole.iter().map(String::as_str).collect();
    let given = folder.run_as(&BETA, &whole).well().json();
    assert_eq!(given["rfdStatus"], "Completed", "{given}");
    assert_ne!(balance(&merchant).await, before);
    must_be_clean(&folder);
}

#[tokio::test]
async fn the_events_of_a_payment_are_made_due_again() {
    let folder = GatewayFolder::with(&[QUICK, LOOPBACK].concat());
    let account = folder.account("Resent", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    buy(&merchant, "order-1").await;
    let resend = |reference: &str| {
        folder.run(&[
            "transaction",
            "resend",
            "--identity",
            &account.identity,
            "--reference",
            reference,
            "--reason",
            "the token never came",
            "--json",
        ])
    };
    let none = resend("order-1").refused();
    assert!(none.stderr.contains("has no deliveries"), "{none:?}");
    let unknown = resend("order-9").refused();
    assert!(unknown.stderr.contains("has no payment"), "{unknown:?}");
    let _endpoint = merchant.make_endpoint().await;
    buy(&merchant, "order-2").await;
    let due = resend("order-2").well().json();
    assert!(due["due"].as_u64().unwrap() >= 1, "{due}");
    // What is taken from a balance is no credit to be announced.
    let adjust = ["account", "adjust", "--identity", &account.identity];
    let down = ["--amount", "-1.00", "--reference", "fix-1", "--reason", "a"];
    let _ = folder.run(&[&adjust[..], &down[..]].concat()).well();
    let list = [
        "delivery",
        "list",
        "--identity",
        &account.identity,
        "--json",
    ];
    let listed = folder.run(&list).well().stdout;
    assert!(listed.contains("transaction."), "{listed}");
    assert!(!listed.contains("account."), "{listed}");
    let up = ["--amount", "1.00", "--reference", "fix-2", "--reason", "a"];
    let _ = folder.run(&[&adjust[..], &up[..]].concat()).well();
    let listed = folder.run(&list).well().stdout;
    assert!(listed.contains("account.credited"), "{listed}");
    let log = folder.run(&["operator", "log"]).well();
    assert!(log.stdout.contains("transaction-resend"), "{log:?}");
}
