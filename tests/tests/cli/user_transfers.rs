//! Transfers between accounts, through the program: an operator enters an address, and what waited
//! for it arrives.

use serde_json::{Value, json};
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal;

const PAY: &str = "/transfer/user";

fn order(reference: &str, identity: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "usrIdentity": identity,
        "txnAmount": amount,
        "txnNarration": "Rent of June",
    })
}

#[tokio::test]
async fn what_waits_for_an_address_arrives_once_an_operator_enters_it() {
    let folder = GatewayFolder::with(QUICK);
    let shop = folder.account("Corner shop", "100.00");
    let kiosk = folder.account("Ade Kiosk", "10.00");
    let server = GatewayProcess::start(&folder);
    let payer = TestMerchant::new(&folder, server.address(), &shop);
    let other = TestMerchant::new(&folder, server.address(), &kiosk);

    let known = order("known-1", &kiosk.identity, "30.00");
    let paid = payer.post(PAY, &known).await.with_status(200).json();
    assert_eq!(paid["usrName"], "A** K****", "{paid}");
    assert_eq!(paid["clmStatus"], "Claimed", "{paid}");
    for (reference, identity) in [
        ("waits-1", "Owner@Kiosk.example"),
        ("waits-2", "+2348031234567"),
    ] {
        let waits = order(reference, identity, "20.00");
        let waits = payer.post(PAY, &waits).await.with_status(202).json();
        assert_eq!(waits["clmStatus"], "Unclaimed", "{waits}");
        assert_eq!(waits["usrName"], Value::Null, "{waits}");
    }
    assert_eq!(payer.balance().await, ("30.00".into(), "40.00".into()));
    assert_eq!(other.balance().await, ("40.00".into(), "0.00".into()));

    let identity = ["--identity", kiosk.identity.as_str()];
    let contact = ["--email", "owner@kiosk.example", "--phone", "2348031234567"];
    let update = [&["account", "update"], &identity[..], &contact].concat();
    let _ = folder.run(&update).well();
    for reference in ["waits-1", "waits-2"] {
        let report = format!("{PAY}/transaction?mrcReference={reference}");
        eventually("it is claimed", Duration::from_secs(15), async || {
            let report = payer.get(&report).await.json();
            let claimed = report["clmStatus"] == "Claimed" && report["txnStatus"] == "Successful";
            claimed.then_some(())
        })
        .await;
    }
    assert_eq!(payer.balance().await, ("30.00".into(), "0.00".into()));
    assert_eq!(other.balance().await, ("80.00".into(), "0.00".into()));
    let lines = other
        .get("/account/statement")
        .await
        .with_status(200)
        .json();
    let last = lines["statements"].as_array().unwrap().last().unwrap();
    let narration = "Transfer from Corner shop: Rent of June";
    assert_eq!(last["stmNarration"], narration, "{lines}");
    assert_eq!(last["mrcReference"], Value::Null, "{lines}");
    let foreign = format!("{PAY}/transaction?mrcReference=known-1");
    other.get(&foreign).await.with_status(404);
    drop(server);
    provider_journal::audit_is_clean(&folder);
}
