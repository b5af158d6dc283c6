//! RCS messages watched until no receipt of them is due any more. A message must be charged once,
//! whether it went by RCS or as a text message.

use super::readable::{Ending, ending, follow_all};
use serde_json::{Value, json};
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily};
use tests::process::GatewayProcess;

/// Without a text message to send instead.
const BY_RCS: [Ending; 6] = [
    ending("0000", "Successful", "Read"),
    ending("0002", "Successful", "Read"),
    ending("0003", "Successful", "Read"),
    ending("0015", "Successful", "Failed"),
    ending("0025", "Successful", "Delivered"),
    ending("0001", "Failed", "Failed"),
];

/// With one.
const WITH_FALLBACK: [Ending; 3] = [
    ending("0000", "Successful", "Read"),
    ending("0015", "Successful", "Delivered"),
    ending("0001", "Failed", "Failed"),
];

fn message(reference: &str, ending: Ending) -> Value {
    orders::rcs(reference, &format!("234803123{}", ending.digits), "Hello")
}

fn with_fallback(reference: &str, ending: Ending) -> Value {
    let mut message = message(reference, ending);
    message["smsFallback"] = json!({"content": "Hello by SMS", "after": 60});
    message
}

/// Whether the device takes RCS, by what became of the message.
fn capable(ending: Ending) -> Value {
    match (ending.paid, ending.digits) {
        ("Failed", _) => Value::Null,
        (_, "0015") => Value::Bool(false),
        (_, _) => Value::Bool(true),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_rcs_message_is_followed_until_it_is_read_or_went_by_sms() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Rcs", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let mut sent = BY_RCS
        .map(|ending| (ending, message(&format!("plain-{}", ending.digits), ending)))
        .to_vec();
    sent.extend(WITH_FALLBACK.map(|ending| {
        let reference = format!("fallback-{}", ending.digits);
        (ending, with_fallback(&reference, ending))
    }));
    for (ending, report) in follow_all(&merchant, OrderFamily::Rcs, sent).await {
        let fields = report.json();
        let by_sms = ending.digits == "0015" && ending.last == "Delivered";
        assert_eq!(fields["fallbackUsed"], by_sms, "{ending:?}");
        assert_eq!(fields["rcsCapable"], capable(ending), "{ending:?}");
    }
    // Seven at 12.00 were taken over.
    let (available, held) = merchant.balance().await;
    assert_eq!((&*available, &*held), ("916.00", "0.00"));
}
