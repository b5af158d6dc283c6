//! Reading a book from its beginning. A damaged line must only be forgiven at the very end, where a
//! crash leaves a torn one.

use super::entry::BookEntry;
use super::line::{self, LINE_BYTES_MAX};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// The first line of every book: what it is, and how its lines are to be read.
pub(crate) const HEADER: &[u8] = b"manilla sandbox book 1\n";

/// How much is read at a time: large books are read at every start.
const BUFFER_BYTES: usize = 256 * 1024;

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("the book of the sandbox cannot be read")]
    Io(#[from] io::Error),
    #[error("this file is not a book of the sandbox, or one of another version")]
    Foreign,
    #[error("the book is damaged at byte {offset}, before its end; put a good copy in its place")]
    Damaged { offset: u64 },
}

/// Hands over every entry with its place and returns where the good lines end. A file that ends
/// within its header has no good line.
pub(crate) fn scan(
    mut file: &File,
    mut found: impl FnMut(u64, BookEntry),
) -> Result<u64, ReadError> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, file);
    let mut bytes = Vec::with_capacity(LINE_BYTES_MAX);
    next_line(&mut reader, &mut bytes)?;
    if bytes != HEADER {
        return if HEADER.starts_with(&bytes) {
            Ok(0)
        } else {
            Err(ReadError::Foreign)
        };
    }
    let mut offset = HEADER.len() as u64;
    loop {
        let length = next_line(&mut reader, &mut bytes)?;
        if length == 0 {
            return Ok(offset);
        }
        match bytes.strip_suffix(b"\n").and_then(line::decode) {
            Some(entry) => found(offset, entry),
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
