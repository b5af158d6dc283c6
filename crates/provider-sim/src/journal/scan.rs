//! Reading a journal, whole or what was added to it. A damaged line must only be forgiven at the
//! very end, where a crash leaves a torn one.

use super::codec::{self, JournalLine, LINE_BYTES_MAX};
use super::lock::{Hold, JournalLock};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// The first line of every journal: what it is, and how its lines are to be read.
pub(super) const HEADER: &[u8] = b"manilla sandbox journal 1\n";

/// How much is read at a time: large journals are read at every start.
const BUFFER_BYTES: usize = 256 * 1024;

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("the journal of the sandbox cannot be read")]
    Io(#[from] io::Error),
    #[error("this file is not a journal of the sandbox, or one of another version")]
    Foreign,
    #[error(
        "the journal is damaged at byte {offset}, before its end; put a good copy in its place"
    )]
    Damaged { offset: u64 },
}

/// A part of a file. It ends where the file ended when its length was read, so a line that is
/// being appended is not half read.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    file: &'a File,
    part: Range<u64>,
}

impl<'a> Stretch<'a> {
    pub(super) const fn new(file: &'a File, part: Range<u64>) -> Self {
        Self { file, part }
    }

    fn left(&self) -> usize {
        let left = self.part.end.saturating_sub(self.part.start);
        usize::try_from(left).unwrap_or(usize::MAX)
    }
}

impl Read for Stretch<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = self.left().min(into.len());
        let into = into.get_mut(..most).unwrap_or_default();
        let length = self.file.read_at(into, self.part.start)?;
        self.part.start = self.part.start.saturating_add(length as u64);
        Ok(length)
    }
}

/// Passes every line of the journal with its offset to `found` and returns where the good lines
/// end. Others may write meanwhile. While one of them replaces a torn line, a reader may see some
/// of both lines; so a line is reported as damaged only after a second read without writers.
pub(super) fn scan_beside_writers(
    file: &File,
    mut found: impl FnMut(u64, JournalLine),
) -> Result<u64, ReadError> {
    let length = file.metadata()?.len();
    let (doubted, error) = match scan(Stretch::new(file, 0..length), &mut found) {
        Ok(end) => return Ok(end),
        Err(ReadError::Io(error)) => return Err(error.into()),
        Err(error @ ReadError::Foreign) => (0, error),
        Err(error @ ReadError::Damaged { offset }) => (offset, error),
    };
    let Some(_held) = JournalLock::soon(file, Hold::Together, ())? else {
        return Err(error);
    };
    let length = file.metadata()?.len();
    scan(Stretch::new(file, doubted..length), found)
}

/// Hands over every line of a part of the journal that begins where a line begins, and returns
/// where the good lines of it end. A file that ends within its header has no good line.
pub(super) fn scan(
    stretch: Stretch<'_>,
    mut found: impl FnMut(u64, JournalLine),
) -> Result<u64, ReadError> {
    let mut offset = stretch.part.start;
    let mut reader = BufReader::with_capacity(stretch.left().min(BUFFER_BYTES), stretch);
    let mut bytes = Vec::with_capacity(LINE_BYTES_MAX);
    if offset == 0 {
        offset = next_line(&mut reader, &mut bytes)?;
        if bytes != HEADER {
            return if HEADER.starts_with(&bytes) {
                Ok(0)
            } else {
                Err(ReadError::Foreign)
            };
        }
    }
    loop {
        let length = next_line(&mut reader, &mut bytes)?;
        if length == 0 {
            return Ok(offset);
        }
        match bytes.strip_suffix(b"\n").and_then(codec::decode) {
            Some(line) => found(offset, line),
            None if is_last_line(&mut reader)? => return Ok(offset),
            None => return Err(ReadError::Damaged { offset }),
        }
        offset = offset.saturating_add(length);
    }
}

/// Reads up to and with the next line feed, but never more than a line can have.
fn next_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<u64> {
    bytes.clear();
    let length = reader
        .take(LINE_BYTES_MAX as u64)
        .read_until(b'\n', bytes)?;
    Ok(length as u64)
}

/// Whether no line ends in what is left. A crash of the machine may leave more zeros at the end
/// than a line has bytes.
fn is_last_line(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.contains(&b'\n') {
            return Ok(false);
        }
        let length = bytes.len();
        reader.consume(length);
    }
}
