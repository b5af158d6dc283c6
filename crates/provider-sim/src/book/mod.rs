//! The sandbox's own book: what it was asked to deliver and what it really did. An entry must never
//! change once it is written: what has become of it follows from the entry and the time alone.

mod entry;
mod journal;
mod line;
mod scan;
mod sequence;

pub use entry::{BookEntry, Effect, Fate, Product, RefusalKind};
pub use scan::ReadError;

pub(crate) use journal::{Journal, JournalError};

use std::fs::File;
use std::path::Path;

/// Reads a whole book, oldest entry first; it may be written to meanwhile. A last line that is not
/// complete (yet) is left out.
pub fn read(path: &Path) -> Result<Vec<BookEntry>, ReadError> {
    let mut entries = Vec::new();
    scan::scan(&File::open(path)?, |_offset, entry| entries.push(entry))?;
    Ok(entries)
}
