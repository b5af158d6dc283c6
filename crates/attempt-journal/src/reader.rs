//! Reading journals: that of this process, and those that no process writes. What it says of an
//! entry must be what the files prove, and doubt where they prove nothing.

use crate::checkpoint::{self, Checkpoint};
use crate::folder::{self, ENTRIES, JournalFolder, MARKS, Root};
use crate::frame::{self, Clear};
use crate::mark::{JournalMark, Marks, Whole};
use crate::segment::Segment;
use crate::walk::{Walk, WalkStep};
use crate::writer::Own;
use crate::{JournalError, PART, record};
use domain::transaction::Transaction;
use key_ring::PurposeKeys;
use ports::PortError;
use ports::journal::{EntryId, JournalId, JournalStanding, JournalledAttempt};
use std::collections::VecDeque;
use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

/// How many segments stay in memory after they were read, a few megabytes each: paging comes back
/// to the segment it stopped in.
const SEGMENTS_CACHED_MAX: usize = 3;

/// What reads the journals of a folder.
#[derive(Debug)]
pub(crate) struct FileJournalReader {
    root: Root,
    own: Arc<Own>,
    keys: PurposeKeys,
    boot: String,
    cache: Mutex<VecDeque<Cached>>,
    /// Held alone while a segment is removed, and by those who go through segments.
    pub(crate) removal: RwLock<()>,
}

/// A segment that was read, with its journal and number.
type Cached = ((JournalId, u32), Arc<Segment>);

/// The right to read a journal while no process begins to write it.
#[derive(Debug)]
struct Unwritten {
    /// The lock of all journals and that of the one; none is needed for that of this process.
    _locks: Option<(File, File)>,
}

/// What a segment says of one of its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadEntry {
    Voided,
    /// It is of this process and may still be confirmed.
    UnderWay,
    Standing(JournalStanding),
}

impl FileJournalReader {
    pub(crate) fn new(root: Root, own: Arc<Own>, keys: PurposeKeys, boot: String) -> Self {
        Self {
            root,
            own,
            keys,
            boot,
            cache: Mutex::default(),
            removal: RwLock::default(),
        }
    }

    pub(crate) fn journals(&self) -> Result<Vec<JournalId>, JournalError> {
        // No journal is opened meanwhile, so that trying the locks disturbs no instance.
        let _looking = self.root.lock()?;
        let own = &self.own.folder;
        let mut journals = vec![own.id.clone()];
        for folder in self.root.journals()? {
            if folder.id != own.id && folder.try_lock()?.is_some() {
                journals.push(folder.id);
            }
        }
        Ok(journals)
    }

    pub(crate) fn page(
        &self,
        journal: &JournalId,
        before: Option<EntryId>,
        limit: usize,
    ) -> Result<Vec<JournalledAttempt>, JournalError> {
        let _unremoved = self.unremoved();
        let (folder, _unwritten) = self.unwritten(journal)?;
        let before = before.map_or(u64::MAX, |entry| entry.0);
        let mut page = Vec::new();
        let mut walk = Walk::new(&folder)?;
        while page.len() < limit {
            let Some(step) = walk.step()? else {
                break;
            };
            if step.header.first_entry >= before {
                continue;
            }
            let Some(segment) = self.segment(&folder, &step)? else {
                continue;
            };
            let noted = self.notes(&folder, &step, &segment)?;
            let older = segment.numbered().rev();
            let older = older.filter(|(entry, _)| *entry < before);
            let shown = older.filter_map(|(entry, located)| match noted.of(entry) {
                ReadEntry::Voided | ReadEntry::UnderWay => None,
                ReadEntry::Standing(standing) => Some(located.about.standing(entry, standing)),
            });
            page.extend(shown.take(limit.saturating_sub(page.len())));
        }
        Ok(page)
    }

    pub(crate) fn transaction(
        &self,
        journal: &JournalId,
        entry: EntryId,
    ) -> Result<Transaction, JournalError> {
        let _unremoved = self.unremoved();
        let (folder, _unwritten) = self.unwritten(journal)?;
        let mut walk = Walk::new(&folder)?;
        while let Some(step) = walk.step()? {
            if step.header.first_entry > entry.0 {
                continue;
            }
            if let Some(segment) = self.segment(&folder, &step)?
                && segment.last_entry().is_some_and(|last| entry.0 <= last)
            {
                return self.opened(&folder, &segment, entry.0);
            }
            // A segment that was begun and never used has the number of the next one's first.
        }
        Err(JournalError::NoEntry(entry.0))
    }

    pub(crate) fn checkpoints(&self, journal: &JournalId) -> Result<Vec<Checkpoint>, JournalError> {
        let (folder, _unwritten) = self.unwritten(journal)?;
        checkpoint::read(&folder)
    }

