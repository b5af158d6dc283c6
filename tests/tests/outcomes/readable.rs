//! Messages that can be read, watched until no receipt of them is due any more. What was said of a
//! delivery must never be taken back, and it must never change what was charged.

use super::messages::follow;
use serde_json::Value;
use tests::answer::HttpAnswer;
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tokio::task::JoinSet;

/// What a number ends in, what became of the payment, and the last word on the message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending {
    pub(crate) digits: &'static str,
    pub(crate) paid: &'static str,
    pub(crate) last: &'static str,
}

pub(crate) const fn ending(digits: &'static str, paid: &'static str, last: &'static str) -> Ending {
    Ending { digits, paid, last }
}

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

/// Sends a message for each ending, and gives its last report.
pub(crate) async fn follow_all(
    merchant: &TestMerchant,
    family: OrderFamily,
    sent: Vec<(Ending, Value)>,
) -> Vec<(Ending, HttpAnswer)> {
    let mut watching = JoinSet::new();
    for (ending, order) in sent {
        let merchant = merchant.clone();
        watching.spawn(async move {
            let reference = order["mrcReference"].as_str().expect("a reference");
            let path = family.report(reference);
            let followed = follow(&merchant, &path, ending.last);
            let (_, (words, report)) = tokio::join!(merchant.post(family.path(), &order), followed);
            (ending, words, report)
        });
    }
    let mut reports = Vec::new();
    for (ending, words, report) in watching.join_all().await {
        check(ending, &words, &report);
        reports.push((ending, report));
    }
    reports
}

fn check(ending: Ending, words: &[String], report: &HttpAnswer) {
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let is_forward = pairs.all(|(before, after)| rank(before) < rank(after));
    assert!(is_forward, "{ending:?}: {words:?}");
    assert_eq!(report.txn_status(), ending.paid, "{ending:?}");
    let fields = report.json();
    let is_read = ending.last == "Read";
    assert_eq!(fields["readDate"].is_string(), is_read, "{ending:?}");
    let on_device = ["Delivered", "Read"].contains(&ending.last);
    let gateway = match (ending.paid, on_device) {
        ("Failed", _) => "Rejected",
        (_, true) => "Delivered",
        (_, false) => "Submitted",
    };
    assert_eq!(report.text("gtwStatus"), gateway, "{ending:?}");
}
