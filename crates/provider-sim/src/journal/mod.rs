//! The sandbox's provider journal: the orders it received and what it did with them. An entry must
//! never change once it is written: its later state follows from the entry and the time alone.
//!
//! Any number of processes of one machine share one journal and act as one provider. A writer locks
//! the file, reads what others appended since its last read, and appends one line. The kernel
//! releases the lock of a process that ends, and the next writer cuts off a torn line it may have
//! left. A line is written to the kernel before its order is answered: it survives any process, but
//! not a crash of the machine. A process that is stopped, not killed, within a write keeps the
//! lock: until it continues, the others record and deliver nothing, and answer an unknown outcome.

mod codec;
mod entry;
mod file;
mod index;
mod known;
mod lock;
mod scan;
mod sequence;

pub use crate::outcome::{EntryEffect, EntryOutcome, SandboxRefusal};
pub use entry::SandboxEntry;
pub use scan::ReadError;

pub(crate) use codec::JournalLine;
pub(crate) use file::SandboxJournal;
pub(crate) use known::SandboxJournalError;

use std::fs::File;
use std::path::Path;

/// Reads the entries of a whole journal, oldest first; it may be written to meanwhile. Seals, and a
/// last line that is not complete (yet), are left out.
pub fn read(path: &Path) -> Result<Vec<SandboxEntry>, ReadError> {
    let mut entries = Vec::new();
    scan::scan_beside_writers(&File::open(path)?, |_offset, line| match line {
        JournalLine::Entry(entry) => entries.push(entry),
        JournalLine::Seal(_) => {}
    })?;
    Ok(entries)
}
