//! SIGKILL at every named moment of a payment, for what is delivered, what is delivered without an
//! answer, and what is refused. It must know for each moment what the books may say afterwards.

use ports::fault_point::FaultStep;
use std::path::Path;
use std::time::Duration;
use tests::account::TestAccount;
use tests::folder::QUICK;
use tests::merchant::{TestMerchant, try_send};
use tests::orders::OrderFamily;
use tests::patience::eventually;
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal;
use tests::purchases::{LastAnswer, TestPurchase};
use tokio::task::JoinSet;

/// Delivered, delivered with its answer lost, refused.
const ENDINGS: [&str; 3] = ["0000", "0003", "0001"];

/// A moment comes within this. Where several instances may serve the books, what a killed one left
/// is taken over once it has shown no sign of life for ten seconds.
const REACHED_WITHIN: Duration = Duration::from_secs(30);

const SETTLED_WITHIN: Duration = Duration::from_mins(1);

/// What the report says at the end; nothing where there is no transaction.
fn expected(killed_at: FaultStep, purchase: &TestPurchase) -> Option<&'static str> {
    match killed_at {
        FaultStep::BeforeOpen => None,
        // Nothing was sent: whatever the provider would have said, it did not happen. A payout
        // waits for a person all the same, for silence is all there is.
        FaultStep::AfterOpen if purchase.family.waits_for_a_person() => Some("Pending"),
        FaultStep::AfterOpen => Some("Failed"),
        FaultStep::AfterSubmit | FaultStep::AfterSettle | FaultStep::AfterClaim => {
            Some(if purchase.ending == "0001" {
                "Failed"
            } else {
                "Successful"
            })
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_is_stored_a_payment_never_was() {
    killed_at(FaultStep::BeforeOpen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_is_sent_a_payment_fails_and_its_price_comes_back() {
    killed_at(FaultStep::AfterOpen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_answer_is_stored_a_payment_is_asked_about_and_never_sent_again() {
    killed_at(FaultStep::AfterSubmit).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_its_result_is_stored_a_payment_keeps_it() {
    killed_at(FaultStep::AfterSettle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_again_during_recovery_a_payment_is_still_settled_once() {
    let account = TestAccount::new(QUICK);
    let purchases = stop_all(&account, FaultStep::AfterSubmit).await;
    let reached = account.folder.beside("reached-again");
    let server = GatewayProcess::launch(&account.folder, &pausing(FaultStep::AfterClaim, &reached));
    until_reached(&reached, FaultStep::AfterClaim).await;
    server.kill();
    provider_journal::audit_is_clean(&account.folder);
    check(&account, &purchases, FaultStep::AfterClaim).await;
}

async fn killed_at(moment: FaultStep) {
    let account = TestAccount::new(QUICK);
    let purchases = stop_all(&account, moment).await;
    provider_journal::audit_is_clean(&account.folder);
    check(&account, &purchases, moment).await;
}

/// Brings one payment after the other to a moment, where they stay, and kills the process.
async fn stop_all(account: &TestAccount, moment: FaultStep) -> Vec<TestPurchase> {
    let reached = account.folder.beside("reached");
    let server = GatewayProcess::launch(&account.folder, &pausing(moment, &reached));
    let merchant = account.merchant(&server);
    let mut waiting = JoinSet::new();
    for family in OrderFamily::ALL {
        for ending in ENDINGS {
            waiting.spawn(buy(merchant.clone(), family, ending));
            until_reached(&reached, moment).await;
            std::fs::remove_file(&reached).expect("the file of the moment");
        }
    }
    server.kill();
    let purchases = waiting.join_all().await;
    for purchase in &purchases {
        assert_eq!(purchase.received, LastAnswer::Nothing, "{purchase:?}");
    }
    purchases
}

async fn buy(merchant: TestMerchant, family: OrderFamily, ending: &'static str) -> TestPurchase {
    let reference = format!("{}-{ending}", family.word());
    let order = family.order(&reference, ending);
    let received = match try_send(merchant.buying(family, &order)).await {
        Ok(answer) => LastAnswer::from(&answer),
        Err(_) => LastAnswer::Nothing,
    };
    TestPurchase {
        family,
        reference,
        ending,
        received,
    }
}

fn pausing(moment: FaultStep, reached: &Path) -> Launch {
    let file = reached.to_str().expect("a path in UTF-8").to_owned();
    Launch {
        environment: vec![
            ("MANILLA_PAUSE_AT", moment.code().to_owned()),
            ("MANILLA_PAUSE_FILE", file),
        ],
        ..Launch::default()
    }
}

async fn until_reached(file: &Path, moment: FaultStep) {
    let moment_reached = moment.code();
    let what = format!("a debug build stops a payment at {moment_reached}");
    let written = || std::fs::read_to_string(file).is_ok_and(|text| text == moment_reached);
    eventually(&what, REACHED_WITHIN, async || written().then_some(())).await;
}

/// Starts again and compares every report with what must have become of its payment.
async fn check(account: &TestAccount, purchases: &[TestPurchase], killed_at: FaultStep) {
    let server = GatewayProcess::start(&account.folder);
    let endings = account.settle(&server, (purchases, SETTLED_WITHIN)).await;
    for ending in &endings {
        let promised = expected(killed_at, &ending.purchase);
        assert_eq!(ending.status.as_deref(), promised, "{ending:?}");
    }
    assert!(server.interrupt().await.success());
    provider_journal::audit_is_clean(&account.folder);
}
