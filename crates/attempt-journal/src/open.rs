//! Opening a journal: going on with one that no living process writes, or making a new one. It must
//! never take a journal that another process holds.

use crate::disk::{JournalDisk, RealDisk};
use crate::folder::{ENTRIES, JournalFolder, MARKS, Root};
use crate::header::{BOOT_LENGTH_MAX, RANDOM_BYTES};
use crate::journal::FileJournal;
use crate::segment::Segment;
use crate::walk::Walk;
use crate::writer::{Own, WritePosition, Writer};
use crate::{JournalError, JournalOptions, folder};
use domain::time::Timestamp;
use key_ring::{KeyRing, Purpose};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// What a process opens its journal with.
#[derive(Debug)]
pub struct Start<'a> {
    /// The keys entries are sealed with.
    pub ring: &'a KeyRing,
    /// How large it may become.
    pub options: JournalOptions,
    /// What names this boot of the machine: the text of `/proc/sys/kernel/random/boot_id`, of which
    /// 64 bytes are kept. Where it is empty, every boot counts as another.
    pub boot_id: String,
    /// Random bytes of this process: half names a journal that is made, half salts its keys.
    pub random: [u8; RANDOM_BYTES * 2],
    /// The time.
    pub now: Timestamp,
}

/// A journal that was opened.
#[derive(Debug)]
pub struct OpenedJournal {
    /// It.
    pub journal: FileJournal,
    /// Where it comes from.
    pub origin: JournalOrigin,
}

/// Where a journal comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalOrigin {
    /// It was made.
    New,
    /// Another process wrote it before.
    Adopted,
}

/// A journal that was locked, and where its writer goes on.
type Adopted = (JournalFolder, File, WritePosition);

impl FileJournal {
    /// Opens the journal of this process within a folder of journals, and starts its writer. It
    /// blocks the thread for as long as reading a segment of each journal takes.
    ///
    /// # Errors
    /// When the folder cannot be made, read or locked.
    pub fn open(root: &Path, start: &Start<'_>) -> Result<OpenedJournal, JournalError> {
        Self::open_on(Arc::new(RealDisk), root, start)
    }

    pub(crate) fn open_on(
        disk: Arc<dyn JournalDisk>,
        root: &Path,
        start: &Start<'_>,
    ) -> Result<OpenedJournal, JournalError> {
        let root = Root::make(root)?;
        // Held until the journal is taken: two that start together must not see
        // each other's locks.
        let looking = root.lock()?;
        let (id, salt) = halves(start.random);
        let (adopted, origin) = if let Some(adopted) = adopt(&root)? {
            (adopted, JournalOrigin::Adopted)
        } else {
            let (folder, lock) = root.create(id, start.now)?;
            ((folder, lock, WritePosition::default()), JournalOrigin::New)
        };
        drop(looking);
        let (folder, lock, position) = adopted;
        let boot = boot(&start.boot_id);
        let keys = start.ring.key(Purpose::AttemptJournal);
        let own = Arc::new(Own::new(folder, Arc::clone(&disk), position.next_segment));
        let writer = Writer {
            own: Arc::clone(&own),
            disk,
            keys: keys.clone(),
            boot: boot.clone(),
            salt,
            segment_bytes_max: start.options.segment_bytes_max,
            position,
            live: None,
        };
        let reader = crate::reader::FileJournalReader::new(root, Arc::clone(&own), keys, boot);
        let journal = FileJournal::start((writer, reader), own, start.options, lock)?;
        Ok(OpenedJournal { journal, origin })
    }
}

impl Default for WritePosition {
    fn default() -> Self {
        Self {
            next_entry: 1,
            next_segment: 1,
            previous: (0, 0),
        }
    }
}

