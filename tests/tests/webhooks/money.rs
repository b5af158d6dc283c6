//! Accounts get events of their money from the process that changes it: the operator's command
//! line, or a payment.

use crate::receiver::{ReceivedEvent, WebhookReceiver};
use crate::shop::WebhookShop;
use serde_json::Value;

/// The lines of the statement, as they are written, oldest first.
async fn statement(shop: &WebhookShop) -> String {
    let shown = shop.merchant.get("/account/statement").await;
    shown.with_status(200).body
}

fn of_topic(events: &[ReceivedEvent], topic: &str) -> Vec<Value> {
    let events = events.iter().filter(|event| event.topic() == topic);
    events.map(ReceivedEvent::json).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credit_beside_a_running_server_is_delivered_once_with_its_entry() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    let identity = shop.account.credentials.identity.clone();
    let credit = [
        "account",
        "credit",
        "--identity",
        &identity,
        "--amount",
        "250.00",
        "--reference",
        "slip-1",
    ];
    for _ in 0..2 {
        let _ = shop.account.folder.run(&credit).well();
    }
    let event = receiver.received(1).await.remove(0);
    assert_eq!(event.topic(), "account.credited");
    assert_eq!(event.id, event.json()["data"]["evtIdentifier"]);
    // The opening balance is the first line.
    assert!(event.id.starts_with("evt_NGN_2_"), "{}", event.id);
    assert_eq!(event.json()["data"]["stmAmount"], "250.00");
    let statement = statement(&shop).await;
    assert!(
        statement.contains(&event.report()),
        "{statement}\n{event:?}"
    );
    // A second delivery would have come by then.
    shop.buy("good-1", "4567").await;
    receiver.reported("transaction.successful", "good-1").await;
    assert_eq!(of_topic(&receiver.events(), "account.credited").len(), 1);
    tests::provider_journal::audit_is_clean(&shop.account.folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_low_balance_is_delivered_with_the_payment_that_caused_it() {
    let (shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    let identity = shop.account.credentials.identity.clone();
    let balance = shop.merchant.get("/account/balance").await.json();
    let balance = balance["accBalance"].as_str().unwrap().replace(',', "");
    let low = |flags: &[&str]| {
        let mut arguments = vec!["account", "low-balance", "--identity", &identity];
        arguments.extend(flags);
        shop.account.folder.run(&arguments)
    };
    let set = low(&["--below", &balance, "--json"]).well().json();
    assert_eq!(set["accLowBalance"], set["accBalance"], "{set}");
    assert_eq!(shop.buy("first", "4567").await, 200);
    assert_eq!(shop.buy("second", "4567").await, 200);
    receiver.reported("transaction.successful", "first").await;
    receiver.reported("transaction.successful", "second").await;
    let reported = of_topic(&receiver.events(), "account.low_balance");
    assert_eq!(reported.len(), 1, "{reported:?}");
    let data = &reported[0]["data"];
    assert_eq!(data["mrcReference"], "first");
    assert_eq!(
        (&data["stmType"], &data["balBefore"]),
        (&"Debit".into(), &set["accBalance"])
    );
    assert_eq!(data["accLowBalance"], set["accBalance"]);

    let listed = shop.account.folder.run(&["account", "list", "--json"]);
    let listed = listed.well().json();
    assert_eq!(listed["accounts"][0]["accLowBalance"], set["accBalance"]);

    let said = low(&["--below", &balance]).well();
    assert!(said.stdout.contains("so the event comes when"), "{said:?}");
    let off = low(&["--off", "--json"]).well().json();
    assert!(off["accLowBalance"].is_null(), "{off}");
    for flags in [
        &["--below", "0"][..],
        &[],
        &["--off", "--below", "1"],
        &["--below", "x"],
    ] {
        assert_eq!(low(flags).refused().status.code(), Some(2), "{flags:?}");
    }
    tests::provider_journal::audit_is_clean(&shop.account.folder);
}
