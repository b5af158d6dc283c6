//! Who serves a number today, asked of a register before airtime is bought: Reloadly's lookup of
//! ported numbers, and the sandbox's. What was credited must be proven by the server's own record.

use crate::reloadly_server::{CLIENT, FakeReloadly, MTN};
use reqwest::header::ACCEPT;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::http_server::ServedAnswer;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, send};
use tests::orders::{AIRTIME, OrderFamily, airtime};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal;

/// A number of a block of Airtel's.
const NUMBER: &str = "2348021234567";
const LOOKUP: &str = "/operators/mnp-lookup/phone/2348021234567/countries/NG";

struct Bench {
    folder: GatewayFolder,
    merchant: TestMerchant,
    server: GatewayProcess,
}

fn bench(settings: &str) -> Bench {
    let folder = GatewayFolder::with(&format!("{QUICK}{settings}"));
    let account = folder.account("Numbers", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    Bench {
        folder,
        merchant,
        server,
    }
}

/// A gateway whose airtime goes through Reloadly, which is asked who serves a number.
pub(crate) fn through_reloadly(port: u16) -> String {
    format!(
        "
[provider.far]
adapter = \"reloadly\"
environment = \"test\"
url = \"http://127.0.0.1:{port}\"
auth_url = \"http://127.0.0.1:{port}\"
audience = \"https://topups.reloadly.com\"
client_id = \"{}\"
client_secret = \"{}\"
operators = \"mtn={MTN},airtel=342\"
number_lookup = \"on\"

[[route]]
product = \"airtime\"
provider = \"far\"
",
        CLIENT.0, CLIENT.1
    )
}

/// A gateway that asks a sandbox beside the one that delivers.
const ASKING_A_SANDBOX: &str = "
[provider.register]
adapter = \"sandbox\"
number_lookup = \"on\"
";

impl Bench {
    async fn buy(&self, reference: &str, number: &str) -> HttpAnswer {
        let order = airtime(reference, number, "1,000.00");
        self.merchant.post(AIRTIME, &order).await
    }

    /// Buys, and has the answer in XML.
    async fn buy_in_xml(&self, reference: &str, number: &str) -> HttpAnswer {
        let order = airtime(reference, number, "1,000.00");
        let request = self.merchant.posting(AIRTIME, order.to_string());
        send(request.header(ACCEPT, "application/xml")).await
    }

    async fn device(&self, number: &str) -> HttpAnswer {
        let query = format!("/payment/internet/number?countryCode=566&number={number}");
        self.merchant.get(&query).await
    }
}

/// How often the register was asked, and which operators were to credit a number.
fn seen(fake: &FakeReloadly) -> (usize, Vec<u64>) {
    let seen = fake.book().seen.clone();
    let lookups = seen.iter().filter(|it| it.path == LOOKUP).count();
    let topups = seen.iter().filter(|it| it.path == "/topups");
    let operator = |body: &[u8]| {
        let body: Value = serde_json::from_slice(body).unwrap();
        body["operatorId"].as_u64().unwrap()
    };
    (lookups, topups.map(|it| operator(&it.body)).collect())
}

#[tokio::test]
async fn a_ported_number_is_credited_by_the_operator_that_the_register_names() {
    let fake = FakeReloadly::start().await;
    let bench = bench(&through_reloadly(fake.port));
    let first = bench.buy("ported", NUMBER).await.with_status(200);
    assert_eq!(first.txn_status(), "Successful");
    assert_eq!(first.text("network"), "MTN");
    assert_eq!(seen(&fake), (1, vec![MTN]));

    // The answer counts for minutes, for data too and whatever the format.
    let device = bench.device(NUMBER).await.with_status(200);
    assert_eq!(device.text("brandname"), "MTN");
    let report = OrderFamily::Airtime.report("ported");
    let report = bench.merchant.get(&report).await.with_status(200);
    assert_eq!(report.text("network"), "MTN");
    assert_eq!(seen(&fake).0, 1);

    // The register says otherwise by now: a repeated request is answered with its transaction.
    let airtel = json!({"operatorId": 342, "name": "Airtel Nigeria"}).to_string();
    let answer = ServedAnswer::Json(200, airtel);
    fake.replace(&format!("GET {LOOKUP}"), answer);
    let order = airtime("keyed", NUMBER, "500.00");
    let keyed = bench.merchant.post_keyed(AIRTIME, "key-1", &order).await;
    assert_eq!(keyed.with_status(200).text("network"), "MTN");
    let again = bench.merchant.post_keyed(AIRTIME, "key-1", &order).await;
    let again = again.with_status(200);
    assert_eq!(again.text("network"), "MTN");
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(seen(&fake), (1, vec![MTN, MTN]));
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn a_register_that_fails_leaves_the_holder_of_the_block_and_a_definite_refusal() {
    let fake = FakeReloadly::start().await;
    let failing = ServedAnswer::Json(503, "{}".to_owned());
    fake.replace(&format!("GET {LOOKUP}"), failing);
    let bench = bench(&through_reloadly(fake.port));
    // The server knows no operator 342.
    let failed = bench.buy("wrong", NUMBER).await.with_status(200);
    assert_eq!(failed.txn_status(), "Failed");
    assert_eq!(failed.text("network"), "Airtel");
    assert_eq!(seen(&fake), (1, vec![342]));
    // The merchant names the network: nothing is asked.
    let mut order = airtime("named", NUMBER, "1,000.00");
    order["network"] = "mtn".into();
    let named = bench.merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(named.txn_status(), "Successful");
    assert_eq!(seen(&fake), (1, vec![342, MTN]));
    let (left, _) = bench.merchant.balance().await;
    assert_eq!(left, "99,030.00");
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn nothing_is_asked_for_a_request_that_is_refused() {
    let fake = FakeReloadly::start().await;
    let bench = bench(&through_reloadly(fake.port));
    for (name, value) in [
        ("amount", json!("49.99")),
        ("amount", json!("60,000.00")),
        ("billing", json!("cash")),
        ("countryCode", json!(288)),
        ("network", json!("Etisalat")),
    ] {
        let mut order = airtime("bad", NUMBER, "1,000.00");
        order[name] = value;
        bench.merchant.post(AIRTIME, &order).await.with_status(400);
    }
    let xml = bench.buy_in_xml("bad", "0802").await.with_status(400);
    assert!(xml.body.contains("<number>"), "{}", xml.body);
    assert_eq!(seen(&fake), (0, Vec::new()));
}

#[tokio::test]
async fn the_sandbox_forces_what_its_register_says() {
    let bench = bench(ASKING_A_SANDBOX);
    let json = bench.buy("ported", "2348031230021").await.with_status(200);
    assert_eq!(json.text("network"), "Airtel");
    let xml = bench.buy_in_xml("ported-xml", "2348031230021").await;
    let xml = xml.with_status(200);
    assert!(
        xml.body.contains("<network>Airtel</network>"),
        "{}",
        xml.body
    );
    let device = bench.device("2348031230021").await.with_status(200);
    assert_eq!(device.text("brandname"), "Airtel");

    // Ported, and it is not known where to.
    let refused = bench
        .buy("elsewhere", "2348031230022")
        .await
        .with_status(400);
    assert_eq!(refused.faulty(), ["number"]);
    let message = "was ported, and its network is not known; name the network";
    assert!(refused.body.contains(message), "{}", refused.body);
    let refused = bench.buy_in_xml("elsewhere", "2348031230022").await;
    let refused = refused.with_status(400);
    assert!(refused.body.contains("<number>"), "{}", refused.body);
    bench.device("2348031230022").await.with_status(400);

    // Nothing is known of a number, and a register that takes too long.
    let plain = bench.buy("plain", "2348031234567").await.with_status(200);
    assert_eq!(plain.text("network"), "MTN");
    let slow = bench.buy("slow", "2348031230023").await.with_status(200);
    assert_eq!(slow.text("network"), "MTN");
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn a_reload_switches_the_lookup_on_and_off() {
    let off = ASKING_A_SANDBOX.replace("\"on\"", "\"off\"");
    let bench = bench(&off);
    let network = async |reference: &str| {
        let bought = bench.buy(reference, "2348031230021").await;
        bought.with_status(200).text("network")
    };
    assert_eq!(network("before").await, "MTN");
    for (times, settings, expected) in [(1, ASKING_A_SANDBOX, "Airtel"), (2, &off, "MTN")] {
        let file = bench.folder.data().join("manilla.toml");
        std::fs::write(file, format!("{QUICK}{settings}")).unwrap();
        bench.server.send("HUP");
        eventually("the reload", Duration::from_secs(10), async || {
            let log = bench.server.log();
            (log.matches("limits=\"register\"").count() == times).then_some(())
        })
        .await;
        assert_eq!(network(&format!("after-{times}")).await, expected);
    }
    provider_journal::audit_is_clean(&bench.folder);
}
