//! What stands and what waits, as the command line shows it beside a running server: payments,
//! endpoints, deliveries, the whole in one screen. Nothing that is handed over may be shown.

use serde_json::Value;
use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;

/// Events may be posted to this machine, where nothing listens.
const TO_ITSELF: &str = "[webhook]\nallow_loopback = true\n";

struct Shop {
    folder: GatewayFolder,
    account: MerchantCredentials,
    server: GatewayProcess,
    merchant: TestMerchant,
}

impl Shop {
    fn open(settings: &str) -> Self {
        let folder = GatewayFolder::with(&format!("{QUICK}{settings}"));
        let account = folder.account("Inspected", "10000.00");
        let server = GatewayProcess::start(&folder);
        let merchant = TestMerchant::new(&folder, server.address(), &account);
        Self {
            folder,
            account,
            server,
            merchant,
        }
    }

    async fn buy(&self, reference: &str, ending: &str) {
        let order = OrderFamily::Airtime.order(reference, ending);
        self.merchant.post(AIRTIME, &order).await;
    }

    /// What a command prints as JSON, whatever its exit status.
    fn json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--json"]].concat();
        let output = self.folder.run(&arguments);
        serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }

    fn of_account(&self, arguments: &[&str]) -> Value {
        let identity = ["--identity", self.account.identity.as_str()];
        self.json(&[arguments, &identity].concat())
    }
}

fn column(document: &Value, list: &str, name: &str) -> Vec<String> {
    let rows = document[list]
        .as_array()
        .unwrap_or_else(|| panic!("{document}"));
    let cell = |row: &Value| row[name].as_str().map(str::to_owned);
    rows.iter()
        .map(|row| cell(row).unwrap_or_else(|| row[name].to_string()))
        .collect()
}

#[tokio::test]
async fn payments_are_listed_of_one_account_and_of_all_what_is_not_final() {
    let shop = Shop::open("");
    for (reference, ending) in [("a-1", "4567"), ("a-2", "0001"), ("a-3", "0008")] {
        shop.buy(reference, ending).await;
    }
    let all = shop.of_account(&["transaction", "list"]);
    let references = |document: &Value| column(document, "transactions", "mrcReference");
    assert_eq!(references(&all), ["a-3", "a-2", "a-1"], "{all}");
    assert_eq!(column(&all, "transactions", "service"), ["airtime"; 3]);
    for (more, expected) in [
        (&["--status", "failed"][..], &["a-2"][..]),
        (&["--status", "pending"], &["a-3"]),
        (&["--service", "electricity"], &[]),
        (&["--limit", "1"], &["a-3"]),
        (&["--until", "2020-01-01T00:00:00Z"], &[]),
    ] {
        let found = shop.of_account(&[&["transaction", "list"], more].concat());
        assert_eq!(references(&found), expected, "{more:?}");
    }
    let digits = all["transactions"][0]["order"].as_str().unwrap();
    let digits = digits.rsplit(' ').next().unwrap().to_owned();
    let of_one = shop.of_account(&["transaction", "list", "--number", &digits]);
    assert_eq!(references(&of_one), ["a-3"]);

    eventually(
        "a-3 waits for a person",
        Duration::from_secs(10),
        async || {
            let open = shop.json(&["transaction", "list", "--open", "review"]);
            (references(&open) == ["a-3"]).then_some(())
        },
    )
    .await;
    for (state, expected) in [("any", 1), ("queued", 0), ("in-doubt", 0), ("sending", 0)] {
        let open = shop.json(&["transaction", "list", "--open", state]);
        assert_eq!(references(&open).len(), expected, "{state}: {open}");
    }
    let text = shop
        .folder
        .run(&["transaction", "list", "--open", "any"])
        .well();
    assert!(text.stdout.contains("in review"), "{}", text.stdout);
    let wrong = shop.folder.run(&["transaction", "list"]).refused();
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("--identity"), "{wrong:?}");
    let wrong = [
        "transaction",
        "list",
        "--open",
        "any",
        "--service",
        "airtme",
    ];
    let wrong = shop.folder.run(&wrong).refused();
    assert!(
        wrong.stderr.contains("--service must be one of"),
        "{wrong:?}"
    );
}

