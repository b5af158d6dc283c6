//! Which process takes which journal.

use super::{confirmed, open, opened, ring, sending, start};
use crate::folder::Root;
use crate::{FileJournal, JournalOrigin, Start};
use domain::time::Timestamp;
use domain::transaction::{Sending, State, Transaction};
use ports::journal::AttemptJournal as _;
use std::collections::BTreeSet;
use std::time::Duration;
use testkit::builders::{START, current_attempt};

fn sending_at(n: u64, started_at: Timestamp) -> Transaction {
    let tx = sending(n);
    let attempt = current_attempt(&tx);
    Transaction {
        state: State::Sending(Sending {
            attempt,
            started_at,
        }),
        ..tx
    }
}

#[tokio::test]
async fn no_two_of_many_that_open_at_once_have_one_journal() {
    let folder = tempfile::tempdir().unwrap();
    // Two are there already, to be fought over.
    let (first, second) = (open_nth(folder.path(), 1), open_nth(folder.path(), 2));
    drop((first, second));
    let journals: Vec<FileJournal> = std::thread::scope(|scope| {
        let path = folder.path();
        let openers: Vec<_> = (10..18)
            .map(|n| scope.spawn(move || open_nth(path, n)))
            .collect();
        openers.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let ids: BTreeSet<_> = journals.iter().map(|it| it.id().clone()).collect();
    assert_eq!(ids.len(), 8);
    let folders = std::fs::read_dir(folder.path()).unwrap().flatten();
    let folders = folders.filter(|it| it.path().is_dir()).count();
    assert_eq!(folders, 8, "both that were there were taken");
}

/// Without this one that starts would find every journal locked by another that only looks.
#[test]
fn a_start_waits_for_another_that_looks_for_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let id = open_nth(folder.path(), 1).id().clone();
    let root = Root::make(folder.path()).unwrap();
    let looking = root.lock().unwrap();
    let looked_at = root.journal(&id).try_lock().unwrap();
    let (sender, opened) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let path = folder.path();
        scope.spawn(move || sender.send(open_nth(path, 2).id().clone()).unwrap());
        let waits = opened.recv_timeout(Duration::from_millis(100));
        assert!(waits.is_err(), "it was opened meanwhile");
        drop((looked_at, looking));
        assert_eq!(opened.recv().unwrap(), id);
    });
}

fn open_nth(root: &std::path::Path, n: u8) -> FileJournal {
    let ring = ring();
    let start = Start {
        random: [n; 32],
        ..start(&ring)
    };
    opened(root, &start).journal
}

#[tokio::test]
async fn the_journal_with_the_newest_entry_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (open_nth(folder.path(), 1), open_nth(folder.path(), 2));
    let third = open_nth(folder.path(), 3);
    first.append(&sending_at(1, START)).await.unwrap();
    let later = START.plus(Duration::from_secs(1));
    second.append(&sending_at(2, later)).await.unwrap();
    let newest = second.id().clone();
    drop((first, second, third));
    assert_eq!(*open(folder.path()).id(), newest);
}

#[tokio::test]
async fn a_journal_that_cannot_be_read_is_left_and_another_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let first = open_nth(folder.path(), 1);
    confirmed(&first, 1..=2).await;
    let entries = super::file(folder.path(), &first, "000001.entries");
    let id = first.id().clone();
    drop(first);
    drop(open_and_use(folder.path()).await);
    let mut bytes = super::crash::stored(&entries);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&entries, bytes).unwrap();
    let ring = ring();
    let start = Start {
        random: [9; 32],
        ..start(&ring)
    };
    let made = opened(folder.path(), &start);
    // The newest segment is whole, so the journal is continued; reading back to the damage says so.
    assert_eq!(made.origin, JournalOrigin::Adopted);
    assert_eq!(*made.journal.id(), id);
    let failed = {
        use ports::journal::JournalReader as _;
        made.journal.page(&id, None, 10).await.unwrap_err()
    };
    let cause = failed.source.unwrap().to_string();
    assert!(
        cause.contains("000001.entries is damaged at byte"),
        "{cause}"
    );
}

async fn open_and_use(root: &std::path::Path) -> FileJournal {
    let journal = open_nth(root, 5);
    confirmed(&journal, 3..=3).await;
    journal
}
