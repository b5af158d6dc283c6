//! The journal across restarts, crashes and many tasks: nothing may be delivered twice, forgotten
//! or misread. Several sandboxes over one journal have a file of their own.

use crate::support::{LATER, SandboxWorld, airtime_to, delivered, vend_for};
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use ports::provider::Provider;
use provider_sim::journal::{self, EntryEffect, ReadError};
use provider_sim::{OpenError, SimSettings, Simulator};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use testkit::builders::submission;
use testkit::permit::FixedPermit;
use tokio::task::JoinSet;

const ENDINGS: [&str; 18] = [
    "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011", "0012",
    "0013", "0014", "0018", "0019", "0020", "4567",
];

async fn findings(bench: &SandboxWorld) -> Vec<QueryOutcome> {
    let mut findings = Vec::new();
    for ending in ENDINGS {
        findings.push(bench.query(ending).await);
    }
    findings
}

/// A bench on which every ending was submitted once, under its own name, without waiting for the
/// slow one.
async fn busy_bench() -> SandboxWorld {
    let bench = SandboxWorld::new();
    for ending in ENDINGS {
        let mut request = submission(ending, vend_for(ending));
        if ending == "0007" {
            request.deadline = std::time::Duration::ZERO;
        }
        bench
            .simulator()
            .submit(&request, &FixedPermit::granted())
            .await;
    }
    bench
}

#[tokio::test]
async fn another_process_over_the_same_journal_says_the_same_then_and_later() {
    let mut bench = busy_bench().await;
    let before = findings(&bench).await;
    let reported = bench.simulator().changes_since(0).await.unwrap();
    // Another seed and other delays must not change what is promised already.
    bench.settings.seed = 99;
    bench.settings.later = LATER * 7;
    bench.restart();
    assert_eq!(findings(&bench).await, before);
    assert_eq!(bench.simulator().changes_since(0).await.unwrap(), reported);

    bench.clock.advance(LATER).await;
    let later = findings(&bench).await;
    assert_ne!(later, before);
    bench.restart();
    assert_eq!(findings(&bench).await, later);
    let reported = bench.simulator().changes_since(0).await.unwrap();
    assert_eq!((reported.findings.len(), reported.next), (1, 1));
}

#[tokio::test]
async fn a_reference_is_delivered_once_whatever_comes_again() {
    let mut bench = SandboxWorld::new();
    let receipt = delivered(bench.submit("a.1.1", airtime_to("4567")).await);
    let duplicate = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
    for order in [airtime_to("4567"), airtime_to("0001"), vend_for("4567")] {
        assert_eq!(bench.submit("a.1.1", order).await, duplicate);
    }
    bench.restart();
    assert_eq!(bench.submit("a.1.1", airtime_to("4567")).await, duplicate);
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Delivered(receipt));
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_32_at_once_under_each_reference_one_is_delivered() {
    let bench = SandboxWorld::new();
    let mut tasks = JoinSet::new();
    for n in 0..32 * 50 {
        let simulator = bench.simulator();
        let request = submission(&format!("a.{}.1", n / 32), airtime_to("4567"));
        tasks.spawn(async move {
            simulator
                .submit(&request, &FixedPermit::granted())
                .await
                .outcome
        });
    }
    let outcomes = tasks.join_all().await;
    let duplicate = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
    let duplicates = outcomes.iter().filter(|outcome| **outcome == duplicate);
    assert_eq!(duplicates.count(), 31 * 50);
    let delivered = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, SubmitOutcome::Delivered(_)));
    assert_eq!(delivered.count(), 50);
    let entries = bench.entries();
    let references: BTreeSet<_> = entries.iter().map(|entry| &entry.reference).collect();
    assert_eq!((entries.len(), references.len()), (50, 50));
}

#[tokio::test]
async fn a_line_torn_anywhere_is_cut_and_its_reference_is_free_again() {
    let mut bench = SandboxWorld::new();
    bench.submit("a.1.1", airtime_to("4567")).await;
    let whole = fs::read(bench.path()).unwrap();
    bench.submit("a.2.1", airtime_to("4567")).await;
    let longer = fs::read(bench.path()).unwrap();
    bench.close();
    for end in whole.len()..longer.len() {
        fs::write(bench.path(), &longer[..end]).unwrap();
        assert_eq!(bench.entries().len(), 1, "read while torn at {end}");
        bench.restart();
        assert_eq!(bench.query("a.2.1").await, QueryOutcome::NotFound);
        delivered(bench.submit("a.2.1", airtime_to("4567")).await);
        assert_eq!(fs::read(bench.path()).unwrap(), longer, "torn at {end}");
        bench.close();
    }
}