    fn opened(
        &self,
        folder: &JournalFolder,
        segment: &Segment,
        entry: u64,
    ) -> Result<Transaction, JournalError> {
        let mut entries = segment.numbered();
        let located = entries.find(|(number, _)| *number == entry);
        let (_, located) = located.ok_or(JournalError::NoEntry(entry))?;
        let path = folder.file(segment.header.segment, ENTRIES);
        let bytes = folder::read(&path)?.ok_or(JournalError::NoEntry(entry))?;
        let offset = usize::try_from(located.offset).unwrap_or(usize::MAX);
        let content = bytes.get(offset..).and_then(frame::read);
        let (_, clear, sealed) = content.and_then(Clear::decode).ok_or_else(|| {
            JournalError::damaged(&path, located.offset, "an entry cannot be read again")
        })?;
        let key = self
            .keys
            .opening_key(segment.header.generation, &segment.context);
        let text = key.and_then(|key| key.open(entry, clear, sealed));
        let text = text.map_err(|source| JournalError::Sealed { entry, source })?;
        record::decode(&text).map_err(|source| JournalError::Transaction { entry, source })
    }

    /// Keeps every segment where it is.
    pub(crate) fn unremoved(&self) -> RwLockReadGuard<'_, ()> {
        self.removal.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of a journal, and the right to read it.
    fn unwritten(&self, journal: &JournalId) -> Result<(JournalFolder, Unwritten), JournalError> {
        if *journal == self.own.folder.id {
            return Ok((self.own.folder.clone(), Unwritten { _locks: None }));
        }
        let root = self.root.lock()?;
        let known = self.root.journals()?;
        let folder = known.into_iter().find(|folder| folder.id == *journal);
        let folder = folder.ok_or_else(|| JournalError::NoJournal(journal.0.clone()))?;
        let lock = folder.try_lock()?;
        let lock = lock.ok_or_else(|| JournalError::InUse(journal.0.clone()))?;
        let locks = Some((root, lock));
        Ok((folder, Unwritten { _locks: locks }))
    }

    /// A segment that may have been read before.
    pub(crate) fn segment(
        &self,
        folder: &JournalFolder,
        step: &WalkStep,
    ) -> Result<Option<Arc<Segment>>, JournalError> {
        let key = (folder.id.clone(), step.segment);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, segment)) = cache.iter().find(|(cached, _)| *cached == key) {
            return Ok(Some(Arc::clone(segment)));
        }
        // Asked before it is read: a segment that is closed meanwhile was read too early to keep.
        let is_written = folder.id == self.own.folder.id && step.segment >= self.own.live_segment();
        let path = folder.file(step.segment, ENTRIES);
        let read = || match folder::read(&path)? {
            Some(bytes) => Segment::read(&path, &bytes, step.durable),
            None => Ok(None),
        };
        // Of a segment that is written meanwhile, a later entry may have been seen without the one
        // before it, which looks like damage; the next look sees both.
        let read = match read() {
            Err(_) if is_written => read(),
            done => done,
        };
        let Some(segment) = read? else {
            return Ok(None);
        };
        let segment = Arc::new(segment);
        if !is_written {
            cache.push_front((key, Arc::clone(&segment)));
            cache.truncate(SEGMENTS_CACHED_MAX);
        }
        Ok(Some(segment))
    }

    /// Whether a segment was written on this boot of the machine. Of a machine that does not name
    /// its boots it is not known.
    fn is_this_boot(&self, boot: &str) -> bool {
        !boot.is_empty() && boot == self.boot
    }

    /// What the marks of a segment say.
    pub(crate) fn notes(
        &self,
        folder: &JournalFolder,
        step: &WalkStep,
        segment: &Segment,
    ) -> Result<Notes, JournalError> {
        let path = folder.file(step.segment, MARKS);
        let bytes = folder::read(&path)?;
        let mut marks = Marks::read(bytes.as_deref().unwrap_or_default());
        if bytes.is_none() {
            marks.whole = Whole::No;
        }
        let is_own = folder.id == self.own.folder.id && step.segment >= self.own.first_segment;
        let is_of_segment =
            |entry: u64| (segment.header.first_entry..segment.next_entry()).contains(&entry);
        let mut confirmed = marks
            .by_entry
            .iter()
            .filter(|(_, mark)| **mark == JournalMark::Confirmed);
        if !is_own && confirmed.any(|(entry, _)| !is_of_segment(*entry)) {
            let path = folder.file(step.segment, ENTRIES);
            let what = "an entry that was confirmed is missing";
            return Err(JournalError::damaged(&path, segment.length, what));
        }
        let unmarked = if is_own {
            ReadEntry::UnderWay
        } else if self.is_this_boot(&segment.header.boot) && marks.whole == Whole::Yes {
            ReadEntry::Standing(JournalStanding::NeverSent)
        } else {
            ReadEntry::Standing(JournalStanding::Unknown)
        };
        Ok(Notes { marks, unmarked })
    }
}

/// What is known of the entries of a segment.
#[derive(Debug)]
pub(crate) struct Notes {
    marks: Marks,
    /// What is known of an entry without a mark.
    unmarked: ReadEntry,
}

impl Notes {
    pub(crate) fn of(&self, entry: u64) -> ReadEntry {
        match self.marks.by_entry.get(&entry) {
            Some(JournalMark::Confirmed) => ReadEntry::Standing(JournalStanding::Confirmed),
            Some(JournalMark::Voided) => ReadEntry::Voided,
            None => self.unmarked,
        }
    }
}

/// Reads files on a thread that may wait for them.
pub(crate) async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, JournalError> + Send + 'static,
) -> Result<T, PortError> {
    let done = tokio::task::spawn_blocking(read).await;
    let done = done.map_err(|error| PortError::caused(PART, "reading was given up", error))?;
    Ok(done?)
}
