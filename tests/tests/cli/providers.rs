//! Several accounts at providers, and the routes to them, over the real program: two sandboxes with
//! a journal each stand for two companies. What one delivers must not be in the book of the other.

use serde_json::Value;
use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, ELECTRICITY, OrderFamily, airtime};
use tests::patience;
use tests::process::GatewayProcess;

/// Two accounts. The second delivers whatever a number forces of the first.
const ACCOUNTS: &str = "
[provider.first]
adapter = \"sandbox\"

[provider.second]
adapter = \"sandbox\"
forced_outcomes = \"off\"
";

/// Within this a pause is obeyed.
const PAUSED_WITHIN: Duration = Duration::from_secs(5);

const MTN: &str = "2348031234567";
const GLO: &str = "2348051234567";

fn settings(routes: &str) -> String {
    format!("{QUICK}{ACCOUNTS}{routes}")
}

/// The providers of a payment's attempts, in their order.
fn providers(folder: &GatewayFolder, of: &MerchantCredentials, reference: &str) -> Vec<String> {
    let shown = shown(folder, of, reference);
    let attempts = shown["attempts"].as_array().expect("attempts").iter();
    let text = |attempt: &Value| attempt["provider"].as_str().expect("a name").to_owned();
    attempts.map(text).collect()
}

/// A payment as operators are shown it.
fn shown(folder: &GatewayFolder, of: &MerchantCredentials, reference: &str) -> Value {
    folder
        .run(&[
            "transaction",
            "show",
            "--identity",
            &of.identity,
            "--reference",
            reference,
            "--json",
        ])
        .well()
        .json()
}

