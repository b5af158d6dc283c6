//! Reading one segment. A torn end must be distinguished from damage: an acknowledged entry is
//! never skipped.

use crate::JournalError;
use crate::codec::long;
use crate::frame::{self, Clear, FrameKind};
use crate::header::Header;
use std::path::Path;

/// Every complete entry of a segment.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) header: Header,
    /// What the key of its entries is derived with.
    pub(crate) context: Vec<u8>,
    /// The entries, numbered from the header's first without a gap.
    pub(crate) entries: Vec<LocatedEntry>,
    /// Where the last complete entry ends.
    pub(crate) length: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocatedEntry {
    pub(crate) about: FrameKind,
    /// Where its frame begins.
    pub(crate) offset: u64,
}

impl Segment {
    /// Reads the bytes of a segment, of which so many are known to be durable. None where not even
    /// its header was made durable.
    pub(crate) fn read(
        path: &Path,
        bytes: &[u8],
        durable: u64,
    ) -> Result<Option<Self>, JournalError> {
        let Some((header, context)) = Header::read(bytes) else {
            return match durable.max(proven(bytes)) {
                0 => Ok(None),
                _ => Err(JournalError::damaged(path, 0, "its header cannot be read")),
            };
        };
        let mut segment = Self {
            context: context.to_vec(),
            entries: Vec::new(),
            length: frame::length(context.len()),
            header,
        };
        while let Some(rest) = usize::try_from(segment.length)
            .ok()
            .and_then(|length| bytes.get(length..))
            .filter(|rest| !rest.is_empty())
        {
            match segment.next(rest) {
                Some((about, length)) => {
                    let offset = segment.length;
                    segment.entries.push(LocatedEntry { about, offset });
                    segment.length = offset.saturating_add(length);
                }
                None if segment.length < durable.max(proven(rest)) => {
                    let what = "an entry that was durable cannot be read";
                    return Err(JournalError::damaged(path, segment.length, what));
                }
                None => return Ok(Some(segment)),
            }
        }
        if segment.length < durable {
            let what = "it ends before its last durable entry";
            return Err(JournalError::damaged(path, segment.length, what));
        }
        Ok(Some(segment))
    }

    /// The entry that bytes begin with, if it is the one that must follow.
    fn next(&self, rest: &[u8]) -> Option<(FrameKind, u64)> {
        let content = frame::read(rest)?;
        let (clear, _, _) = Clear::decode(content)?;
        let is_next = clear.entry == self.next_entry();
        is_next.then(|| (clear.about, frame::length(content.len())))
    }

    /// The number behind its last entry.
    pub(crate) fn next_entry(&self) -> u64 {
        let count = long(self.entries.len());
        self.header.first_entry.saturating_add(count)
    }

    /// The last entry's number; none where there is no entry.
    pub(crate) fn last_entry(&self) -> Option<u64> {
        self.entries.last()?;
        self.next_entry().checked_sub(1)
    }

    /// Entries with their numbers, oldest first.
    pub(crate) fn numbered(&self) -> impl DoubleEndedIterator<Item = (u64, &LocatedEntry)> {
        let first = self.header.first_entry;
        let numbered = self.entries.iter().enumerate();
        numbered.map(move |(index, located)| (first.saturating_add(long(index)), located))
    }
}

/// How many bytes of the segment were durable, as complete frames among these bytes say. Frames of
/// one batch are written together, so a later one may be complete though an earlier one is torn.
fn proven(bytes: &[u8]) -> u64 {
    let entries = frame::search(bytes).filter_map(Clear::decode);
    entries
        .map(|(clear, _, _)| clear.durable)
        .max()
        .unwrap_or(0)
}
