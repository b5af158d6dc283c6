//! What a crash may leave behind: every way a segment can be cut or torn.

use super::{all, confirmed, file, open, sending, standings};
use crate::folder::ENTRIES;
use crate::frame;
use ports::journal::{AttemptJournal as _, EntryId, JournalReader as _, JournalStanding};
use std::fs;
use std::path::{Path, PathBuf};

/// A journal of these entries in one segment, and where each of its frames ends.
async fn written(root: &Path, count: u64) -> (PathBuf, Vec<usize>) {
    let journal = open(root);
    for n in 1..=count {
        journal.append(&sending(n)).await.unwrap();
    }
    let path = file(root, &journal, &format!("000001.{ENTRIES}"));
    let ends = ends(&fs::read(&path).unwrap());
    (path, ends)
}

/// Where each frame ends that bytes begin with.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut end = 0;
    while let Some(content) = frame::read(&bytes[end..]) {
        end += usize::try_from(frame::length(content.len())).unwrap();
        ends.push(end);
    }
    ends
}

/// A segment without the zeros behind its last frame.
pub(super) fn stored(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    bytes.truncate(*ends(&bytes).last().unwrap());
    bytes
}

#[tokio::test]
async fn a_segment_cut_at_any_byte_gives_back_every_complete_entry_and_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (path, frames_end) = written(folder.path(), 3).await;
    let whole = stored(&path);
    let name = path.parent().unwrap().file_name().unwrap();
    let complete = |cut: usize| {
        let frames = frames_end.iter().filter(|end| **end <= cut);
        frames.count().saturating_sub(1)
    };
    for cut in 0..=whole.len() {
        let read = crate::segment::Segment::read(&path, &whole[..cut], 0).unwrap();
        let entries = read.map_or(0, |segment| segment.entries.len());
        assert_eq!(entries, complete(cut), "cut at {cut}");
        // What was not written yet is zeros.
        let mut zeroed = whole[..cut].to_vec();
        zeroed.resize(whole.len() + 100, 0);
        let read = crate::segment::Segment::read(&path, &zeroed, 0).unwrap();
        let entries = read.map_or(0, |segment| segment.entries.len());
        let frames = ends(&zeroed).len();
        assert_eq!(entries, frames.saturating_sub(1), "zeros from {cut} on");
    }
    for cut in frames_end.iter().flat_map(|end| [end / 2, end - 1, *end]) {
        let crashed = tempfile::tempdir().unwrap();
        let journal = crashed.path().join(name);
        fs::create_dir(&journal).unwrap();
        fs::write(journal.join("000001.entries"), &whole[..cut]).unwrap();
        fs::write(journal.join("000001.marks"), []).unwrap();
        let reopened = open(crashed.path());
        assert_eq!(reopened.id().0.as_str(), name.to_str().unwrap());
        let page = all(&reopened).await;
        assert_eq!(page.len(), complete(cut), "cut at {cut}");
        assert!(
            page.iter()
                .all(|it| it.standing == JournalStanding::NeverSent)
        );
        // What comes next is in a segment of its own, and everything is read by the process after.
        let next = confirmed(&reopened, 9..=9).await;
        assert_eq!(next, [EntryId(u64::try_from(complete(cut)).unwrap() + 1)]);
        drop(reopened);
        assert_eq!(all(&open(crashed.path())).await.len(), complete(cut) + 1);
    }
}

#[tokio::test]
async fn damage_before_the_last_entries_is_named_with_its_file_and_offset() {
    let folder = tempfile::tempdir().unwrap();
    let (path, ends) = written(folder.path(), 3).await;
    let whole = stored(&path);
    // The header and the first two entries were durable before the third was written.
    for (begin, end) in [(0, ends[0]), (ends[0], ends[1]), (ends[1], ends[2])] {
        for at in (begin..end).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x40;
            let read = crate::segment::Segment::read(&path, &bytes, 0);
            let error = read.unwrap_err().to_string();
            let offset = format!("000001.entries is damaged at byte {begin}:");
            assert!(error.contains(&offset), "{at}: {error}");
        }
    }
    // Of the last entry nothing says whether it was durable, until a segment after it does.
    let mut bytes = whole.clone();
    bytes[ends[2] + 20] ^= 0x40;
    let torn = crate::segment::Segment::read(&path, &bytes, 0)
        .unwrap()
        .unwrap();
    assert_eq!(torn.entries.len(), 2);
    let durable = u64::try_from(whole.len()).unwrap();
    assert!(crate::segment::Segment::read(&path, &bytes, durable).is_err());
    assert!(crate::segment::Segment::read(&path, &whole[..ends[2]], durable).is_err());
}

#[tokio::test]
async fn a_closed_segment_that_was_cut_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let (path, ends) = written(folder.path(), 3).await;
    let journal = open(folder.path());
    confirmed(&journal, 4..=4).await;
    let whole = stored(&path);
    fs::write(&path, &whole[..ends[2]]).unwrap();
    assert!(journal.page(journal.id(), None, 10).await.is_err());
    fs::remove_file(&path).unwrap();
    let missing = journal.page(journal.id(), None, 10).await.unwrap_err();
    let cause = missing.source.unwrap().to_string();
    assert!(
        cause.ends_with("000001.entries is damaged at byte 0: it is missing"),
        "{cause}"
    );
}

#[tokio::test]
async fn a_confirmed_entry_that_is_missing_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    confirmed(&journal, 1..=2).await;
    let path = file(folder.path(), &journal, "000001.entries");
    drop(journal);
    let whole = stored(&path);
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let journal = open(folder.path());
    let failed = journal.page(journal.id(), None, 10).await.unwrap_err();
    let cause = failed.source.unwrap().to_string();
    assert!(
        cause.ends_with("an entry that was confirmed is missing"),
        "{cause}"
    );
}

#[tokio::test]
async fn a_torn_batch_of_which_a_later_part_survived_is_a_torn_end() {
    let folder = tempfile::tempdir().unwrap();
    let (path, ends) = written(folder.path(), 1).await;
    let whole = stored(&path);
    // Two more entries of one batch, the first of them lost.
    let content = frame::read(&whole[ends[0]..]).unwrap();
    let (clear, _, sealed) = frame::Clear::decode(content).unwrap();
    let mut bytes = whole.clone();
    bytes.extend([0; 40]);
    let third = frame::Clear {
        entry: 3,
        durable: u64::try_from(whole.len()).unwrap(),
        ..clear
    };
    let mut content = third.encode();
    content.extend(sealed);
    frame::write(&mut bytes, &content);
    fs::write(&path, &bytes).unwrap();
    let page = all(&open(folder.path())).await;
    assert_eq!(standings(&page), [("order-1", JournalStanding::NeverSent)]);
}