fn audit_is_clean(folder: &GatewayFolder) {
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn what_one_account_refuses_through_its_own_fault_the_next_delivers() {
    let folder = GatewayFolder::with(&settings(
        "[[route]]\nproduct = \"airtime\"\nprovider = \"first\"\npriority = 1\n\
         [[route]]\nproduct = \"airtime\"\nprovider = \"second\"\npriority = 2\n",
    ));
    let account = folder.account("Failover", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for (reference, ending, status, expected) in [
        ("spent", "0018", "Successful", &["first", "second"][..]),
        ("busy", "0019", "Successful", &["first", "second"]),
        ("refused", "0001", "Failed", &["first"]),
        ("lookalike", "0020", "Failed", &["first"]),
        ("plain", "4567", "Successful", &["first"]),
    ] {
        let order = OrderFamily::Airtime.order(reference, ending);
        let answer = merchant.post(AIRTIME, &order).await.with_status(200);
        assert_eq!(answer.txn_status(), status, "{reference}");
        assert_eq!(providers(&folder, &account, reference), expected);
    }
    let busy = shown(&folder, &account, "busy");
    let routes = ["0", "1"].map(|at| busy.pointer(&format!("/attempts/{at}/route")).unwrap());
    assert_eq!(routes.map(|it| &it["number"]), [1, 2], "{busy}");
    assert_eq!(routes.map(|it| &it["priority"]), [1, 2], "{busy}");
    assert_eq!(routes.map(|it| &it["place"]), [0, 1], "{busy}");
    let journal = |name: &str| folder.data().join(format!("{name}.journal"));
    assert!(journal("first").is_file() && journal("second").is_file());
    audit_is_clean(&folder);
    let status = folder.run(&["provider", "status", "--json"]).well().json();
    let second = &status["providers"][2];
    assert_eq!(second["name"], "second");
    assert_eq!(second["delivered"], 2, "{status}");
}

#[tokio::test]
async fn orders_are_routed_by_biller_and_by_amount() {
    let folder = GatewayFolder::with(&settings(
        "[[route]]\nproduct = \"airtime\"\nprovider = \"first\"\npriority = 5\n\
         [[route]]\nproduct = \"airtime\"\nbiller = \"glo\"\nprovider = \"second\"\n\
         [[route]]\nproduct = \"airtime\"\namount_min = \"2000.00\"\nprovider = \"second\"\n",
    ));
    let account = folder.account("Routes", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for (reference, number, amount, provider) in [
        ("small", MTN, "1,999.00", "first"),
        ("large", MTN, "2,000.00", "second"),
        ("other", GLO, "100.00", "second"),
    ] {
        let order = airtime(reference, number, amount);
        let answer = merchant.post(AIRTIME, &order).await.with_status(200);
        assert_eq!(answer.txn_status(), "Successful", "{reference}");
        assert_eq!(providers(&folder, &account, reference), [provider]);
    }
    // What no route takes is refused as what no provider delivers, and nothing is kept of it.
    let order = OrderFamily::Electricity.order("unrouted", "4567");
    merchant.post(ELECTRICITY, &order).await.with_status(503);
    let report = OrderFamily::Electricity.report("unrouted");
    merchant.get(&report).await.with_status(404);
    audit_is_clean(&folder);
}

#[tokio::test]
async fn a_provider_without_routes_still_settles_what_it_was_given() {
    let routed = |provider: &str| {
        let route = format!("[[route]]\nproduct = \"airtime\"\nprovider = \"{provider}\"\n");
        settings(&route)
            .replace("answer_window_ms = 3000", "answer_window_ms = 300")
            .replace("pending_delay_ms = 500", "pending_delay_ms = 4000")
    };
    let folder = GatewayFolder::with(&routed("first"));
    let account = folder.account("Retired", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("later", "0002");
    merchant.post(AIRTIME, &order).await.with_status(202);
    assert!(server.terminate().await.success());

    std::fs::write(folder.data().join("manilla.toml"), routed("second")).unwrap();
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    let order = OrderFamily::Airtime.order("new", "4567");
    merchant.post(AIRTIME, &order).await.with_status(200);
    let report = OrderFamily::Airtime.report("later");
    patience::eventually("the old payment", Duration::from_secs(30), async || {
        let answer = merchant.get(&report).await.with_status(200);
        (answer.txn_status() == "Successful").then_some(())
    })
    .await;
    assert_eq!(providers(&folder, &account, "later"), ["first"]);
    assert_eq!(providers(&folder, &account, "new"), ["second"]);
    audit_is_clean(&folder);
}

#[test]
fn accounts_and_routes_are_listed_and_an_account_is_tested() {
    let folder = GatewayFolder::with(&settings(
        "[[route]]\nproduct = \"airtime\"\nbiller = \"mtn\"\nprovider = \"first\"\ncost = 2.5\n",
    ));
    let listed = folder.run(&["provider", "list", "--json"]).well().json();
    assert_eq!(listed["adapters"][0]["name"], "sandbox");
    let names: Vec<&Value> = listed["providers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["sandbox", "first", "second"]);
    assert_eq!(listed["routes"][0]["biller"], "mtn");
    assert_eq!(listed["routes"][0]["cost"], "2.50");
    let text = folder.run(&["provider", "list"]).well().stdout;
    assert!(text.contains("biller mtn"), "{text}");

    let tested = folder.run(&["provider", "test", "first", "--json"]).well();
    let tested = tested.json();
    assert_eq!(tested["well"], true, "{tested}");
    assert_eq!(tested["lookups"][0], "meters");
    let unknown = folder.run(&["provider", "test", "frist"]).refused();
    assert!(
        unknown.stderr.contains("there is sandbox, first, second"),
        "{unknown:?}"
    );
}

#[test]
fn what_is_wrong_with_routes_is_said_before_anything_starts() {
    let folder = GatewayFolder::with(&settings(
        "[[route]]\nproduct = \"airtime\"\nprovider = \"frist\"\n\
         [[route]]\nproduct = \"airtme\"\nprovider = \"first\"\n",
    ));
    let refused = folder.run(&["serve"]).refused();
    assert_eq!(refused.status.code(), Some(2));
    for problem in [
        "did you mean \"first\"?",
        "route 2: `product` must be one of",
    ] {
        assert!(refused.stderr.contains(problem), "{refused:?}");
    }
}

#[tokio::test]
async fn a_paused_account_is_given_nothing_new_by_a_running_server_until_it_is_resumed() {
    let folder = GatewayFolder::with(&settings(
        "[[route]]\nproduct = \"airtime\"\nprovider = \"first\"\npriority = 1\n\
         [[route]]\nproduct = \"airtime\"\nprovider = \"second\"\npriority = 2\n",
    ));
    let account = folder.account("Paused", "10000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let pause = |name: &str| folder.run(&["provider", "pause", name, "--reason", "no float"]);
    pause("first").well();
    let number = std::cell::Cell::new(0);
    let goes_to = async |provider: &str| {
        patience::eventually(provider, PAUSED_WITHIN, async || {
            number.set(number.get() + 1);
            let reference = format!("order-{}", number.get());
            let order = OrderFamily::Airtime.order(&reference, "4567");
            let answer = merchant.post(AIRTIME, &order).await;
            if answer.status == 503 {
                return (provider == "none").then_some(());
            }
            answer.with_status(200);
            let went = providers(&folder, &account, &reference);
            (went == [provider]).then_some(())
        })
        .await;
    };
    goes_to("second").await;
    let reference = format!("order-{}", number.get());
    let shown = shown(&folder, &account, &reference);
    let passed_over = &shown["attempts"][0]["route"]["passedOver"][0];
    assert_eq!(passed_over["provider"], "first", "{shown}");
    assert_eq!(passed_over["reason"], "paused", "{shown}");
    let status = folder.run(&["provider", "status", "--json"]).well().json();
    assert_eq!(status["providers"][1]["paused"]["reason"], "no float");
    assert!(status["providers"][2]["paused"].is_null(), "{status}");
    let listed = folder.run(&["provider", "list", "--json"]).well().json();
    assert_eq!(listed["providers"][1]["paused"], true);
    pause("second").well();
    goes_to("none").await;
    // Another server starts with what was paused before.
    assert!(server.terminate().await.success());
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    let order = OrderFamily::Airtime.order("at-start", "4567");
    merchant.post(AIRTIME, &order).await.with_status(503);
    folder.run(&["provider", "resume", "first"]).well();
    patience::eventually("resumed", PAUSED_WITHIN, async || {
        let answer = merchant.post(AIRTIME, &order).await;
        (answer.status == 200).then_some(())
    })
    .await;
    assert_eq!(providers(&folder, &account, "at-start"), ["first"]);
    let unknown = pause("frist").refused();
    assert!(unknown.stderr.contains("there is sandbox, first, second"));
    audit_is_clean(&folder);
}
