//! Voice calls watched until each is over. A call must be charged the minutes that it began and
//! nothing more, and a call that was not answered nothing.

use super::messages::follow;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily, VOICE};
use tests::process::GatewayProcess;
use tests::provider_journal::minor;
use tokio::task::JoinSet;

/// What numbers end in, what became of the payment, and of the call.
const ENDINGS: [(&str, &str, &str); 7] = [
    ("0000", "Successful", "Answered"),
    ("0002", "Successful", "Answered"),
    ("0003", "Successful", "Answered"),
    ("0028", "Successful", "Answered"),
    ("0001", "Failed", "Failed"),
    ("0026", "Failed", "NoAnswer"),
    ("0027", "Failed", "Busy"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_call_costs_the_minutes_that_it_began() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Voice", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let mut calling = JoinSet::new();
    for (ending, paid, became) in ENDINGS {
        let merchant = merchant.clone();
        calling.spawn(async move {
            let reference = format!("called-{ending}");
            let order = orders::voice(&reference, &format!("234803123{ending}"), "Hello");
            merchant.post(VOICE, &order).await;
            let path = OrderFamily::Voice.report(&reference);
            let (_, report) = follow(&merchant, &path, became).await;
            ((ending, paid, became), report)
        });
    }
    let mut charged = 0;
    for ((ending, paid, became), report) in calling.join_all().await {
        assert_eq!(report.txn_status(), paid, "{ending}");
        assert_eq!(report.text("dlvStatus"), became, "{ending}");
        let fields = report.json();
        let is_answered = became == "Answered";
        assert_eq!(fields["callAnswered"].is_string(), is_answered, "{ending}");
        let pressed = fields["digits"].as_str();
        assert_eq!(pressed, (ending == "0028").then_some("1"), "{ending}");
        let cost = minor(&report.text("cost"));
        if is_answered {
            let seconds = fields["callDuration"].as_i64().unwrap();
            let begun = seconds.unsigned_abs().div_ceil(60);
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
