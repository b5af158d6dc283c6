//! Real processes over one journal, some of them killed at any moment. A test here has two roles:
//! it runs its own binary again, and an environment variable marks the child processes.

use crate::support::{Restless, airtime_to, query, runtime};
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use ports::provider::Provider;
use provider_sim::journal::{self, EntryEffect};
use provider_sim::{SimSettings, Simulator};
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;
use testkit::builders::submission;
use testkit::clock::START;
use testkit::permit::FixedPermit;

/// Environment variables with the journal of a child process, and its name.
const JOURNAL: &str = "MANILLA_TEST_JOURNAL";
const NAME: &str = "MANILLA_TEST_NAME";

/// The prefix of the line that a child prints for each order answered as delivered.
const DELIVERED: &str = "delivered ";

/// How often two are started and killed.
const ROUNDS: usize = 6;

fn open(path: &Path) -> Simulator {
    Simulator::open(path, SimSettings::default(), Arc::new(Restless)).unwrap()
}

/// A child process: it submits orders of its own, and orders that all children submit, until it is
/// killed.
async fn submit_for_ever(path: &Path, name: &str) {
    let simulator = open(path);
    for n in 0_u64.. {
        for under in [format!("{name}.{n}.1"), format!("all.{n}.1")] {
            let request = submission(&under, airtime_to("4567"));
            let outcome = simulator
                .submit(&request, &FixedPermit::granted())
                .await
                .outcome;
            if matches!(outcome, SubmitOutcome::Delivered(_)) {
                // Where the test is gone this fails, and ends this process too.
                println!("{DELIVERED}{under}");
            } else {
                let duplicate = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
                assert_eq!(outcome, duplicate, "{under}");
            }
        }
    }
}

/// Another process, seen from the test.
struct Other {
    process: Child,
    says: Lines<BufReader<ChildStdout>>,
    reported: Vec<String>,
}

impl Other {
    fn start(path: &Path, name: &str) -> Self {
        let test = "processes::whatever_is_killed_everyone_finds_what_was_delivered_once";
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(JOURNAL, path)
            .env(NAME, name)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let says = BufReader::new(process.stdout.take().unwrap()).lines();
        Self {
            process,
            says,
            reported: Vec::new(),
        }
    }

    /// Reads until it has reported so many more deliveries, or its output ends.
    fn listen(&mut self, count: usize) {
        let delivered = |line: String| line.strip_prefix(DELIVERED).map(ToOwned::to_owned);
        let reported = self.says.by_ref().map_while(Result::ok);
        self.reported
            .extend(reported.filter_map(delivered).take(count));
    }

    /// Kills it and returns all the deliveries it reported.
    fn kill(mut self) -> Vec<String> {
        self.process.kill().unwrap();
        self.listen(usize::MAX);
        self.process.wait().unwrap();
        self.reported
    }
}

/// The other part of this test.
fn plays_another(path: &OsStr) {
    let name = env::var(NAME).unwrap();
    runtime().block_on(submit_for_ever(path.as_ref(), &name));
}

#[test]
fn whatever_is_killed_everyone_finds_what_was_delivered_once() {
    if let Some(path) = env::var_os(JOURNAL) {
        return plays_another(&path);
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sandbox.journal");
    // Open all the time: it sees every death.
    let journal = open(&path);
    let mut reported = Vec::new();
    for round in 0..ROUNDS {
        let mut first = Other::start(&path, &format!("first-{round}"));
        let mut second = Other::start(&path, &format!("second-{round}"));
        first.listen(100 + round * 13);
        second.listen(100);
        let of_first = first.kill();
        // The survivor goes on, over whatever the first one left behind.
        second.listen(200);
        let of_second = second.kill();
        assert!(of_second.len() >= 300, "{}", of_second.len());
        for under in of_first.iter().chain(&of_second) {
            let finding = runtime().block_on(query(&journal, under));
            assert!(
                matches!(finding, QueryOutcome::Delivered(_)),
                "{under}: {finding:?}"
            );
        }
        reported.extend(of_first.into_iter().chain(of_second));
    }
    let times = reported.len();
    let reported: BTreeSet<_> = reported.into_iter().collect();
    assert_eq!(reported.len(), times, "nothing was delivered by two");
    let entries = journal::read(&path).unwrap();
    assert!(
        entries
            .iter()
            .all(|entry| entry.effects(START) == EntryEffect::Delivered)
    );
    let recorded: BTreeSet<_> = entries
        .iter()
        .map(|entry| entry.reference.as_str())
        .collect();
    assert_eq!(
        recorded.len(),
        entries.len(),
        "nothing is in the journal twice"
    );
    assert!(
        reported
            .iter()
            .all(|under| recorded.contains(under.as_str()))
    );
}
