//! A payment that was begun by an instance which is killed, finished by another that ran all along.
//! It must not wait for an instance to start.

use ports::fault_point::FaultStep;
use std::path::Path;
use std::time::Duration;
use tests::fleet::Fleet;
use tests::folder::QUICK;
use tests::merchant::{TestMerchant, try_send};
use tests::orders::OrderFamily;
use tests::patience::{Stopwatch, eventually};
use tests::process::Launch;
use tests::provider_journal;
use tests::purchases::{LastAnswer, TestPurchase};
use tokio::task::JoinSet;

/// A moment comes within this.
const REACHED_WITHIN: Duration = Duration::from_secs(10);

/// An instance counts as dead when it has shown no sign of life for ten seconds, and shows one
/// every second; so it is alive for as long as this after its last word.
const ALIVE_FOR: Duration = Duration::from_secs(8);

/// What it left is settled this much later at most: the look, the questions, and a busy machine.
const SETTLED_WITHIN: Duration = Duration::from_secs(30);

/// Delivered, delivered with its answer lost, refused.
const ENDINGS: [&str; 3] = ["0000", "0003", "0001"];

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_instance_had_sent_another_asks_about_and_settles() {
    left_at(FaultStep::AfterSubmit, |ending| match ending {
        "0001" => "Failed",
        _ => "Successful",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_instance_had_not_sent_another_gives_back() {
    left_at(FaultStep::AfterOpen, |_| "Failed").await;
}

async fn left_at(moment: FaultStep, expected: impl Fn(&str) -> &'static str) {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let reached = scratch.path().join("reached");
    let mut fleet = Fleet::launch(QUICK, &[pausing(moment, &reached)], &Launch::default());
    let [doomed, other, _] = fleet.merchants();
    let mut waiting = JoinSet::new();
    for ending in ENDINGS {
        waiting.spawn(buy(doomed.clone(), ending));
        until_reached(&reached, moment).await;
        std::fs::remove_file(&reached).expect("the file of the moment");
    }
    let stopwatch = Stopwatch::start();
    fleet.take(0).kill();
    let purchases = waiting.join_all().await;
    for purchase in &purchases {
        // Every instance knows of it meanwhile, and none states what is not known yet.
        let report = other
            .get(&OrderFamily::Airtime.report(&purchase.reference))
            .await;
        assert_eq!(report.with_status(200).txn_status(), "Pending");
    }
    let within = (&*purchases, SETTLED_WITHIN);
    let endings = fleet.account.settle(fleet.instance(0), within).await;
    for ending in &endings {
        let promised = expected(ending.purchase.ending);
        assert_eq!(ending.status.as_deref(), Some(promised), "{ending:?}");
    }
    // No instance may take over from one that may still be alive.
    assert!(stopwatch.elapsed() > ALIVE_FOR);
    fleet.end().await;
    provider_journal::audit_is_clean(&fleet.account.folder);
}

async fn buy(merchant: TestMerchant, ending: &'static str) -> TestPurchase {
    let (family, reference) = (OrderFamily::Airtime, format!("left-{ending}"));
    let order = family.order(&reference, ending);
    let sent = try_send(merchant.buying(family, &order)).await;
    assert!(sent.is_err(), "no process was left to answer: {sent:?}");
    TestPurchase {
        family,
        reference,
        ending,
        received: LastAnswer::Nothing,
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
    let moment = moment.code();
    let what = format!("a debug build stops a payment at {moment}");
    let written = || std::fs::read_to_string(file).is_ok_and(|text| text == moment);
    eventually(&what, REACHED_WITHIN, async || written().then_some(())).await;
}
