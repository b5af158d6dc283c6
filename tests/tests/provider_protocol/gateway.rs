//! The gateway and its provider as processes of their own, which are killed in turn. What one knows
//! of a payment must not depend on the memory of the other.

use provider_sim::journal::{self, EntryEffect};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, ELECTRICITY, OrderFamily};
use tests::patience;
use tests::process::GatewayProcess;
use tests::sandbox_process::{self, SandboxProcess};
use tokio::task::JoinSet;

/// A gateway whose airtime and electricity a process delivers.
fn settings(url: &str, keys: &Path) -> String {
    let products = ["airtime", "electricity"];
    format!(
        "{QUICK}\n{}",
        sandbox_process::account(url, keys, &products)
    )
}

/// How many deliveries reached a customer, by the journal of the provider.
fn deliveries(of: &TempDir) -> usize {
    let entries = journal::read(&of.path().join("sandbox/sandbox.journal")).unwrap();
    let delivered = entries
        .iter()
        .filter(|it| match it.effects(crate::process::now()) {
            EntryEffect::Delivered | EntryEffect::Reversed => true,
            EntryEffect::Awaited | EntryEffect::Refused => false,
        });
    delivered.count()
}

async fn ends_as(merchant: &TestMerchant, reference: &str, status: &str) {
    let report = OrderFamily::Airtime.report(reference);
    patience::eventually(
        "the end of a payment",
        Duration::from_secs(30),
        async || {
            let answer = merchant.get(&report).await.with_status(200);
            (answer.txn_status() == status).then_some(())
        },
    )
    .await;
}

#[tokio::test]
async fn payments_go_to_a_provider_in_a_process_of_its_own() {
    let at = TempDir::new().unwrap();
    tests::secret::write(at.path().join("keys"), crate::support::KEYS);
    let provider = SandboxProcess::start(at.path());
    let folder = GatewayFolder::with(&settings(&provider.url, &at.path().join("keys")));
    let account = folder.account("Far", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);

    let order = OrderFamily::Airtime.order("first", "4567");
    let bought = patience::eventually("capabilities", Duration::from_secs(20), async || {
        let answer = merchant.post(AIRTIME, &order).await;
        (answer.status == 200).then_some(answer)
    })
    .await;
    assert_eq!(bought.txn_status(), "Successful");
    let order = OrderFamily::Electricity.order("meter", "4567");
    let bought = merchant.post(ELECTRICITY, &order).await.with_status(200);
    assert_eq!(bought.txn_status(), "Successful");
    // Delivered, and the answer is lost: found by a query.
    let order = OrderFamily::Airtime.order("lost", "0003");
    merchant.post(AIRTIME, &order).await;
    ends_as(&merchant, "lost", "Successful").await;
    assert_eq!(deliveries(&at), 3);

    // Accepted for later, and the provider is killed before it is done.
    let order = OrderFamily::Airtime.order("later", "0002");
    let mut waiting = JoinSet::new();
    let asks = merchant.clone();
    waiting.spawn(async move { asks.post(AIRTIME, &order).await });
    patience::eventually("the journal", Duration::from_secs(10), async || {
        let entries = journal::read(&at.path().join("sandbox/sandbox.journal")).unwrap();
        (entries.len() == 4).then_some(())
    })
    .await;
    let address = provider.address();
    provider.kill();
    waiting.join_all().await;
    // Nothing listens: nothing is sent, nothing is charged, and the order is not at fault.
    let order = OrderFamily::Airtime.order("gone", "4567");
    let refused = merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(refused.txn_status(), "Failed");

    server.kill();
    let _provider = SandboxProcess::at(at.path(), &address);
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    ends_as(&merchant, "later", "Successful").await;
    ends_as(&merchant, "gone", "Failed").await;
    assert_eq!(deliveries(&at), 4);
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
    assert_eq!(audit["notCompared"], serde_json::json!(["far"]), "{audit}");
}
