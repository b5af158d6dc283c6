//! Writing: what is acknowledged together, and what a disk that fails costs.

use super::disks::{DiskState, FaultyDisk};
use super::{all, confirmed, file, open, ring, sending, standings, start};
use crate::writer::{BATCH_MAX, QUEUE_MAX};
use crate::{FileJournal, JournalOptions, Start};
use domain::transaction::Transaction;
use ports::journal::{AttemptJournal as _, EntryId, JournalStanding};
use ports::{CommitState, PortErrorKind};
use std::fs;
use std::future::poll_fn;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use testkit::builders::{airtime, apply, delivered};

fn faulty(root: &Path, options: JournalOptions) -> (FileJournal, Arc<DiskState>) {
    let disk = FaultyDisk::default();
    let state = Arc::clone(&disk.state);
    let ring = ring();
    let start = Start {
        options,
        ..start(&ring)
    };
    let journal = FileJournal::open_on(Arc::new(disk), root, &start).unwrap();
    (journal.journal, state)
}

type Append<'a> = Pin<Box<dyn Future<Output = Result<EntryId, ports::PortError>> + 'a>>;
type Answer = Result<EntryId, ports::PortError>;

/// Hands so many transactions over; the answers of those that were refused at once come with those
/// that are waited for.
async fn appending(journal: &FileJournal, count: u64) -> (Vec<Answer>, Vec<Append<'_>>) {
    let mut answered = Vec::new();
    let mut waiting = Vec::new();
    for n in 1..=count {
        let mut append: Append<'_> = Box::pin(async move { journal.append(&sending(n)).await });
        match poll_fn(|context| Poll::Ready(append.as_mut().poll(context))).await {
            Poll::Ready(answer) => answered.push(answer),
            Poll::Pending => waiting.push(append),
        }
    }
    (answered, waiting)
}

#[tokio::test]
async fn callers_that_wait_together_share_one_sync() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, state) = faulty(folder.path(), JournalOptions::default());
    journal.append(&sending(1000)).await.unwrap();
    let before = state.syncs.load(Ordering::SeqCst);
    state.gate.close();
    let (refused, waiting) = appending(&journal, 300).await;
    assert!(refused.is_empty());
    state.gate.open();
    for append in waiting {
        append.await.unwrap();
    }
    // One for those the writer took at once, one for all that came while it waited.
    let syncs = state.syncs.load(Ordering::SeqCst) - before;
    assert!(syncs <= 2, "{syncs}");
    const { assert!(BATCH_MAX >= 300) };
}

#[tokio::test]
async fn a_full_queue_refuses_at_once_with_nothing_done() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, state) = faulty(folder.path(), JournalOptions::default());
    journal.append(&sending(1)).await.unwrap();
    state.gate.close();
    let count = u64::try_from(QUEUE_MAX + BATCH_MAX + 10).unwrap();
    let (refused, waiting) = appending(&journal, count).await;
    state.gate.open();
    for append in waiting {
        append.await.unwrap();
    }
    assert!(refused.len() >= 10, "{}", refused.len());
    for answer in refused {
        let error = answer.unwrap_err();
        assert_eq!(
            (error.trouble, error.effect),
            (PortErrorKind::Busy, CommitState::Nothing)
        );
    }
}

#[tokio::test]
async fn after_a_failed_sync_another_segment_is_begun_and_nothing_failed_is_acknowledged() {
    for fault in ["sync", "write"] {
        let folder = tempfile::tempdir().unwrap();
        let (journal, state) = faulty(folder.path(), JournalOptions::default());
        let kept = confirmed(&journal, 1..=2).await;
        match fault {
            "sync" => state.failing_syncs.store(1, Ordering::SeqCst),
            _ => state.failing_writes.store(1, Ordering::SeqCst),
        }
        let failed = journal.append(&sending(3)).await.unwrap_err();
        assert_eq!(failed.effect, CommitState::Unknown);
        assert!(failed.what.contains("may not be durable"), "{failed}");
        let after = confirmed(&journal, 4..=4).await;
        assert!(after > kept);
        assert!(file(folder.path(), &journal, "000002.entries").exists());
        let expected = ["order-4", "order-2", "order-1"].map(|it| (it, JournalStanding::Confirmed));
        assert_eq!(standings(&all(&journal).await), expected, "{fault}");
        drop(journal);
        // The failed entry was voided: it is no question for the next process.
        assert_eq!(
            standings(&all(&open(folder.path())).await),
            expected,
            "{fault}"
        );
    }
}