/// The unlocked journal with the newest entry, locked. One that cannot be read is left as it is.
fn adopt(root: &Root) -> Result<Option<Adopted>, JournalError> {
    let mut best: Option<(Option<Timestamp>, Adopted)> = None;
    for folder in root.journals()? {
        let Some(lock) = folder.try_lock()? else {
            continue;
        };
        match end(&folder) {
            Ok((newest, position)) => {
                if best.as_ref().is_none_or(|(other, _)| newest > *other) {
                    best = Some((newest, (folder, lock, position)));
                }
            }
            Err(error) => {
                let journal = folder.id.0.as_str();
                tracing::error!(journal, %error, "an attempt journal cannot be continued");
            }
        }
    }
    let Some((_, (folder, lock, position))) = best else {
        return Ok(None);
    };
    make_durable(&folder, &position)?;
    remove_marks_alone(&folder)?;
    Ok(Some((folder, lock, position)))
}

/// When the newest entry of a journal was recorded, and where its next writer goes on.
fn end(folder: &JournalFolder) -> Result<(Option<Timestamp>, WritePosition), JournalError> {
    let highest = folder.segments()?.last().copied().unwrap_or(0);
    let marks = folder.numbers(MARKS)?.last().copied().unwrap_or(0);
    let mut position = WritePosition {
        // Checkpoints and files name every number that was used.
        next_segment: highest.max(marks).saturating_add(1),
        ..WritePosition::default()
    };
    let removed = crate::checkpoint::read(folder)?;
    for it in removed {
        position.next_segment = position.next_segment.max(it.segment.saturating_add(1));
        let behind = it.last_entry.map_or(1, |entry| entry.saturating_add(1));
        position.next_entry = position.next_entry.max(behind);
        position.previous.0 = position.previous.0.max(it.segment);
    }
    let mut walk = Walk::new(folder)?;
    let mut is_newest = true;
    while let Some(step) = walk.step()? {
        let path = folder.file(step.segment, ENTRIES);
        let bytes = folder::read(&path)?.unwrap_or_default();
        let Some(segment) = Segment::read(&path, &bytes, step.durable)? else {
            continue;
        };
        if is_newest {
            position.next_entry = position.next_entry.max(segment.next_entry());
            position.previous = (step.segment, segment.length);
            is_newest = false;
        }
        if let Some(last) = segment.entries.last() {
            return Ok((Some(last.about.started_at), position));
        }
    }
    Ok((None, position))
}

/// What was read may be in the cache of the operating system only.
fn make_durable(folder: &JournalFolder, position: &WritePosition) -> Result<(), JournalError> {
    let (segment, _) = position.previous;
    for kind in [ENTRIES, MARKS] {
        let path = folder.file(segment, kind);
        match File::open(&path) {
            Ok(file) => file.sync_all().map_err(JournalError::io(&path, "synced"))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(JournalError::io(&path, "opened")(error)),
        }
    }
    crate::disk::sync_folder(&folder.path).map_err(JournalError::io(&folder.path, "synced"))
}

/// Marks without entries are left where a removal or a beginning was cut short.
fn remove_marks_alone(folder: &JournalFolder) -> Result<(), JournalError> {
    let segments = folder.segments()?;
    for alone in folder.numbers(MARKS)? {
        if !segments.contains(&alone) {
            let path = folder.file(alone, MARKS);
            std::fs::remove_file(&path).map_err(JournalError::io(&path, "removed"))?;
        }
    }
    Ok(())
}

fn halves(random: [u8; RANDOM_BYTES * 2]) -> ([u8; RANDOM_BYTES], [u8; RANDOM_BYTES]) {
    let (mut first, mut second) = ([0; RANDOM_BYTES], [0; RANDOM_BYTES]);
    let halves = first.iter_mut().chain(&mut second);
    for (to, from) in halves.zip(random) {
        *to = from;
    }
    (first, second)
}

/// The name of a boot, cut where it is longer than a header may hold.
fn boot(text: &str) -> String {
    let text = text.trim();
    let cut = text.char_indices().map(|(at, it)| at + it.len_utf8());
    let end = cut.take_while(|end| *end <= BOOT_LENGTH_MAX).last();
    text.get(..end.unwrap_or(0)).unwrap_or_default().to_owned()
}
