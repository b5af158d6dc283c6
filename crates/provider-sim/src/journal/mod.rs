//! The sandbox's own book: what it was asked to deliver and what it really did. An entry must never
//! change once it is written: what has become of it follows from the entry and the time alone.
//!
//! Any number of processes of one machine write one book and are one provider. A writer takes the
//! lock of the file, reads what others wrote since it last looked, and writes one line at the end;
//! the kernel takes the lock away from a process that dies, and the next writer cuts off the piece
//! of a line that it may have left. A line is in the kernel's hands when its order is answered: it
//! outlives any process, not a crash of the machine. A process that is stopped, not killed, at the
//! wrong instant keeps the lock: until it goes on, the others book and deliver nothing, and answer
//! that they do not know.

mod codec;
mod entry;
mod file;
mod index;
mod known;
mod lock;
mod scan;
mod sequence;

pub use entry::{BookEntry, EntryEffect, EntryOutcome, RefusalKind, SandboxProduct};
pub use scan::ReadError;

pub(crate) use file::SandboxJournal;
pub(crate) use known::SandboxJournalError;

use std::fs::File;
use std::path::Path;

/// Reads a whole book, oldest entry first; it may be written to meanwhile. A last line that is not
/// complete (yet) is left out.
pub fn read(path: &Path) -> Result<Vec<BookEntry>, ReadError> {
    let mut entries = Vec::new();
    scan::scan_beside_writers(&File::open(path)?, |_offset, entry| entries.push(entry))?;
    Ok(entries)
}
