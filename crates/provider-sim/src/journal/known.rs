//! What one process has read of a journal so far. It must not be asked what is not in the journal
//! before it has caught up with the others who write there, under the lock.

use super::codec::{BadReference, JournalLine};
use super::index::{JournalIndex, SeenAttempt, TakenReference};
use super::scan::{HEADER, ReadError, Stretch, scan, scan_beside_writers};
use super::sequence::Sequence;
use domain::reference::ProviderReference;
use ports::permit::Withheld;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// Most bytes read at once under the lock: some two thousand entries, which take a few
/// milliseconds.
const CATCH_UP_BYTES_MAX: u64 = 256 * 1024;

/// Why the journal could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SandboxJournalError {
    #[error("the journal could not be opened")]
    Open(#[source] io::Error),
    #[error("the lock of the journal could not be taken")]
    Lock(#[source] io::Error),
    #[error("another process does not let go of the journal")]
    Busy,
    #[error("journal read limit reached; retry")]
    Behind,
    #[error("the request came to the journal after its deadline")]
    Late,
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the journal is shorter than it was: it was changed from outside while in use")]
    Shortened,
    #[error("the reference {0} is in the journal twice")]
    Twice(ProviderReference),
    #[error(transparent)]
    Reference(#[from] BadReference),
    #[error(transparent)]
    Withheld(#[from] Withheld),
    #[error("the journal could not be written")]
    Write(#[source] io::Error),
}

/// How the file ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JournalTail {
    /// With a whole line.
    Whole,
    /// Without one: a writer never came to the end of its line, or nothing was written yet.
    Torn,
}

/// What was read.
#[derive(Debug)]
pub(super) struct Known {
    /// Where the good lines end.
    end: u64,
    pub(super) index: JournalIndex,
    pub(super) sequence: Sequence,
}

impl Known {
    /// Reads a journal of any length for the first time, while others may write it.
    pub(super) fn first(file: &File) -> Result<Self, SandboxJournalError> {
        let mut known = Self {
            end: 0,
            index: JournalIndex::new(),
            sequence: Sequence::default(),
        };
        let mut twice = None;
        known.end = scan_beside_writers(file, |offset, line| {
            if let JournalLine::Entry(entry) = &line {
                known.sequence.push(entry, offset);
            }
            if known.index.insert(line.reference(), offset).is_err() {
                twice = Some(line.reference().clone());
            }
        })?;
        known.sequence.sort();
        twice.map_or(Ok(known), |reference| {
            Err(SandboxJournalError::Twice(reference))
        })
    }

    /// How far it was read.
    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    /// Reads what was written since the last time, or so much of it that
    /// [`SandboxJournalError::Behind`] asks to come again for the rest. Needs the lock: without it,
    /// what another is about to write would look torn.
    pub(super) fn catch_up(&mut self, mut file: &File) -> Result<JournalTail, SandboxJournalError> {
        // The cheapest way to learn the length, once for each order. The file position it moves is
        // not used: every read and write names its own offset.
        let length = file.seek(SeekFrom::End(0)).map_err(ReadError::Io)?;
        if length < self.end {
            return Err(SandboxJournalError::Shortened);
        }
        if length == self.end {
            return Ok(self.tail(length));
        }
        let start = self.end;
        let stop = length.min(start.saturating_add(CATCH_UP_BYTES_MAX));
        self.take_in(file, start..stop)?;
        if stop < length && self.end > start {
            return Err(SandboxJournalError::Behind);
        }
        if stop < length {
            // Not even one line: only the end of a journal is ever like that.
            self.take_in(file, start..length)?;
        }
        Ok(self.tail(length))
    }

    /// Cuts a torn tail off, and begins the journal where there is nothing else. Needs the lock.
    pub(super) fn mend(&mut self, file: &File) -> Result<(), SandboxJournalError> {
        file.set_len(self.end).map_err(SandboxJournalError::Write)?;
        if self.end == 0 {
            file.write_all_at(HEADER, 0)
                .map_err(SandboxJournalError::Write)?;
            self.end = HEADER.len() as u64;
        }
        Ok(())
    }

    /// Writes a line at the end. Needs the lock, and a journal that is caught up with and ends
    /// whole. When this fails, the line is not in the journal.
    pub(super) fn append(
        &mut self,
        file: &File,
        line: &JournalLine,
        bytes: &[u8],
    ) -> Result<(), SandboxJournalError> {
        let offset = self.end;
        if let Err(error) = file.write_all_at(bytes, offset) {
            // Where this fails too, the next writer finds a torn tail.
            let _ = file.set_len(offset);
            return Err(SandboxJournalError::Write(error));
        }
        self.end = offset.saturating_add(bytes.len() as u64);
        self.add_line(line, offset)
    }

    fn tail(&self, length: u64) -> JournalTail {
        if self.end == length && length > 0 {
            JournalTail::Whole
        } else {
            JournalTail::Torn
        }
    }

    fn take_in(&mut self, file: &File, part: Range<u64>) -> Result<(), SandboxJournalError> {
        let mut learned = Ok(());
        let end = scan(Stretch::new(file, part), |offset, line| {
            if learned.is_ok() {
                learned = self.add_line(&line, offset);
            }
        })?;
        learned?;
        self.end = end;
        Ok(())
    }

    /// Takes a line in. One that is read again, because what follows it could not be read the
    /// last time, changes nothing.
    fn add_line(&mut self, line: &JournalLine, offset: u64) -> Result<(), SandboxJournalError> {
        match self.index.insert(line.reference(), offset) {
            Ok(SeenAttempt::First) => {
                if let JournalLine::Entry(entry) = line {
                    self.sequence.insert(entry, offset);
                }
                Ok(())
            }
            Ok(SeenAttempt::Again) => Ok(()),
            Err(TakenReference) => Err(SandboxJournalError::Twice(line.reference().clone())),
        }
    }
}
