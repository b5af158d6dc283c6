//! WhatsApp messages watched until no receipt of them is due any more. What was said of a delivery
//! must never be taken back, and it must never change what was charged.

use super::messages::follow;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily, WHATSAPP};
use tests::process::GatewayProcess;
use tokio::task::JoinSet;

/// What numbers end in, what became of the payment, and the last word on the message.
const ENDINGS: [(&str, &str, &str); 6] = [
    ("0000", "Successful", "Read"),
    ("0002", "Successful", "Read"),
    ("0003", "Successful", "Read"),
    ("0015", "Successful", "Failed"),
    ("0025", "Successful", "Delivered"),
    ("0001", "Failed", "Failed"),
];

/// How much a word says: a word may only give way to one that says more.
fn rank(word: &str) -> u8 {
    match word {
        "Pending" => 0,
        "Unknown" => 1,
        "Submitted" => 2,
        "Delivered" => 3,
        "Read" | "Failed" => 4,
        other => panic!("there is no such word: {other}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whatsapp_message_is_followed_until_it_is_read() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Whatsapp", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let mut watching = JoinSet::new();
    for (ending, paid, last) in ENDINGS {
        let merchant = merchant.clone();
        watching.spawn(async move {
            let reference = format!("followed-{ending}");
            let order = orders::whatsapp(&reference, &format!("234803123{ending}"), "Hello");
            let path = OrderFamily::Whatsapp.report(&reference);
            let followed = follow(&merchant, &path, last);
            let (_, (words, report)) = tokio::join!(merchant.post(WHATSAPP, &order), followed);
            ((ending, paid, last), words, report)
        });
    }
    for ((ending, paid, last), words, report) in watching.join_all().await {
        let mut pairs = words.iter().zip(words.iter().skip(1));
        let is_forward = pairs.all(|(before, after)| rank(before) < rank(after));
        assert!(is_forward, "{ending}: {words:?}");
        assert_eq!(report.txn_status(), paid, "{ending}");
        let fields = report.json();
        assert_eq!(fields["readDate"].is_string(), last == "Read", "{ending}");
        let on_device = ["Delivered", "Read"].contains(&last);
        let gateway = match (paid, on_device) {
            ("Failed", _) => "Rejected",
            (_, true) => "Delivered",
            (_, false) => "Submitted",
        };
        assert_eq!(report.text("gtwStatus"), gateway, "{ending}");
    }
    // Five at 9.00 were taken over.
    let (available, held) = merchant.balance().await;
    assert_eq!((&*available, &*held), ("955.00", "0.00"));
}
