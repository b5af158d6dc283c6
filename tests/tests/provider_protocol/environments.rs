//! One process that serves test and live accounts: what a live account buys must reach a live
//! provider or none, and what a test account buys must never reach one.

use crate::support::KEYS;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, ELECTRICITY, OrderFamily};
use tests::patience;
use tests::process::GatewayProcess;
use tests::sandbox_process::{self, SandboxProcess};

/// A meter of the sandbox.
const METER: &str = "/payment/electricity/meter?disco=101&number=04123456789&billing=prepaid";

/// The providers of the attempts of a payment.
fn providers(folder: &GatewayFolder, of: &MerchantCredentials, reference: &str) -> Vec<String> {
    let named = ["--identity", &of.identity, "--reference", reference];
    let arguments = [&["transaction", "show"][..], &named, &["--json"]].concat();
    let shown = folder.run(&arguments).well().json();
    let attempts = shown["attempts"].as_array().unwrap().iter();
    let provider = |attempt: &serde_json::Value| attempt["provider"].as_str().unwrap().to_owned();
    attempts.map(provider).collect()
}

#[tokio::test]
async fn accounts_buy_from_providers_of_their_environment_alone() {
    let at = TempDir::new().unwrap();
    tests::secret::write(at.path().join("keys"), KEYS);
    let provider = SandboxProcess::start(at.path());
    let keys = at.path().join("keys");
    let far = sandbox_process::account(&provider.url, &keys, &["airtime"]);
    let live = far.replace("\"test\"", "\"live\"");
    let folder = GatewayFolder::with(&format!("{QUICK}\n{live}"));
    let test_account = folder.account("Test", "100000.00");
    let live_account = folder.live_account("Live", "100000.00");
    assert!(test_account.key.starts_with("mk_test_"));
    assert!(live_account.key.starts_with("mk_live_"));
    let server = GatewayProcess::start(&folder);
    let test_shop = TestMerchant::new(&folder, server.address(), &test_account);
    let live_shop = TestMerchant::new(&folder, server.address(), &live_account);

    let order = OrderFamily::Airtime.order("first", "4567");
    patience::eventually("capabilities", Duration::from_secs(20), async || {
        let answer = live_shop.post(AIRTIME, &order).await;
        (answer.status == 200).then_some(answer)
    })
    .await;
    test_shop.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(providers(&folder, &live_account, "first"), ["far"]);
    assert_eq!(providers(&folder, &test_account, "first"), ["sandbox"]);

    // No live provider delivers electricity or knows a meter: the sandbox is not asked instead.
    let order = OrderFamily::Electricity.order("meter", "4567");
    live_shop.post(ELECTRICITY, &order).await.with_status(503);
    live_shop.get(METER).await.with_status(503);
    test_shop.post(ELECTRICITY, &order).await.with_status(200);
    test_shop.get(METER).await.with_status(200);

    // A refusal through our account's fault goes to no provider of the other environment.
    let order = OrderFamily::Airtime.order("spent", "0018");
    let refused = live_shop.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(refused.txn_status(), "Failed");
    assert_eq!(providers(&folder, &live_account, "spent"), ["far"]);

    // A key opens the account that it is of and no other.
    let swapped = MerchantCredentials {
        identity: live_account.identity.clone(),
        ..test_account.clone()
    };
    let swapped = TestMerchant::new(&folder, server.address(), &swapped);
    swapped.get("/account/balance").await.with_status(401);

    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
    assert!(server.terminate().await.success());

    // The provider stays where it was: its attempts are counted there.
    let settings = folder.data().join("manilla.toml");
    fs::write(settings, format!("{QUICK}\n{far}")).unwrap();
    let moved = folder.run(&["serve", "--listen", "127.0.0.1:0"]).refused();
    let remedy = "[provider.far] is registered in the other environment";
    assert!(moved.stderr.contains(remedy), "{moved:?}");
}
