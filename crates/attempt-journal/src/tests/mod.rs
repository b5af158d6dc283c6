//! Tests of the whole journal, over real files and over disks that fail. Time is set by hand.

mod crash;
mod disks;
mod processes;
mod reading;
mod retention;
mod sharing;
mod writing;

use crate::{FileJournal, JournalOptions, JournalOrigin, OpenedJournal, Start};
use domain::transaction::Transaction;
use key_ring::KeyRing;
use ports::journal::{
    AttemptJournal as _, EntryId, JournalReader as _, JournalStanding, JournalledAttempt,
};
use std::path::{Path, PathBuf};
use testkit::builders::{START, airtime, current_attempt};

/// The boot that tests start on, and the one after it.
const BOOT: &str = "0f53f0a8-4c22-4b1e-9df1-6a1c9a4d2f10";
const NEXT_BOOT: &str = "7d0c2a44-90d5-4f0b-8d2b-2f3f3fd9a0a7";

fn ring() -> KeyRing {
    KeyRing::generate([7; 32], "2026-11-22T10:00:00Z")
}

fn start(ring: &KeyRing) -> Start<'_> {
    Start {
        ring,
        options: JournalOptions::default(),
        boot_id: BOOT.to_owned(),
        random: [1; 32],
        now: START,
    }
}

fn open(root: &Path) -> FileJournal {
    opened(root, &start(&ring())).journal
}

fn open_on_next_boot(root: &Path) -> FileJournal {
    let ring = ring();
    let start = Start {
        boot_id: NEXT_BOOT.to_owned(),
        ..start(&ring)
    };
    opened(root, &start).journal
}

fn opened(root: &Path, start: &Start<'_>) -> OpenedJournal {
    FileJournal::open(root, start).unwrap()
}

/// The `n`th transaction, about to be sent.
fn sending(n: u64) -> Transaction {
    airtime().nth(n).opening().transaction
}

/// Appends the transactions of these numbers and confirms them.
async fn confirmed(journal: &FileJournal, numbers: impl IntoIterator<Item = u64>) -> Vec<EntryId> {
    let mut entries = Vec::new();
    for n in numbers {
        let entry = journal.append(&sending(n)).await.unwrap();
        journal.confirm(entry).unwrap();
        entries.push(entry);
    }
    entries
}

async fn all(journal: &FileJournal) -> Vec<JournalledAttempt> {
    journal.page(journal.id(), None, usize::MAX).await.unwrap()
}

/// The references of entries, with what is known of them.
fn standings(page: &[JournalledAttempt]) -> Vec<(&str, JournalStanding)> {
    let each = page.iter();
    each.map(|it| (it.reference.as_str(), it.standing))
        .collect()
}

/// A file of a journal's segment.
fn file(root: &Path, journal: &FileJournal, name: &str) -> PathBuf {
    root.join(&journal.id().0).join(name)
}

#[tokio::test]
async fn what_was_appended_is_read_back_with_its_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    let entries = confirmed(&journal, 1..=3).await;
    assert_eq!(entries, [EntryId(1), EntryId(2), EntryId(3)]);
    let page = all(&journal).await;
    let newest = &page[0];
    assert_eq!(newest.entry, EntryId(3));
    let tx = sending(3);
    assert_eq!(newest.account, tx.account);
    assert_eq!(newest.reference, tx.reference);
    assert_eq!(newest.provider, *tx.provider());
    assert_eq!(
        newest.provider_reference,
        tx.provider_reference(current_attempt(&tx))
    );
    assert_eq!(
        (newest.attempt, newest.started_at),
        (current_attempt(&tx), START)
    );
    assert_eq!(newest.standing, JournalStanding::Confirmed);
    for (n, entry) in (1..).zip(entries) {
        let read = journal.transaction(journal.id(), entry).await.unwrap();
        assert_eq!(read, sending(n));
    }
    let gone = journal.transaction(journal.id(), EntryId(4)).await;
    assert!(gone.is_err());
}

#[tokio::test]
async fn a_journal_is_continued_by_the_next_process_in_a_new_segment() {
    let folder = tempfile::tempdir().unwrap();
    let ring = ring();
    let first = opened(folder.path(), &start(&ring));
    assert_eq!(first.origin, JournalOrigin::New);
    let id = first.journal.id().clone();
    confirmed(&first.journal, 1..=2).await;
    drop(first);
    let second = opened(folder.path(), &start(&ring));
    assert_eq!(second.origin, JournalOrigin::Adopted);
    assert_eq!(*second.journal.id(), id);
    assert_eq!(confirmed(&second.journal, 3..=3).await, [EntryId(3)]);
    assert_eq!(all(&second.journal).await.len(), 3);
    assert!(file(folder.path(), &second.journal, "000002.entries").exists());
}
