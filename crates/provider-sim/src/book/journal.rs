//! The book as the running provider holds it: the file and an index of it. An entry must be in the
//! file before anything is delivered, and a reference must be in it once.

use super::entry::BookEntry;
use super::line::{self, BadReference, LINE_BYTES_MAX};
use super::scan::{HEADER, ReadError, scan};
use super::sequence::{Place, Sequence};
use crate::change::{Change, changes};
use crate::steady::SteadyClock;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts of the index. Each grows by itself, so that growing never stops the provider for as long
/// as copying the whole index takes.
const SHARDS: usize = 256;

/// An open book.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    clock: SteadyClock,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Where the next line goes. What a failed write left behind lies beyond it, to be overwritten.
    end: u64,
    index: Index,
    sequence: Sequence,
}

/// Why the book could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JournalError {
    #[error("the book could not be opened")]
    Open(#[source] io::Error),
    #[error("another process writes this book")]
    InUse,
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the reference {0} is in the book twice")]
    Twice(ProviderReference),
    #[error(transparent)]
    Reference(#[from] BadReference),
    #[error("the book could not be written")]
    Write(#[source] io::Error),
}

impl Journal {
    /// Opens a book, or begins one; a torn last line is cut off.
    pub(crate) fn open(path: &Path, clock: SteadyClock) -> Result<Self, JournalError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .map_err(JournalError::Open)?;
        // Two writers would each miss what the other has delivered.
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse,
            TryLockError::Error(error) => JournalError::Open(error),
        })?;
        let mut state = State {
            end: 0,
            index: Index::new(),
            sequence: Sequence::default(),
        };
        let mut twice = None;
        let end = scan(&file, |offset, entry| {
            state.sequence.push(&entry, offset);
            if !state.index.insert(&entry.reference, offset) {
                twice = Some(entry.reference);
            }
        })?;
        state.sequence.sort();
        if let Some(reference) = twice {
            return Err(JournalError::Twice(reference));
        }
        file.set_len(end).map_err(JournalError::Write)?;
        state.end = end;
        if end == 0 {
            file.write_all_at(HEADER, 0).map_err(JournalError::Write)?;
            state.end = HEADER.len() as u64;
        }
        Ok(Self {
            file,
            clock,
            state: Mutex::new(state),
        })
    }

    /// Writes the entry that is made for the moment of writing, unless its reference is in the book
    /// before, which `None` says. When this fails, it is not in the book.
    pub(crate) fn append(
        &self,
        reference: &ProviderReference,
        entry_at: impl FnOnce(Timestamp) -> BookEntry,
    ) -> Result<Option<BookEntry>, JournalError> {
        let mut state = self.lock();
        if state.index.find(reference).is_some() {
            return Ok(None);
        }
        // The time is asked for under the lock: nothing may be told as of a moment and then booked
        // for an earlier one.
        let entry = entry_at(self.clock.now());
        let line = line::encode(&entry)?;
        let offset = state.end;
        self.file
            .write_all_at(&line, offset)
            .map_err(JournalError::Write)?;
        state.end = offset.saturating_add(line.len() as u64);
        state.index.insert(reference, offset);
        state.sequence.insert(&entry, offset);
        Ok(Some(entry))
    }

    /// The entry with a reference.
    pub(crate) fn find(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<BookEntry>, ReadError> {
        let offset = self.lock().index.find(reference);
        offset.map(|offset| self.entry_at(offset)).transpose()
    }

    /// The changes that are due now, after the first `told`, at most `limit`.
    pub(crate) fn changes_due(
        &self,
        told: usize,
        limit: usize,
    ) -> Result<Vec<(BookEntry, Change)>, ReadError> {
        let due = {
            let state = self.lock();
            state.sequence.due(told, (limit, self.clock.now()))
        };
        let changed = |place: Place| {
            let entry = self.entry_at(place.offset)?;
            let change = changes(&entry).into_iter().nth(place.nth);
            let offset = place.offset;
            let (_, change) = change.ok_or(ReadError::Damaged { offset })?;
            Ok((entry, change))
        };
        due.into_iter().map(changed).collect()
    }

    fn entry_at(&self, offset: u64) -> Result<BookEntry, ReadError> {
        let mut bytes = [0; LINE_BYTES_MAX];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self
                .file
                .read_at(rest, offset.saturating_add(filled as u64))
            {
                Ok(0) => break,
                Ok(length) => filled = filled.saturating_add(length),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
        line::decode(line).ok_or(ReadError::Damaged { offset })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic while it was held leaves the state as it was before or after an entry.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first 16 bytes of the SHA-256 of a reference: long enough that no two references share one,
/// and a fraction of the size of the reference itself.
type Fingerprint = [u8; 16];

/// Where the entry of each reference is: 24 bytes an entry, before the slack of a hash table.
#[derive(Debug)]
struct Index(Vec<HashMap<Fingerprint, u64>>);

impl Index {
    fn new() -> Self {
        Self(vec![HashMap::new(); SHARDS])
    }

    fn find(&self, reference: &ProviderReference) -> Option<u64> {
        let (shard, fingerprint) = place(reference);
        self.0.get(shard)?.get(&fingerprint).copied()
    }

    fn insert(&mut self, reference: &ProviderReference, offset: u64) -> bool {
        let (shard, fingerprint) = place(reference);
        let shard = self.0.get_mut(shard);
        shard.is_some_and(|shard| shard.insert(fingerprint, offset).is_none())
    }
}

fn place(reference: &ProviderReference) -> (usize, Fingerprint) {
    let digest: [u8; 32] = Sha256::digest(reference.as_str()).into();
    let fingerprint = digest.first_chunk().copied().unwrap_or_default();
    let [.., last] = digest;
    (usize::from(last), fingerprint)
}
