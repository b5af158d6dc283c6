//! Going through the segments of a journal, newest first. A segment that is missing or cut short
//! must be noticed.

use crate::JournalError;
use crate::checkpoint;
use crate::folder::{ENTRIES, JournalFolder};
use crate::header::{self, Header};
use std::fs::File;
use std::io::Read as _;

/// Goes from the newest segment to the oldest.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    folder: &'a JournalFolder,
    /// Those not visited yet, oldest first.
    left: Vec<u32>,
    /// The segment that must come, and how many bytes of it are durable.
    expected: Option<(u32, u64)>,
}

/// One segment.
#[derive(Debug)]
pub(crate) struct WalkStep {
    pub(crate) segment: u32,
    pub(crate) header: Header,
    /// How many of its bytes are durable, as the segment after it says.
    pub(crate) durable: u64,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(folder: &'a JournalFolder) -> Result<Self, JournalError> {
        Ok(Self {
            folder,
            left: folder.segments()?,
            expected: None,
        })
    }

    /// The next older segment.
    pub(crate) fn step(&mut self) -> Result<Option<WalkStep>, JournalError> {
        while let Some(segment) = self.left.pop() {
            if let Some((missing, _)) = self.expected.filter(|(number, _)| *number > segment) {
                return Err(self.missing(missing));
            }
            let expected = self.expected.filter(|(number, _)| *number == segment);
            let durable = expected.map_or(0, |(_, durable)| durable);
            if let Some(header) = self.header(segment, durable)? {
                self.expected = Some((header.previous_segment, header.previous_durable));
                return Ok(Some(WalkStep {
                    segment,
                    header,
                    durable,
                }));
            }
        }
        self.begins_where_it_should()?;
        Ok(None)
    }

    /// The header of a segment; none where the segment was never in use.
    fn header(&self, segment: u32, durable: u64) -> Result<Option<Header>, JournalError> {
        let path = self.folder.file(segment, ENTRIES);
        let mut start = Vec::new();
        let file = File::open(&path).map_err(JournalError::io(&path, "opened"))?;
        let limit = u64::try_from(header::BYTES_MAX).unwrap_or(u64::MAX);
        let read = file.take(limit).read_to_end(&mut start);
        read.map_err(JournalError::io(&path, "read"))?;
        match Header::read(&start) {
            Some((header, _)) if header.segment == segment && self.is_ours(&header) => {
                Ok(Some(header))
            }
            Some(_) => Err(JournalError::damaged(&path, 0, "it is another segment")),
            None if durable == 0 => Ok(None),
            None => Err(JournalError::damaged(&path, 0, "its header cannot be read")),
        }
    }

    fn is_ours(&self, header: &Header) -> bool {
        self.folder.id_bytes().is_ok_and(|id| id == header.journal)
    }

    /// The oldest segment that is there is the first, or follows one that was removed on purpose.
    fn begins_where_it_should(&mut self) -> Result<(), JournalError> {
        match self.expected.take() {
            None | Some((0, _)) => Ok(()),
            Some((before, _)) => {
                let removed = checkpoint::read(self.folder)?;
                let is_removed = removed.iter().any(|it| it.segment >= before);
                is_removed.then_some(()).ok_or_else(|| self.missing(before))
            }
        }
    }

    fn missing(&self, segment: u32) -> JournalError {
        let path = self.folder.file(segment, ENTRIES);
        JournalError::damaged(&path, 0, "it is missing")
    }
}
