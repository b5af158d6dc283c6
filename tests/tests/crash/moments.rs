//! SIGKILL at every named moment of a payment, for what is delivered, what is delivered without an
//! answer, and what is refused. It must know for each moment what the books may say afterwards.

use ports::probe::Moment;
use std::path::Path;
use std::time::Duration;
use tests::account::Account;
use tests::books;
use tests::folder::QUICK;
use tests::merchant::{Merchant, try_send};
use tests::orders::Family;
use tests::patience::eventually;
use tests::process::{Launch, Server};
use tests::purchases::{Heard, Purchase};
use tokio::task::JoinSet;

/// Delivered, delivered with its answer lost, refused.
const ENDINGS: [&str; 3] = ["0000", "0003", "0001"];

/// A moment comes within this. Where several instances may serve the books, what a killed one left
/// is taken over once it has shown no sign of life for ten seconds.
const REACHED_WITHIN: Duration = Duration::from_secs(30);

const SETTLED_WITHIN: Duration = Duration::from_mins(1);

/// What the report says at the end; nothing where there is no transaction.
fn expected(killed_at: Moment, purchase: &Purchase) -> Option<&'static str> {
    match killed_at {
        Moment::BeforeOpen => None,
        // Nothing was sent: whatever the provider would have said, it did not happen. A payout
        // waits for a person all the same, for silence is all there is.
        Moment::AfterOpen if purchase.family == Family::Bank => Some("Pending"),
        Moment::AfterOpen => Some("Failed"),
        Moment::AfterSubmit | Moment::AfterSettle | Moment::AfterClaim => {
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
    killed_at(Moment::BeforeOpen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_is_sent_a_payment_fails_and_its_price_comes_back() {
    killed_at(Moment::AfterOpen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_answer_is_stored_a_payment_is_asked_about_and_never_sent_again() {
    killed_at(Moment::AfterSubmit).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_its_result_is_stored_a_payment_keeps_it() {
    killed_at(Moment::AfterSettle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_again_during_recovery_a_payment_is_still_settled_once() {
    let account = Account::new(QUICK);
    let purchases = stop_all(&account, Moment::AfterSubmit).await;
    let reached = account.folder.beside("reached-again");
    let server = Server::launch(&account.folder, &pausing(Moment::AfterClaim, &reached));
    until_reached(&reached, Moment::AfterClaim).await;
    server.kill();
    books::audit_is_clean(&account.folder);
    check(&account, &purchases, Moment::AfterClaim).await;
}

async fn killed_at(moment: Moment) {
    let account = Account::new(QUICK);
    let purchases = stop_all(&account, moment).await;
    books::audit_is_clean(&account.folder);
    check(&account, &purchases, moment).await;
}

/// Brings one payment after the other to a moment, where they stay, and kills the process.
async fn stop_all(account: &Account, moment: Moment) -> Vec<Purchase> {
    let reached = account.folder.beside("reached");
    let server = Server::launch(&account.folder, &pausing(moment, &reached));
    let merchant = account.merchant(&server);
    let mut waiting = JoinSet::new();
    for family in Family::ALL {
        for ending in ENDINGS {
            waiting.spawn(buy(merchant.clone(), family, ending));
            until_reached(&reached, moment).await;
            std::fs::remove_file(&reached).expect("the file of the moment");
        }
    }
    server.kill();
    let purchases = waiting.join_all().await;
    for purchase in &purchases {
        assert_eq!(purchase.heard, Heard::Nothing, "{purchase:?}");
    }
    purchases
}

async fn buy(merchant: Merchant, family: Family, ending: &'static str) -> Purchase {
    let reference = format!("{}-{ending}", family.word());
    let order = family.order(&reference, ending);
    let heard = match try_send(merchant.buying(family, &order)).await {
        Ok(answer) => Heard::from(&answer),
        Err(_) => Heard::Nothing,
    };
    Purchase {
        family,
        reference,
        ending,
        heard,
    }
}

fn pausing(moment: Moment, reached: &Path) -> Launch {
    let file = reached.to_str().expect("a path in UTF-8").to_owned();
    Launch {
        environment: vec![
            ("MANILLA_PAUSE_AT", moment.code().to_owned()),
            ("MANILLA_PAUSE_FILE", file),
        ],
        ..Launch::default()
    }
}

async fn until_reached(file: &Path, moment: Moment) {
    let moment_reached = moment.code();
    let what = format!("a debug build stops a payment at {moment_reached}");
    let written = || std::fs::read_to_string(file).is_ok_and(|text| text == moment_reached);
    eventually(&what, REACHED_WITHIN, async || written().then_some(())).await;
}

/// Starts again and compares every report with what must have become of its payment.
async fn check(account: &Account, purchases: &[Purchase], killed_at: Moment) {
    let server = Server::start(&account.folder);
    let endings = account.settle(&server, (purchases, SETTLED_WITHIN)).await;
    for ending in &endings {
        let promised = expected(killed_at, &ending.purchase);
        assert_eq!(ending.status.as_deref(), promised, "{ending:?}");
    }
    assert!(server.interrupt().await.success());
    books::audit_is_clean(&account.folder);
}
