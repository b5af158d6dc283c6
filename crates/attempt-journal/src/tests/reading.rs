//! Reading: what is said of entries without marks, paging, keys that are gone.

use super::{
    NEXT_BOOT, all, confirmed, file, open, open_on_next_boot, opened, ring, sending, standings,
    start,
};
use crate::Start;
use key_ring::KeyRing;
use ports::journal::{AttemptJournal as _, EntryId, JournalReader as _, JournalStanding};
use std::error::Error as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Appends a confirmed entry, a voided one and one without a mark.
async fn of_each(root: &Path) {
    let journal = open(root);
    confirmed(&journal, 1..=1).await;
    let refused = journal.append(&sending(2)).await.unwrap();
    journal.void(refused);
    journal.append(&sending(3)).await.unwrap();
    // Of what is still under way nothing is said.
    let known = all(&journal).await;
    assert_eq!(standings(&known), [("order-1", JournalStanding::Confirmed)]);
}

#[tokio::test]
async fn an_entry_without_a_mark_was_not_sent_on_this_boot_and_is_unknown_after_another() {
    let folder = tempfile::tempdir().unwrap();
    of_each(folder.path()).await;
    let same = all(&open(folder.path())).await;
    let confirmed = ("order-1", JournalStanding::Confirmed);
    assert_eq!(
        standings(&same),
        [("order-3", JournalStanding::NeverSent), confirmed]
    );
    let next = all(&open_on_next_boot(folder.path())).await;
    assert_eq!(
        standings(&next),
        [("order-3", JournalStanding::Unknown), confirmed]
    );
}

#[tokio::test]
async fn where_boots_have_no_names_every_boot_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let ring = ring();
    let nameless = Start {
        boot_id: " \n".to_owned(),
        ..start(&ring)
    };
    let journal = opened(folder.path(), &nameless).journal;
    journal.append(&sending(1)).await.unwrap();
    drop(journal);
    let page = all(&opened(folder.path(), &nameless).journal).await;
    assert_eq!(standings(&page), [("order-1", JournalStanding::Unknown)]);
}

#[tokio::test]
async fn marks_that_cannot_be_read_leave_entries_unknown() {
    for damage in ["cut", "zeroed", "removed", "split"] {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path());
        confirmed(&journal, 1..=2).await;
        let marks = file(folder.path(), &journal, "000001.marks");
        drop(journal);
        let mut bytes = fs::read(&marks).unwrap();
        let mut second = JournalStanding::Unknown;
        match damage {
            "cut" => bytes.truncate(17),
            "zeroed" => bytes[16..].fill(0),
            "removed" => {}
            // A mark that was written in part and one behind it.
            _ => {
                second = JournalStanding::Confirmed;
                bytes.splice(16..16, [1, 2, 3]);
            }
        }
        fs::write(&marks, bytes).unwrap();
        let mut first = JournalStanding::Confirmed;
        if damage == "removed" {
            fs::remove_file(&marks).unwrap();
            first = JournalStanding::Unknown;
        }
        let page = all(&open(folder.path())).await;
        let expected = [("order-2", second), ("order-1", first)];
        assert_eq!(standings(&page), expected, "{damage}");
    }
}

#[tokio::test]
async fn a_confirmation_is_never_undone() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    let entry = confirmed(&journal, 1..=1).await[0];
    journal.void(entry);
    let page = all(&journal).await;
    assert_eq!(standings(&page), [("order-1", JournalStanding::Confirmed)]);
}

#[tokio::test]
async fn pages_follow_one_another_without_gap_or_overlap() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..4 {
        let journal = open(folder.path());
        confirmed(&journal, round * 7 + 1..=round * 7 + 7).await;
    }
    let journal = open(folder.path());
    for limit in [1, 3, 7, 28] {
        let mut before = None;
        let mut seen = Vec::new();
        loop {
            let page = journal.page(journal.id(), before, limit).await.unwrap();
            seen.extend(page.iter().map(|it| it.entry.0));
            if page.len() < limit {
                break;
            }
            before = page.last().map(|it| it.entry);
        }
        assert_eq!(seen, (1..=28).rev().collect::<Vec<_>>(), "{limit}");
    }
}

#[tokio::test]
async fn without_its_key_an_entry_is_listed_and_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    confirmed(&journal, 1..=1).await;
    drop(journal);
    let without: KeyRing = format!("2 {}", "ab".repeat(32)).parse().unwrap();
    let journal = opened(folder.path(), &start(&without)).journal;
    assert_eq!(all(&journal).await.len(), 1);
    let failed = journal
        .transaction(journal.id(), EntryId(1))
        .await
        .unwrap_err();
    let mut causes = std::iter::successors(failed.source(), |it| (*it).source());
    let missing = causes.any(|it| it.to_string() == "generation 1 is not in the key ring");
    assert!(missing, "{failed:?}");
    // With a rotated ring both are opened.
    confirmed(&journal, 2..=2).await;
    drop(journal);
    let both = ring().rotated([0xab; 32], "").unwrap();
    let journal = opened(folder.path(), &start(&both)).journal;
    for n in 1..=2 {
        let read = journal.transaction(journal.id(), EntryId(n)).await.unwrap();
        assert_eq!(read, sending(n));
    }
}

#[tokio::test]
async fn an_entry_that_was_changed_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    confirmed(&journal, 1..=1).await;
    let entries = file(folder.path(), &journal, "000001.entries");
    drop(journal);
    // Another account in the clear part, with checksums that match.
    let bytes = fs::read(&entries).unwrap();
    let header = crate::frame::read(&bytes).unwrap();
    let behind = usize::try_from(crate::frame::length(header.len())).unwrap();
    let content = crate::frame::read(&bytes[behind..]).unwrap();
    let mut forged = content.to_vec();
    let at = forged.windows(4).position(|it| it == b"shop").unwrap();
    forged[at..at + 4].copy_from_slice(b"mine");
    let mut rewritten = bytes[..behind].to_vec();
    crate::frame::write(&mut rewritten, &forged);
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).truncate(true).open(&entries).unwrap();
    file.write_all(&rewritten).unwrap();
    let journal = open(folder.path());
    assert_eq!(all(&journal).await[0].account.as_str(), "mine");
    assert!(journal.transaction(journal.id(), EntryId(1)).await.is_err());
}

#[tokio::test]
async fn the_journals_of_others_are_read_while_no_process_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let ring = ring();
    let another = || Start {
        random: [2; 32],
        boot_id: NEXT_BOOT.to_owned(),
        ..start(&ring)
    };
    let first = open(folder.path());
    let second = opened(folder.path(), &another()).journal;
    confirmed(&first, 1..=1).await;
    confirmed(&second, 2..=2).await;
    assert_eq!(first.journals().await.unwrap(), [first.id().clone()]);
    let in_use = first.page(second.id(), None, 10).await.unwrap_err();
    assert_eq!(in_use.trouble, ports::PortErrorKind::Busy);
    let of_second = second.id().clone();
    drop(second);
    let both = [first.id().clone(), of_second.clone()];
    assert_eq!(first.journals().await.unwrap(), both);
    let page = first.page(&of_second, None, 10).await.unwrap();
    assert_eq!(standings(&page), [("order-2", JournalStanding::Confirmed)]);
    let read = first.transaction(&of_second, page[0].entry).await.unwrap();
    assert_eq!(read, sending(2));
}