#[tokio::test]
async fn a_segment_that_cannot_be_begun_fails_its_callers_only() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, state) = faulty(folder.path(), JournalOptions::default());
    state.failing_syncs.store(1, Ordering::SeqCst);
    let failed = journal.append(&sending(1)).await.unwrap_err();
    assert_eq!(failed.effect, CommitState::Nothing);
    assert_eq!(confirmed(&journal, 2..=2).await, [EntryId(1)]);
    drop(journal);
    let page = all(&open(folder.path())).await;
    assert_eq!(standings(&page), [("order-2", JournalStanding::Confirmed)]);
}

#[tokio::test]
async fn a_disk_that_goes_on_failing_does_not_fill_up_with_segments() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, state) = faulty(folder.path(), JournalOptions::default());
    confirmed(&journal, 1..=2).await;
    // Every other sync is that of a new segment's header, which fails as well.
    for n in 3..=20 {
        state.failing_syncs.store(1, Ordering::SeqCst);
        state
            .failing_writes
            .store(u32::from(n % 2 == 0), Ordering::SeqCst);
        journal.append(&sending(n)).await.unwrap_err();
    }
    state.failing_syncs.store(0, Ordering::SeqCst);
    confirmed(&journal, 21..=21).await;
    let files = fs::read_dir(folder.path().join(&journal.id().0)).unwrap();
    assert_eq!(
        files.count(),
        6,
        "two segments with their marks, and two files more"
    );
    drop(journal);
    let page = all(&open(folder.path())).await;
    let expected = ["order-21", "order-2", "order-1"].map(|it| (it, JournalStanding::Confirmed));
    assert_eq!(standings(&page), expected);
}

#[tokio::test]
async fn segments_are_begun_anew_at_their_size_and_read_as_one_journal() {
    let folder = tempfile::tempdir().unwrap();
    let options = JournalOptions {
        segment_bytes_max: 1500,
        ..JournalOptions::default()
    };
    let (journal, _) = faulty(folder.path(), options);
    // The first of more than eight segments is confirmed last.
    let late = journal.append(&sending(100)).await.unwrap();
    confirmed(&journal, 1..=30).await;
    journal.confirm(late).unwrap();
    assert!(file(folder.path(), &journal, "000012.entries").exists());
    drop(journal);
    let page = all(&open(folder.path())).await;
    let numbers: Vec<_> = page.iter().map(|it| it.entry.0).collect();
    assert_eq!(numbers, (1..=31).rev().collect::<Vec<_>>());
    assert!(
        page.iter()
            .all(|it| it.standing == JournalStanding::Confirmed)
    );
}

#[tokio::test]
async fn files_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("journals");
    let journal = open(&root);
    confirmed(&journal, 1..=1).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let of_journal = root.join(&journal.id().0);
    assert_eq!((mode(&root), mode(&of_journal)), (0o700, 0o700));
    let mut files: Vec<_> = fs::read_dir(of_journal).unwrap().flatten().collect();
    files.sort_by_key(fs::DirEntry::file_name);
    let names: Vec<_> = files.iter().map(fs::DirEntry::file_name).collect();
    assert_eq!(
        names,
        ["000001.entries", "000001.marks", "identity", "lock"]
    );
    assert!(files.iter().all(|file| mode(&file.path()) == 0o600));
}

#[tokio::test]
async fn only_what_is_about_to_be_sent_is_appended() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    let opening = airtime().opening();
    let opened = opening.transaction;
    let step = apply(&opened, &delivered(&opened), opening.due_at);
    let done: Transaction = step.unwrap().transaction;
    let refused = journal.append(&done).await.unwrap_err();
    assert_eq!(refused.effect, CommitState::Nothing);
}

#[tokio::test]
async fn an_unknown_entry_is_not_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    assert!(journal.confirm(EntryId(1)).is_err());
    confirmed(&journal, 1..=1).await;
    drop(journal);
    let journal = open(folder.path());
    confirmed(&journal, 2..=2).await;
    assert!(journal.confirm(EntryId(1)).is_err());
}
