//! The attempt journal in files: what an instance was about to send, durable before it is sent. It
//! must decide nothing about payments: it says what was written, and whether it may have been sent.
//!
//! A journal is a folder of segments. One process writes it at a time; the next process that finds
//! it without a writer goes on with it, in a new segment. An entry is durable before it is
//! acknowledged. That its attempt was committed is only marked beside it, in the cache of the
//! operating system: a mark outlives the process but not the machine, which is why a segment
//! remembers the boot of the machine it was written on.

mod checkpoint;
mod codec;
mod disk;
mod error;
mod folder;
mod frame;
mod header;
mod journal;
mod mark;
mod open;
mod reader;
mod record;
mod retention;
mod segment;
#[cfg(test)]
mod tests;
mod walk;
mod writer;

pub use error::JournalError;
pub use journal::FileJournal;
pub use open::{JournalOrigin, OpenedJournal, Start};
pub use writer::{BATCH_MAX, QUEUE_MAX};

use std::time::Duration;

/// How this part names itself in errors.
const PART: &str = "attempt-journal";

/// Hours of thirty days.
const KEEP_HOURS: u64 = 30 * 24;

/// How large a journal may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalOptions {
    /// Size from which on a new segment is begun, in bytes. A segment is read as a whole.
    pub segment_bytes_max: u64,
    /// How long segments are kept at least, unless [`Self::bytes_max`] is exceeded.
    pub keep: Duration,
    /// Size from which on the oldest segments may be removed sooner, in bytes.
    pub bytes_max: u64,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self {
            segment_bytes_max: 16 << 20,
            keep: Duration::from_hours(KEEP_HOURS),
            bytes_max: 4 << 30,
        }
    }
}
