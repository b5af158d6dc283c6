//! Text messages over SMPP: an SMSC made of a package from another hand, receipts in any order, and
//! a gateway that is killed before they come. A message must not be sent twice.

use crate::smsc::{NodeSmsc, named};
use serde_json::Value;
use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials};
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily, SMS};
use tests::patience;
use tests::process::GatewayProcess;

const WITHIN: Duration = Duration::from_secs(30);

fn gateway(smsc: &NodeSmsc) -> GatewayFolder {
    GatewayFolder::with(&format!(
        "[payment]
answer_window_ms = 3000
call_deadline_ms = 5000

[provider.smsc]
adapter = \"smpp\"
environment = \"test\"
url = \"smpp://127.0.0.1:{}\"
system_id = \"gateway\"
password = \"s3cret\"

[[route]]
product = \"sms\"
provider = \"smsc\"
",
        smsc.port
    ))
}

/// A text of three parts.
fn text() -> String {
    "0123456789".repeat(40)
}

fn audit_is_clean(folder: &GatewayFolder) {
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

async fn delivery_is(merchant: &TestMerchant, reference: &str, status: &str) {
    let report = OrderFamily::Sms.report(reference);
    patience::eventually("the way of a message", WITHIN, async || {
        let answer = merchant.get(&report).await.with_status(200);
        (answer.text("dlvStatus") == status).then_some(())
    })
    .await;
}

fn shown(folder: &GatewayFolder, of: &MerchantCredentials, reference: &str) -> Value {
    let show = ["transaction", "show", "--identity", &of.identity];
    let what = ["--reference", reference, "--json"];
    folder.run(&[&show[..], &what].concat()).well().json()
}

fn ids(parts: &[Value]) -> Vec<String> {
    let ids = parts.iter().filter_map(|part| part["id"].as_str());
    ids.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_three_parts_is_sent_and_its_receipts_come_back() {
    let smsc = NodeSmsc::start().await;
    let folder = gateway(&smsc);
    let account = folder.account("Messages", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);

    let order = orders::message("three", "2348031234567", &text());
    let answer = merchant.post(SMS, &order).await.with_status(200);
    assert_eq!(answer.txn_status(), "Successful");
    delivery_is(&merchant, "three", "Submitted").await;
    let parts = smsc.sent("2348031234567", 3).await;
    let places: Vec<_> = parts
        .iter()
        .map(|it| it["part"].as_u64().unwrap())
        .collect();
    assert_eq!(places, [1, 2, 3], "{parts:?}");
    let said: String = parts.iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(said, text());
    for part in &parts {
        assert_eq!(part["from"], "CornerShop");
        assert_eq!(
            (&part["parts"], &part["registered"]),
            (&3.into(), &1.into())
        );
        assert_eq!(part["reference"], parts[0]["reference"]);
    }
    // The last part first, and one twice.
    let ids = ids(&parts);
    for id in [&ids[2], &ids[0], &ids[0]] {
        smsc.report(id, "DELIVRD");
        smsc.acknowledged(id).await;
    }
    delivery_is(&merchant, "three", "Submitted").await;
    smsc.report(&ids[1], "DELIVRD");
    delivery_is(&merchant, "three", "Delivered").await;

    // Another alphabet, and a part that never arrives.
    let order = orders::message("unicode", "2348031234568", &"₦".repeat(100));
    merchant.post(SMS, &order).await.with_status(200);
    let parts = smsc.sent("2348031234568", 2).await;
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[0]["coding"], 8);
    smsc.report(parts[1]["id"].as_str().unwrap(), "UNDELIV");
    delivery_is(&merchant, "unicode", "Undelivered").await;

    server.terminate().await;
    smsc.eventually("taking leave", |said| named(said, "unbound"))
        .await;
    audit_is_clean(&folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_charges_nothing_and_what_was_taken_in_part_waits_for_a_person() {
    let smsc = NodeSmsc::start().await;
    let folder = gateway(&smsc);
    let account = folder.account("Refused", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);

    for (reference, number) in [
        ("throttled", "2348031230058"),
        ("no-number", "2348031230011"),
    ] {
        let order = orders::message(reference, number, &text());
        let answer = merchant.post(SMS, &order).await.with_status(200);
        assert_eq!(answer.txn_status(), "Failed", "{reference}");
        assert_eq!(smsc.sent(number, 1).await.len(), 1, "{reference}");
    }
    let (available, _) = merchant.balance().await;
    assert_eq!(available, "1,000.00");

    let order = orders::message("in-part", "2348031230008", &text());
    let answer = merchant.post(SMS, &order).await;
    assert!([200, 202].contains(&answer.status), "{answer:?}");
    assert_eq!(answer.txn_status(), "Pending");
    // A receipt of the part that was taken is acknowledged, and proves nothing of the others.
    let parts = smsc.sent("2348031230008", 3).await;
    assert_eq!(parts.len(), 3);
    let first = parts[0]["id"].as_str().unwrap();
    smsc.report(first, "DELIVRD");
    smsc.acknowledged(first).await;
    let shown = shown(&folder, &account, "in-part");
    assert_eq!(shown["attempts"][0]["provider"], "smsc", "{shown}");
    assert_ne!(shown["status"], "Successful", "{shown}");
    server.terminate().await;
    audit_is_clean(&folder);
}

/// The program is killed after it has answered, and the receipts come while it is away.
#[tokio::test(flavor = "multi_thread")]
async fn receipts_find_their_message_after_a_kill_and_count_once() {
    let smsc = NodeSmsc::start().await;
    let folder = gateway(&smsc);
    let account = folder.account("Killed", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = orders::message("killed", "2348031234567", &text());
    let answer = merchant.post(SMS, &order).await.with_status(200);
    assert_eq!(answer.txn_status(), "Successful");
    let balance = merchant.balance().await;
    server.kill();

    let ids = ids(&smsc.sent("2348031234567", 3).await);
    for id in &ids {
        smsc.report(id, "DELIVRD");
    }
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    delivery_is(&merchant, "killed", "Delivered").await;
    for id in &ids {
        smsc.acknowledged(id).await;
    }
    assert_eq!(merchant.balance().await, balance);
    assert_eq!(smsc.parts("2348031234567").len(), 3, "it was sent again");
    server.terminate().await;
    audit_is_clean(&folder);
}
