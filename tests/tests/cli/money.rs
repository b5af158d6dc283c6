//! Our money at a provider, and what waits for a person, from the command line beside the running
//! server. What is shown must follow from what was really paid in and delivered.

use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;

/// The sandbox keeps an account of our money and takes less than is quoted.
const PAID_IN: &str = "
[provider.sandbox]
adapter = \"sandbox\"
float = \"100000.00\"
takes = \"95\"
";

#[tokio::test]
async fn the_ledger_says_what_the_provider_says_is_left() {
    let folder = GatewayFolder::with(&format!("{QUICK}{PAID_IN}"));
    let account = folder.account("Float", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for (reference, ending) in [("one", "4567"), ("two", "4568"), ("no", "0001")] {
        let order = OrderFamily::Airtime.order(reference, ending);
        merchant.post(AIRTIME, &order).await.with_status(200);
    }
    let float = || folder.run(&["provider", "float", "sandbox", "--json"]);
    let before = float().well().json();
    let of = |shown: &serde_json::Value, field: &str| shown["providers"][0][field].clone();
    assert_eq!(of(&before, "balance"), "98,100.00", "{before}");
    assert_eq!(of(&before, "spent"), "1,900.00", "{before}");
    assert_eq!(of(&before, "difference"), "100,000.00", "{before}");
    let fund = |amount: &str| {
        let what = ["provider", "fund", "sandbox", amount, "--json"];
        let why = ["--reference", "bank-1", "--reason", "transfer of 3 May"];
        folder.run(&[&what[..], &why[..]].concat())
    };
    assert_eq!(fund("100000.00").well().json()["entered"], true);
    assert_eq!(fund("100000.00").well().json()["entered"], false);
    assert_eq!(fund("7.00").refused().status.code(), Some(1));
    let after = float().well().json();
    assert_eq!(of(&after, "ledger"), "98,100.00", "{after}");
    assert_eq!(of(&after, "difference"), "0.00", "{after}");
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
    let unknown = folder.run(&["provider", "float", "sandbx"]).refused();
    assert_eq!(unknown.status.code(), Some(2));
}

#[tokio::test]
async fn little_left_at_a_provider_is_warned_of_once_and_shown() {
    const WARNING: &str = "little is left of the money at a provider";
    let watch = "low_float = \"99000.00\"\nfloat_every_seconds = 10\n";
    let folder = GatewayFolder::with(&format!("{QUICK}{PAID_IN}{watch}"));
    let account = folder.account("Float", "10000.00");
    let status = || {
        let shown = folder.run(&["provider", "status", "--json"]).well().json();
        shown["providers"][0]["float"].clone()
    };
    assert_eq!(status(), serde_json::Value::Null, "nothing was read yet");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for (reference, ending) in [("one", "4567"), ("two", "4568")] {
        let order = OrderFamily::Airtime.order(reference, ending);
        merchant.post(AIRTIME, &order).await.with_status(200);
    }
    let within = Duration::from_secs(30);
    let warned = async || server.log().contains(WARNING).then_some(());
    eventually("a warning", within, warned).await;
    let first = status();
    assert_eq!(first["available"], "98,100.00", "{first}");
    assert_eq!(first["low"], true, "{first}");
    let reread = async || {
        let now = status();
        (now["readAt"] != first["readAt"]).then_some(now)
    };
    let again = eventually("another reading", within, reread).await;
    assert_eq!(again["low"], true, "{again}");
    assert_eq!(server.log().matches(WARNING).count(), 1);
    let float = folder.run(&["provider", "float", "sandbox"]).well();
    assert!(float.stdout.contains("LASTS"), "{}", float.stdout);
}

#[tokio::test]
async fn with_a_tranche_no_more_is_sold_than_was_paid_in() {
    let reserved = "float_tranche = \"5000.00\"\n";
    let folder = GatewayFolder::with(&format!("{QUICK}{PAID_IN}{reserved}"));
    let account = folder.account("Float", "10000.00");
    let server = GatewayProcess::start(&folder);
    let buy = async |server: &GatewayProcess, reference: &str| {
        let merchant = TestMerchant::new(&folder, server.address(), &account);
        let order = OrderFamily::Airtime.order(reference, "4567");
        merchant.post(AIRTIME, &order).await
    };
    buy(&server, "unpaid").await.with_status(503);
    let fund = ["provider", "fund", "sandbox", "3500.00"];
    let why = ["--reference", "bank-1", "--reason", "transfer of 3 May"];
    folder.run(&[&fund[..], &why[..]].concat()).well();
    let sold = async || {
        let answer = buy(&server, "first").await;
        (answer.status == 200).then_some(())
    };
    eventually("what was paid in", Duration::from_secs(10), sold).await;
    buy(&server, "second").await.with_status(200);
    // A restart leaves nothing of it behind.
    assert!(server.interrupt().await.success());
    let server = GatewayProcess::start(&folder);
    buy(&server, "third").await.with_status(200);
    buy(&server, "fourth").await.with_status(503);
    assert!(server.log().contains("less than a tranche is left"));
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn what_waits_for_a_person_is_one_queue() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Cases", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let list = || folder.run(&["case", "list", "--json"]);
    assert_eq!(list().well().json()["cases"], serde_json::json!([]));
    let order = OrderFamily::Airtime.order("other", "0008");
    merchant.post(AIRTIME, &order).await.with_status(202);
    let id = format!("review:{}:other", account.identity);
    eventually(
        "it waits for a person",
        Duration::from_secs(5),
        async || {
            let listed = list().json();
            (listed["cases"][0]["id"] == id.as_str()).then_some(())
        },
    )
    .await;
    assert_eq!(list().refused().status.code(), Some(1));
    let shown = folder.run(&["case", "show", &id, "--json"]).well().json();
    assert_eq!(
        (&shown["kind"], &shown["provider"]),
        (&"review".into(), &"sandbox".into())
    );
    let resolve = |more: &[&str]| {
        let what = ["case", "resolve", &id];
        folder.run(&[&what[..], more].concat())
    };
    for wrong in [
        &["--verdict", "not-delivered"][..],
        &["--reason", "a letter"],
        &[
            "--verdict",
            "not-delivered",
            "--reason",
            "a letter",
            "--absorb",
        ],
    ] {
        assert_eq!(resolve(wrong).refused().status.code(), Some(2), "{wrong:?}");
    }
    resolve(&["--verdict", "not-delivered", "--reason", "a letter"]).well();
    // The provider did deliver: its journal says so, and that is another case.
    let listed = list().refused().json();
    let difference = listed["cases"][0]["id"]
        .as_str()
        .expect("a case")
        .to_owned();
    assert_eq!(
        listed["cases"].as_array().map(Vec::len),
        Some(1),
        "{listed}"
    );
    assert!(difference.starts_with("difference:"), "{listed}");
    folder
        .run(&[
            "case",
            "resolve",
            &difference,
            "--reason",
            "the provider was paid",
        ])
        .well();
    assert_eq!(list().well().json()["cases"], serde_json::json!([]));
    let again = folder.run(&["case", "resolve", &difference, "--reason", "once more"]);
    assert_eq!(again.refused().status.code(), Some(1));
}
