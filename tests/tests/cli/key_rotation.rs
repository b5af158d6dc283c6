//! `manilla key-ring rotate` on an account that is in use: keys, repeated payments and webhook
//! secrets of before go on, what is made afterwards needs the new generation, and the store refuses
//! a process without it.

use serde_json::{Value, json};
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal;

async fn makes_a_key(merchant: &TestMerchant, name: &str) -> String {
    let wanted = json!({"keyName": name, "keyScopes": "read,pay"});
    let made = merchant.post("/account/keys", &wanted).await;
    made.with_status(201).text("keySecret")
}

async fn pays(merchant: &TestMerchant, reference: &str) -> Value {
    let order = OrderFamily::Airtime.order(reference, "4567");
    let key = format!("key-of-{reference}");
    let paid = merchant.post_keyed(AIRTIME, &key, &order);
    paid.await.with_status(200).json()["txnReference"].clone()
}

#[tokio::test]
async fn a_rotation_invalidates_nothing_that_was_made_before() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Shop", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let old = makes_a_key(&merchant, "Before").await;
    let paid = pays(&merchant, "before").await;
    assert!(server.terminate().await.success());

    let kept = std::fs::read(folder.data().join("keys")).expect("the key ring");
    let rotated = folder.run(&["key-ring", "rotate"]).well();
    assert!(rotated.stdout.contains("Generation 2"), "{rotated:?}");
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    for of_before in [merchant.clone(), merchant.as_key(&old)] {
        assert_eq!(pays(&of_before, "before").await, paid);
        let _ = of_before.get("/account/balance").await.with_status(200);
    }
    let new = makes_a_key(&merchant, "After").await;
    let after = pays(&merchant.as_key(&new), "after").await;
    assert_ne!(after, paid);
    assert!(server.terminate().await.success());
    provider_journal::audit_is_clean(&folder);
    // Every operator command knows the generations as well.
    let key = ["key", "rotate", "--identity", &account.identity];
    let _ = folder.run(&key).well();

    std::fs::write(folder.data().join("keys"), kept).expect("the older key ring");
    let refused = folder.run(&["serve", "--listen", "127.0.0.1:0"]).refused();
    assert!(refused.stderr.contains("generation 2"), "{refused:?}");
}