#[tokio::test]
async fn what_became_of_a_payment_and_its_events_is_one_command() {
    let shop = Shop::open(TO_ITSELF);
    // Port 9 of this machine: nothing listens there.
    let body = serde_json::json!({ "whkUrl": "https://127.0.0.1:9/events" });
    let made = shop.merchant.post("/webhook/endpoint", &body).await;
    let endpoint = made.with_status(201).json()["whkIdentifier"].clone();
    shop.buy("b-1", "4567").await;
    let of_payment = ["transaction", "show", "--reference", "b-1"];
    let shown = eventually("an attempt is shown", Duration::from_secs(20), async || {
        let shown = shop.of_account(&of_payment);
        let last = &shown["deliveries"][0]["lastAttempt"];
        last["failure"].is_string().then_some(shown)
    })
    .await;
    assert_eq!(shown["next"]["by"], "none", "{shown}");
    assert_eq!(shown["deliveries"][0]["whkIdentifier"], endpoint, "{shown}");
    assert_eq!(shown["deliveries"][0]["state"], "due", "{shown}");
    let failure = &shown["deliveries"][0]["lastAttempt"]["failure"];
    assert_eq!(failure, "unreachable", "{shown}");

    let listed = shop.of_account(&["delivery", "list", "--reference", "b-1"]);
    let topics = column(&shown, "deliveries", "topic");
    assert_eq!(column(&listed, "deliveries", "topic"), topics, "{listed}");
    let newest = shop.of_account(&["delivery", "list"]);
    assert_eq!(newest["total"], listed["total"], "{newest}");
    let parked = shop.of_account(&["delivery", "list", "--parked"]);
    assert_eq!(parked["total"], 0, "{parked}");

    let endpoints = shop.json(&["endpoint", "list"]);
    assert_eq!(
        endpoints["endpoints"][0]["whkIdentifier"], endpoint,
        "{endpoints}"
    );
    assert_eq!(
        endpoints["endpoints"][0]["waiting"], newest["total"],
        "{endpoints}"
    );
    assert!(
        endpoints["endpoints"][0].get("secret").is_none(),
        "{endpoints}"
    );
    let failing = shop.json(&["endpoint", "list", "--failing"]);
    assert!(
        failing["endpoints"][0]["failingSince"].is_string(),
        "{failing}"
    );
    let unknown = ["--identity", "ghost_1"];
    for command in [&["delivery", "list"][..], &["endpoint", "list"]] {
        let refused = shop.folder.run(&[command, &unknown].concat()).refused();
        assert!(
            refused.stderr.contains("there is no account"),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn the_status_names_what_needs_attention_and_how_to_see_more() {
    let shop = Shop::open("");
    let status = shop.folder.run(&["status", "--json"]).well().json();
    assert_eq!(status["served"], true, "{status}");
    assert_eq!(status["attention"], serde_json::json!([]), "{status}");
    assert!(status["certificateEndsAt"].is_string(), "{status}");
    assert!(status["diskFreeBytes"].is_u64(), "{status}");

    shop.buy("c-1", "0008").await;
    let attention = eventually("a review is named", Duration::from_secs(10), async || {
        let status = shop.json(&["status"]);
        let first = status["attention"][0].clone();
        first.is_object().then_some(first)
    })
    .await;
    assert_eq!(attention["see"], "manilla case list", "{attention}");
    let text = shop.folder.run(&["status"]).refused();
    assert_eq!(text.status.code(), Some(1), "{text:?}");
    assert!(text.stdout.contains("wait for a decision"), "{text:?}");

    let Shop { folder, server, .. } = shop;
    server.terminate().await;
    let status = folder.run(&["status"]).refused();
    assert!(status.stdout.contains("no server runs"), "{status:?}");
}

#[test]
fn completions_and_the_manual_need_no_folder_and_name_every_command() {
    let nowhere = |arguments: &[&str]| {
        let output = tests::program::command(arguments)
            .env("MANILLA_DATA", "/nonexistent/manilla")
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    for shell in ["bash", "zsh", "fish"] {
        let script = nowhere(&["completions", shell]);
        assert!(script.contains("transaction"), "{shell}: {script}");
    }
    let page = nowhere(&["man"]);
    assert!(page.contains(".TH"), "{page}");
    let document = nowhere(&["man", "--format", "markdown"]);
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/commands.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(kept, &document).expect("the document can be written");
    }
    let kept = std::fs::read_to_string(kept).unwrap_or_default();
    assert!(
        kept == document,
        "BLESS=1 writes docs/reference/commands.md anew"
    );
}

#[test]
fn the_settings_of_the_documents_are_those_of_the_program() {
    let output = tests::program::command(&["config", "--template"]).output();
    let template = String::from_utf8(output.expect("the program runs").stdout).expect("text");
    let kept = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/reference/manilla.toml"
    );
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(kept, &template).expect("the document can be written");
    }
    let kept = std::fs::read_to_string(kept).unwrap_or_default();
    assert!(
        kept == template,
        "BLESS=1 writes docs/reference/manilla.toml anew"
    );
}
