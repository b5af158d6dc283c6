//! The bytes of a settlement file as they are read: counted, and their SHA-256 taken. It must end
//! with an error, not early, where a file is too long.

use sha2::{Digest as _, Sha256};
use std::io::{Error, Read};

use crate::output;

/// Most bytes of a file: half a million rows of 256 bytes. Larger ones are split by day.
pub(super) const FILE_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Most bytes of a line: a row of a table has hundreds. Without it a file of another kind would be
/// read into one row.
pub(super) const LINE_BYTES_MAX: u64 = 64 * 1024;

/// The SHA-256 of a file, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Digest(pub(crate) String);

/// Reads no more than it may.
pub(super) struct BoundedFile<R> {
    inner: R,
    bytes: u64,
    line: u64,
    hash: Sha256,
}

impl<R: Read> BoundedFile<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            bytes: 0,
            line: 0,
            hash: Sha256::new(),
        }
    }

    /// What was read, once it was read to its end.
    pub(super) fn digest(self) -> Digest {
        Digest(output::hex(&self.hash.finalize()))
    }
}

impl<R: Read> Read for BoundedFile<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let read = buffer.get(..count).unwrap_or_default();
        self.hash.update(read);
        for byte in read {
            self.bytes = self.bytes.saturating_add(1);
            self.line = match byte {
                b'\n' | b'\r' => 0,
                _ => self.line.saturating_add(1),
            };
            if self.line > LINE_BYTES_MAX {
                return Err(Error::other(format!(
                    "it has a line of more than {LINE_BYTES_MAX} bytes; give a CSV file, one row \
                     per line"
                )));
            }
        }
        if self.bytes > FILE_BYTES_MAX {
            return Err(Error::other(format!(
                "it has more than {FILE_BYTES_MAX} bytes; split it by day"
            )));
        }
        Ok(count)
    }
}
