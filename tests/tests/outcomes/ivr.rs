//! Calls that run a flow, watched until each is over. A call must be charged the minutes that it
//! began and nothing more, and a call that was not answered nothing.

use super::messages::follow;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, IVR, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal::minor;
use tokio::task::JoinSet;

/// What numbers end in, what became of the payment and of the call, and which way was taken.
const ENDINGS: [(&str, &str, &str, &[&str]); 7] = [
    ("0000", "Successful", "Answered", &["ask", "bye"]),
    ("0002", "Successful", "Answered", &["ask", "bye"]),
    ("0003", "Successful", "Answered", &["ask", "bye"]),
    ("0028", "Successful", "Answered", &["ask", "thanks", "bye"]),
    ("0001", "Failed", "Failed", &[]),
    ("0026", "Failed", "NoAnswer", &[]),
    ("0027", "Failed", "Busy", &[]),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_a_flow_costs_the_minutes_that_it_began() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Ivr", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let mut calling = JoinSet::new();
    for ending in ENDINGS {
        let merchant = merchant.clone();
        calling.spawn(async move {
            let (digits, _, became, _) = ending;
            let reference = format!("called-{digits}");
            let order = orders::ivr(&reference, &format!("234803123{digits}"));
            merchant.post(IVR, &order).await;
            let path = OrderFamily::Ivr.report(&reference);
            let (_, report) = follow(&merchant, &path, became).await;
            (ending, report)
        });
    }
    let mut charged = 0;
    for ((ending, paid, became, way), report) in calling.join_all().await {
        assert_eq!(report.txn_status(), paid, "{ending}");
        assert_eq!(report.text("dlvStatus"), became, "{ending}");
        let fields = report.json();
        assert_eq!(fields["flwPath"], serde_json::json!(way), "{ending}");
        let pressed: &[&str] = if ending == "0028" { &["1"] } else { &[] };
        assert_eq!(fields["digits"], serde_json::json!(pressed), "{ending}");
        let is_answered = became == "Answered";
        assert_eq!(fields["flwRun"].is_string(), is_answered, "{ending}");
        if is_answered {
            let seconds = fields["callDuration"].as_i64().unwrap();
            let begun = seconds.unsigned_abs().div_ceil(60);
            let cost = minor(&report.text("cost"));
            assert_eq!(cost, i64::try_from(begun).unwrap() * 1_500, "{ending}");
            charged += cost;
        } else {
            assert!(fields["callDuration"].is_null(), "{ending}");
        }
    }
    let (available, held) = merchant.balance().await;
    assert_eq!(minor(&available), 100_000 - charged);
    assert_eq!(&*held, "0.00");
}