#[tokio::test]
async fn a_journal_torn_within_its_first_line_begins_again() {
    let mut bench = SandboxWorld::new();
    let header = fs::read(bench.path()).unwrap();
    bench.close();
    for end in 0..header.len() {
        fs::write(bench.path(), &header[..end]).unwrap();
        bench.restart();
        assert_eq!(fs::read(bench.path()).unwrap(), header);
        bench.close();
    }
}

#[tokio::test]
async fn zeros_left_at_the_end_by_a_crash_of_the_machine_are_cut() {
    let mut bench = SandboxWorld::new();
    bench.submit("a.1.1", airtime_to("4567")).await;
    let whole = fs::read(bench.path()).unwrap();
    bench.close();
    let mut file = OpenOptions::new().append(true).open(bench.path()).unwrap();
    file.write_all(&[0; 4096]).unwrap();
    bench.restart();
    assert_eq!(fs::read(bench.path()).unwrap(), whole);
}

#[tokio::test]
async fn damage_before_the_end_is_reported_and_not_repaired() {
    let mut bench = SandboxWorld::new();
    bench.submit("a.1.1", airtime_to("4567")).await;
    let damaged_at = fs::read(bench.path()).unwrap().len();
    bench.submit("a.2.1", airtime_to("4567")).await;
    bench.submit("a.3.1", airtime_to("4567")).await;
    bench.close();
    let mut bytes = fs::read(bench.path()).unwrap();
    bytes[damaged_at + 20] ^= 1;
    fs::write(bench.path(), &bytes).unwrap();
    match journal::read(&bench.path()) {
        Err(ReadError::Damaged { offset }) => assert_eq!(offset, damaged_at as u64),
        other => panic!("{other:?}"),
    }
    let opened = Simulator::open(&bench.path(), SimSettings::default(), bench.clock.clone());
    assert!(matches!(opened, Err(OpenError::Journal { .. })));
    assert_eq!(fs::read(bench.path()).unwrap(), bytes);
}

#[tokio::test]
async fn a_file_that_is_no_journal_is_left_alone() {
    let mut bench = SandboxWorld::new();
    bench.close();
    fs::write(bench.path(), "dear diary\n").unwrap();
    let opened = Simulator::open(&bench.path(), SimSettings::default(), bench.clock.clone());
    assert!(matches!(opened, Err(OpenError::Journal { .. })));
    assert!(matches!(
        journal::read(&bench.path()),
        Err(ReadError::Foreign)
    ));
    assert_eq!(fs::read(bench.path()).unwrap(), b"dear diary\n");
}

#[tokio::test]
async fn reversals_are_reported_in_order_and_none_is_lost_between_two_calls() {
    let mut bench = SandboxWorld::new();
    for n in 0..1200 {
        bench.submit(&format!("a.{n}.1"), airtime_to("0009")).await;
        bench.submit(&format!("b.{n}.1"), airtime_to("4567")).await;
    }
    bench.clock.advance(LATER).await;
    bench.submit("a.late.1", airtime_to("0009")).await;
    let (mut cursor, mut reported) = (0, Vec::new());
    loop {
        let changes = bench.simulator().changes_since(cursor).await.unwrap();
        if changes.findings.is_empty() {
            assert_eq!(changes.next, cursor);
            break;
        }
        cursor = changes.next;
        reported.extend(
            changes
                .findings
                .into_iter()
                .map(|(reference, _)| reference.to_string()),
        );
        bench.restart();
    }
    let expected: Vec<_> = (0..1200).map(|n| format!("a.{n}.1")).collect();
    assert_eq!(reported, expected);
    bench.clock.advance(LATER).await;
    let changes = bench.simulator().changes_since(cursor).await.unwrap();
    assert_eq!(changes.findings.len(), 1);
}
