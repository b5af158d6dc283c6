//! Real processes that are killed while they append. A test here has two parts: it runs its own
//! binary again, which the environment says is the process to be killed.

use super::{all, file, open, opened, ring, sending, start};
use crate::{FileJournal, Start};
use ports::journal::{AttemptJournal as _, JournalStanding};
use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

const ROOT: &str = "MANILLA_TEST_JOURNALS";

/// How often a process is started and killed.
const ROUNDS: u64 = 6;

/// How many callers append at once.
const CALLERS: u64 = 8;

const TEST: &str = "tests::processes::what_a_killed_process_acknowledged_is_read_by_the_next";

/// The process to be killed: what it prints was acknowledged.
async fn append_for_ever(root: &Path) {
    let journal: Arc<FileJournal> = Arc::new(open(root));
    let mut callers = tokio::task::JoinSet::new();
    for caller in 0..CALLERS {
        let journal = Arc::clone(&journal);
        callers.spawn(async move {
            for n in 1_u64.. {
                let number = n * CALLERS + caller;
                let entry = journal.append(&sending(number)).await.unwrap();
                println!("appended {} {number}", entry.0);
                if number.is_multiple_of(3) {
                    journal.void(entry);
                    println!("voided {} {number}", entry.0);
                } else {
                    // It is said before it is done: what is not said was not confirmed.
                    println!("confirming {} {number}", entry.0);
                    journal.confirm(entry).unwrap();
                    println!("confirmed {} {number}", entry.0);
                }
            }
        });
    }
    callers.join_all().await;
}

#[test]
fn what_a_killed_process_acknowledged_is_read_by_the_next() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Some(root) = env::var_os(ROOT) {
        return runtime.block_on(append_for_ever(root.as_ref()));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut said: BTreeMap<u64, String> = BTreeMap::new();
    for round in 1..=ROUNDS {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", TEST, "--nocapture"])
            .env(ROOT, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut received = lines
            .by_ref()
            .map_while(Result::ok)
            .filter(|it| known(it).is_some());
        let enough = usize::try_from(200 + round * 37).unwrap();
        let mut all_said: Vec<String> = received.by_ref().take(enough).collect();
        if round == 1 {
            // A living process keeps its journal: this one gets another.
            let ring = ring();
            let other = Start {
                random: [9; 32],
                ..start(&ring)
            };
            let other = opened(folder.path(), &other).journal;
            let folders = std::fs::read_dir(folder.path()).unwrap().flatten();
            assert_eq!(folders.filter(|it| it.path().is_dir()).count(), 2);
            let theirs = file(folder.path(), &other, "");
            drop(other);
            std::fs::remove_dir_all(theirs).unwrap();
        }
        process.kill().unwrap();
        all_said.extend(received);
        process.wait().unwrap();
        for line in all_said {
            let (entry, what) = known(&line).unwrap();
            said.insert(entry, what.to_owned());
        }
        let journal = open(folder.path());
        let page = runtime.block_on(all(&journal));
        let read: BTreeMap<u64, JournalStanding> =
            page.iter().map(|it| (it.entry.0, it.standing)).collect();
        for (entry, what) in &said {
            let standing = read.get(entry).copied();
            let is_right = match what.as_str() {
                "confirmed" => standing == Some(JournalStanding::Confirmed),
                "voided" => standing.is_none(),
                "confirming" => standing.is_some_and(|it| it != JournalStanding::Unknown),
                _ => matches!(standing, None | Some(JournalStanding::NeverSent)),
            };
            assert!(is_right, "{entry}: {what}, {standing:?}");
        }
    }
    assert!(said.len() > 200, "{}", said.len());
}

/// The entry of a line, and what was done with it last.
fn known(line: &str) -> Option<(u64, &str)> {
    let mut words = line.split(' ');
    let what = words.next()?;
    let is_known = ["appended", "voided", "confirming", "confirmed"].contains(&what);
    let entry = words.next()?.parse().ok()?;
    is_known.then_some((entry, what))
}
