//! Marks: what became of entries after they were appended, sixteen bytes each in a file beside the
//! entries. A mark that cannot be read must leave its entry in doubt, never confirmed or unsent.

use crate::codec::{Decoder, Encoder};
use std::collections::HashMap;

/// The length of a mark.
pub(crate) const BYTES: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum JournalMark {
    Confirmed,
    Voided,
}

impl JournalMark {
    const fn code(self) -> u32 {
        match self {
            Self::Confirmed => u32::from_be_bytes(*b"CNFM"),
            Self::Voided => u32::from_be_bytes(*b"VOID"),
        }
    }

    pub(crate) fn encode(self, entry: u64) -> Vec<u8> {
        let mut encoder = Encoder(Vec::with_capacity(BYTES));
        encoder.u64(entry).u32(self.code());
        let checksum = crc32fast::hash(&encoder.0);
        encoder.u32(checksum);
        encoder.0
    }

    fn decode(bytes: &[u8]) -> Option<(u64, Self)> {
        let content = bytes.get(..BYTES - size_of::<u32>())?;
        let mut decoder = Decoder(bytes);
        let (entry, code, stored) = (decoder.u64()?, decoder.u32()?, decoder.u32()?);
        let mark = [Self::Confirmed, Self::Voided]
            .into_iter()
            .find(|mark| mark.code() == code)?;
        (crc32fast::hash(content) == stored).then_some((entry, mark))
    }
}

/// The marks of a segment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) by_entry: HashMap<u64, JournalMark>,
    /// Whether every byte was of a mark. Where it was not, more marks may have been lost.
    pub(crate) whole: Whole,
}

/// Whether everything could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Whole {
    #[default]
    Yes,
    No,
}

impl Marks {
    pub(crate) fn read(mut bytes: &[u8]) -> Self {
        let mut marks = Self::default();
        while let Some((_, after_one)) = bytes.split_first() {
            if let Some((entry, mark)) = JournalMark::decode(bytes) {
                let kept = marks.by_entry.entry(entry).or_insert(mark);
                // An entry that was confirmed may have been sent, whatever else was noted.
                if mark == JournalMark::Confirmed {
                    *kept = mark;
                }
                bytes = bytes.get(BYTES..).unwrap_or_default();
            } else {
                marks.whole = Whole::No;
                bytes = after_one;
            }
        }
        marks
    }
}
