//! Removing old segments, and what stays of them.

use super::{all, confirmed, file, open, ring, sending, standings, start};
use crate::{FileJournal, JournalOptions, Start};
use domain::time::Timestamp;
use ports::journal::{
    AttemptJournal as _, EntryId, JournalReader as _, JournalRetention as _, JournalStanding,
    SegmentNumber,
};
use std::path::Path;
use std::time::Duration;
use testkit::builders::START;

/// A journal with a new segment for each two entries.
fn small(root: &Path, bytes_max: u64) -> FileJournal {
    let ring = ring();
    let options = JournalOptions {
        segment_bytes_max: 1500,
        keep: Duration::from_hours(24),
        bytes_max,
    };
    let start = Start {
        options,
        ..start(&ring)
    };
    FileJournal::open(root, &start).unwrap().journal
}

fn days(count: u64) -> Timestamp {
    START.plus(Duration::from_hours(24 * count))
}

#[tokio::test]
async fn a_segment_goes_when_it_is_old_or_the_journal_is_large_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let journal = small(folder.path(), u64::MAX);
    confirmed(&journal, 1..=9).await;
    assert_eq!(journal.oldest_segment(days(1)).await.unwrap(), None);
    let old = journal.oldest_segment(days(2)).await.unwrap().unwrap();
    assert_eq!(old.segment, SegmentNumber(1));
    assert_eq!(old.entries[0].reference.as_str(), "order-1");
    drop(journal);
    let journal = small(folder.path(), 4000);
    let large = journal.oldest_segment(START).await.unwrap().unwrap();
    assert_eq!(large, old);
}

#[tokio::test]
async fn a_removed_segment_leaves_a_checkpoint_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let journal = small(folder.path(), 0);
    confirmed(&journal, 1..=9).await;
    let second = journal.remove_segment(SegmentNumber(2), START).await;
    assert!(second.is_err(), "it is not the oldest");
    let oldest = journal.oldest_segment(START).await.unwrap().unwrap();
    let removed = oldest.entries.len();
    journal
        .remove_segment(oldest.segment, days(3))
        .await
        .unwrap();
    assert!(!file(folder.path(), &journal, "000001.entries").exists());
    assert!(!file(folder.path(), &journal, "000001.marks").exists());
    let checkpoints = journal.checkpoints(journal.id()).await.unwrap();
    let [checkpoint] = checkpoints.as_slice() else {
        panic!("{checkpoints:?}");
    };
    assert_eq!(
        (checkpoint.segment, checkpoint.removed_at),
        (SegmentNumber(1), days(3))
    );
    assert_eq!(checkpoint.newest.as_ref(), oldest.entries.last());
    assert_eq!(
        checkpoint.last_entry,
        oldest.entries.last().map(|it| it.entry)
    );
    assert_eq!(all(&journal).await.len(), 9 - removed);
    let gone = journal.transaction(journal.id(), EntryId(1)).await;
    assert!(gone.is_err());
    drop(journal);
    let journal = open(folder.path());
    assert_eq!(all(&journal).await.len(), 9 - removed);
    assert_eq!(confirmed(&journal, 10..=10).await, [EntryId(10)]);
}

#[tokio::test]
async fn the_segment_that_is_written_to_stays() {
    let folder = tempfile::tempdir().unwrap();
    let journal = small(folder.path(), 0);
    confirmed(&journal, 1..=1).await;
    assert_eq!(journal.oldest_segment(days(99)).await.unwrap(), None);
    assert!(
        journal
            .remove_segment(SegmentNumber(1), START)
            .await
            .is_err()
    );
    drop(journal);
    // All of it may go once it is another process's; the numbers go on.
    let journal = small(folder.path(), 0);
    confirmed(&journal, 2..=2).await;
    journal
        .remove_segment(SegmentNumber(1), START)
        .await
        .unwrap();
    drop(journal);
    let journal = small(folder.path(), 0);
    journal
        .remove_segment(SegmentNumber(2), START)
        .await
        .unwrap();
    drop(journal);
    let journal = small(folder.path(), 0);
    assert_eq!(confirmed(&journal, 3..=3).await, [EntryId(3)]);
    assert!(file(folder.path(), &journal, "000003.entries").exists());
    assert_eq!(all(&journal).await.len(), 1);
}

#[tokio::test]
async fn entries_still_under_way_are_questions_before_their_segment_goes() {
    let folder = tempfile::tempdir().unwrap();
    let journal = small(folder.path(), 0);
    journal.append(&sending(1)).await.unwrap();
    let refused = journal.append(&sending(2)).await.unwrap();
    journal.void(refused);
    confirmed(&journal, 3..=5).await;
    let oldest = journal.oldest_segment(START).await.unwrap().unwrap();
    assert_eq!(
        standings(&oldest.entries)[0],
        ("order-1", JournalStanding::Unknown)
    );
    assert!(
        standings(&oldest.entries)
            .iter()
            .all(|(it, _)| *it != "order-2")
    );
}

#[tokio::test]
async fn a_torn_line_of_the_checkpoints_is_passed_over_and_a_changed_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let journal = small(folder.path(), 0);
    confirmed(&journal, 1..=9).await;
    journal
        .remove_segment(SegmentNumber(1), START)
        .await
        .unwrap();
    let path = file(folder.path(), &journal, "checkpoint");
    let line = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{line}{}", &line[..30])).unwrap();
    assert_eq!(journal.checkpoints(journal.id()).await.unwrap().len(), 1);
    journal
        .remove_segment(SegmentNumber(2), START)
        .await
        .unwrap();
    let both = journal.checkpoints(journal.id()).await.unwrap();
    assert_eq!(
        both.iter().map(|it| it.segment.0).collect::<Vec<_>>(),
        [1, 2]
    );
    std::fs::write(&path, line.replace("order-", "other-")).unwrap();
    assert!(journal.checkpoints(journal.id()).await.is_err());
}
