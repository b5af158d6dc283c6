//! Several sandboxes over one journal: together they must be one provider, whatever one of them
//! leaves half done and however the others read it.

use crate::support::{
    LATER, Restless, SandboxWorld, airtime_to, delivered, leave_torn, message_to, query, runtime,
    submit, vend_for,
};
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use ports::provider::Provider;
use provider_sim::journal;
use provider_sim::{SimSettings, Simulator};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use testkit::builders::submission;
use testkit::permit::FixedPermit;
use tokio::task::JoinSet;

const DUPLICATE: SubmitOutcome = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);

#[tokio::test]
async fn what_one_recorded_every_other_finds_and_none_delivers_again() {
    let bench = SandboxWorld::new();
    let (one, other) = (bench.simulator(), bench.another());
    for (n, ending) in ["4567", "0001", "0002", "0009", "0010"].iter().enumerate() {
        let under = format!("a.{n}.1");
        assert_eq!(query(&other, &under).await, QueryOutcome::NotFound);
        submit(&one, &under, vend_for(ending)).await;
        let found = query(&other, &under).await;
        assert_ne!(found, QueryOutcome::NotFound, "{ending}");
        assert_eq!(found, query(&one, &under).await, "{ending}");
        let again = submit(&other, &under, vend_for("4567")).await;
        assert_eq!(again, DUPLICATE, "{ending}");
        // And the other way round, where the other has not even looked yet.
        let under = format!("b.{n}.1");
        submit(&other, &under, vend_for(ending)).await;
        let again = submit(&one, &under, vend_for("4567")).await;
        assert_eq!(again, DUPLICATE, "{ending}");
    }
    assert_eq!(bench.entries().len(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_32_at_once_under_each_reference_one_is_delivered_by_one_of_three() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sandbox.journal");
    let open = |_| {
        let opened = Simulator::open(&path, SimSettings::default(), Arc::new(Restless));
        Arc::new(opened.unwrap())
    };
    let simulators: Vec<_> = (0..3).map(open).collect();
    let mut tasks = JoinSet::new();
    for n in 0..32 * 50 {
        let simulator = Arc::clone(&simulators[n % 3]);
        let request = submission(&format!("a.{}.1", n / 32), airtime_to("4567"));
        tasks.spawn(async move {
            simulator
                .submit(&request, &FixedPermit::granted())
                .await
                .outcome
        });
    }
    let outcomes = tasks.join_all().await;
    let duplicates = outcomes.iter().filter(|outcome| **outcome == DUPLICATE);
    assert_eq!(duplicates.count(), 31 * 50);
    let delivered = |outcome: &&SubmitOutcome| matches!(outcome, SubmitOutcome::Delivered(_));
    assert_eq!(outcomes.iter().filter(delivered).count(), 50);
    let entries = journal::read(&path).unwrap();
    let references: BTreeSet<_> = entries.iter().map(|entry| &entry.reference).collect();
    assert_eq!((entries.len(), references.len()), (50, 50));
}

#[tokio::test]
async fn every_sandbox_reports_what_all_recorded_in_one_order() {
    let bench = SandboxWorld::new();
    let simulators = [bench.simulator(), bench.another()];
    for n in 0..700 {
        let to = &simulators[n % 2];
        submit(to, &format!("a.{n}.1"), airtime_to("0009")).await;
        submit(to, &format!("b.{n}.1"), message_to("4567", 2)).await;
        if n % 50 == 0 {
            bench.clock.advance(Duration::from_millis(170)).await;
        }
    }
    bench.clock.advance(LATER * 3).await;
    let (mut cursor, mut reported) = (0, Vec::new());
    loop {
        let changes = simulators[0].changes_since(cursor).await.unwrap();
        assert_eq!(simulators[1].changes_since(cursor).await.unwrap(), changes);
        if changes.findings.is_empty() {
            break;
        }
        cursor = changes.next;
        reported.extend(changes.findings.into_iter().map(|(reference, _)| reference));
    }
    let references: BTreeSet<_> = reported.iter().collect();
    assert_eq!(references.len(), 1400);
}

#[tokio::test]
async fn a_line_that_a_killed_writer_left_is_no_entry_and_the_next_writer_cuts_it() {
    let bench = SandboxWorld::new();
    let (one, other) = (bench.simulator(), bench.another());
    submit(&one, "a.0.1", airtime_to("4567")).await;
    let whole = fs::read(bench.path()).unwrap();
    submit(&one, "a.1.1", airtime_to("4567")).await;
    let line = fs::read(bench.path()).unwrap()[whole.len()..].to_vec();
    for end in 1..line.len() {
        let n = end + 1;
        let before = fs::read(bench.path()).unwrap();
        // The line that the killed writer had begun and that another writes in the end.
        let text = String::from_utf8(line.clone()).unwrap();
        let text = text.replace("a.1.1", &format!("a.{n}.1"));
        leave_torn(&bench.path(), &text.as_bytes()[..end]);
        let torn = fs::read(bench.path()).unwrap();
        let under = format!("a.{n}.1");
        assert_eq!(query(&other, &under).await, QueryOutcome::NotFound);
        assert_eq!(bench.entries().len(), n, "read while torn at {end}");
        assert_eq!(
            fs::read(bench.path()).unwrap(),
            torn,
            "readers repair nothing"
        );
        let receipt = delivered(submit(&other, &under, airtime_to("4567")).await);
        let after = fs::read(bench.path()).unwrap();
        assert_eq!(after[..before.len()], before);
        assert_eq!(bench.entries().len(), n + 1, "torn at {end}");
        assert_eq!(query(&one, &under).await, QueryOutcome::Delivered(receipt));
    }
}

#[tokio::test]
async fn a_long_tail_of_zeros_is_cut_by_the_next_writer() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sandbox.journal");
    let open = || Simulator::open(&path, SimSettings::default(), Arc::new(Restless)).unwrap();
    let (one, other) = (open(), open());
    submit(&one, "a.1.1", airtime_to("4567")).await;
    leave_torn(&path, &vec![0; 600 * 1024]);
    assert_eq!(query(&other, "a.2.1").await, QueryOutcome::NotFound);
    delivered(submit(&other, "a.2.1", airtime_to("4567")).await);
    assert_eq!(journal::read(&path).unwrap().len(), 2);
    assert!(fs::metadata(&path).unwrap().len() < 1024);
}

#[tokio::test]
async fn one_who_was_idle_for_long_catches_up_before_he_answers() {
    const COUNT: usize = 9_000;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sandbox.journal");
    let open = || Simulator::open(&path, SimSettings::default(), Arc::new(Restless)).unwrap();
    let (busy, [asked, teller, writer]) = (open(), [open(), open(), open()]);
    for n in 0..COUNT {
        submit(&busy, &format!("a.{n}.1"), airtime_to("4567")).await;
    }
    let bytes = fs::metadata(&path).unwrap().len();
    assert!(bytes > 3 * 256 * 1024, "{bytes} bytes are read in one go");
    let last = format!("a.{}.1", COUNT - 1);
    assert_eq!(query(&asked, &last).await, query(&busy, &last).await);
    assert_eq!(teller.changes_since(0).await.unwrap().findings, []);
    assert_eq!(submit(&writer, &last, airtime_to("4567")).await, DUPLICATE);
    assert_eq!(journal::read(&path).unwrap().len(), COUNT);
}

/// Nothing is recorded in a journal of which this was made, and nothing in it is changed.
async fn distrusted(spoil: impl FnOnce(&SandboxWorld, &[u8])) {
    let bench = SandboxWorld::new();
    let other = bench.another();
    bench.submit("a.1.1", airtime_to("4567")).await;
    let whole = fs::read(bench.path()).unwrap();
    spoil(&bench, &whole);
    let spoilt = fs::read(bench.path()).unwrap();
    for simulator in [bench.simulator(), other] {
        let outcome = submit(&simulator, "a.2.1", airtime_to("4567")).await;
        assert_eq!(outcome, SubmitOutcome::Unknown(UnknownCause::ServerError));
        let again = submit(&simulator, "a.2.1", airtime_to("4567")).await;
        assert_eq!(again, SubmitOutcome::Unknown(UnknownCause::ServerError));
        assert_eq!(query(&simulator, "a.2.1").await, QueryOutcome::Unknown);
        assert!(simulator.changes_since(0).await.is_err());
    }
    assert_eq!(fs::read(bench.path()).unwrap(), spoilt);
}

fn add(bench: &SandboxWorld, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(bench.path()).unwrap();
    file.write_all(bytes).unwrap();
}

#[tokio::test]
async fn a_journal_changed_by_others_while_in_use_is_not_written_any_more() {
    distrusted(|bench, _| {
        let file = OpenOptions::new().write(true).open(bench.path()).unwrap();
        file.set_len(10).unwrap();
    })
    .await;
    distrusted(|bench, whole| {
        let start = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        add(bench, &whole[start..]);
    })
    .await;
    distrusted(|bench, whole| {
        let text = String::from_utf8(whole.to_vec()).unwrap();
        let line = text.lines().nth(1).unwrap();
        add(
            bench,
            format!("{}\n{line}\n", line.replace("NGN", "ngn")).as_bytes(),
        );
    })
    .await;
}

/// Submits many orders, one after the other.
fn write_many(to: &Simulator, name: &str, done: &AtomicUsize) {
    let runtime = runtime();
    for n in 0..1500 {
        runtime.block_on(submit(to, &format!("{name}.{n}.1"), airtime_to("4567")));
    }
    done.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_reader_beside_two_writers_and_the_killed_sees_every_moment_of_one_journal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sandbox.journal");
    let open = || Simulator::open(&path, SimSettings::default(), Arc::new(Restless)).unwrap();
    let simulators = [open(), open()];
    let done = AtomicUsize::new(0);
    let mut reads = 0;
    std::thread::scope(|scope| {
        for (simulator, name) in simulators.iter().zip(["a", "b"]) {
            let done = &done;
            scope.spawn(move || write_many(simulator, name, done));
        }
        scope.spawn(|| {
            // Of many lengths: some end within the line that takes their place, some beyond it.
            for length in (1..400).cycle() {
                if done.load(Ordering::Relaxed) == 2 {
                    break;
                }
                leave_torn(
                    &path,
                    &b"0a1b2c3d 1768467600000\tshop.1.1\tair".repeat(12)[..length],
                );
            }
        });
        let mut before = Vec::new();
        while done.load(Ordering::Relaxed) < 2 {
            let entries = journal::read(&path).unwrap();
            assert!(entries.starts_with(&before), "what was read once stays");
            before = entries;
            reads += 1;
        }
    });
    let entries = journal::read(&path).unwrap();
    let references: BTreeSet<_> = entries.iter().map(|entry| &entry.reference).collect();
    assert_eq!(
        (entries.len(), references.len()),
        (3000, 3000),
        "{reads} reads"
    );
}
