//! The one writer of a journal: it takes whatever is waiting, appends it with one write and makes
//! it durable with one sync. It must never wait for more to come, and never write to a segment
//! again after a write or sync of it failed.

use crate::codec::long;
use crate::disk::{AppendFile, JournalDisk};
use crate::folder::{ENTRIES, JournalFolder, MARKS};
use crate::frame::{self, CONTENT_BYTES_MAX, Clear, FrameKind};
use crate::header::{Header, RANDOM_BYTES};
use crate::mark::JournalMark;
use crate::{JournalError, PART};
use key_ring::{PurposeKeys, SealingKey};
use ports::PortError;
use ports::journal::EntryId;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::oneshot;

/// Most entries waiting for the writer, as many as wait for a store. A caller that finds it full is
/// refused at once, instead of after its own deadline.
pub const QUEUE_MAX: usize = 4096;

/// Most entries made durable together. At this size a sync is a small part of the whole cost.
pub const BATCH_MAX: usize = 512;

/// How many files of marks stay open: those of segments whose entries are still being committed.
const MARKS_OPEN_MAX: usize = 8;

/// An entry that waits for the writer.
#[derive(Debug)]
pub(crate) struct WriteRequest {
    pub(crate) about: FrameKind,
    /// The transaction, not sealed yet.
    pub(crate) text: Vec<u8>,
    pub(crate) reply: oneshot::Sender<Result<EntryId, PortError>>,
}

/// A segment this process writes or has written.
#[derive(Debug)]
struct OwnSegment {
    number: u32,
    first_entry: u64,
    marks: Option<Arc<dyn AppendFile>>,
}

/// What the writer shares with those who confirm and read.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) folder: JournalFolder,
    /// The first segment of this process.
    pub(crate) first_segment: u32,
    /// The segment that is written to, or will be next.
    live_segment: AtomicU32,
    disk: Arc<dyn JournalDisk>,
    segments: RwLock<Vec<OwnSegment>>,
}

impl Own {
    pub(crate) fn new(
        folder: JournalFolder,
        disk: Arc<dyn JournalDisk>,
        first_segment: u32,
    ) -> Self {
        Self {
            folder,
            first_segment,
            live_segment: AtomicU32::new(first_segment),
            disk,
            segments: RwLock::default(),
        }
    }

    /// Segments below this one are not written to any more.
    pub(crate) fn live_segment(&self) -> u32 {
        self.live_segment.load(Ordering::Acquire)
    }

    /// Notes what became of an entry of this process.
    pub(crate) fn note(&self, entry: u64, mark: JournalMark) -> Result<(), JournalError> {
        let segments = self.segments.read();
        let segments = segments.unwrap_or_else(PoisonError::into_inner);
        let behind = segments.partition_point(|segment| segment.first_entry <= entry);
        let segment = behind.checked_sub(1).and_then(|index| segments.get(index));
        let segment = segment.ok_or(JournalError::NoEntry(entry))?;
        let path = || self.folder.file(segment.number, MARKS);
        let marks = if let Some(marks) = &segment.marks {
            Arc::clone(marks)
        } else {
            let opened = self.disk.reopen(&path());
            opened.map_err(|source| JournalError::io(&path(), "opened")(source))?
        };
        let noted = marks.append(&mark.encode(entry));
        noted.map_err(|source| JournalError::io(&path(), "written")(source))
    }

    fn begin(&self, segment: OwnSegment) {
        let mut segments = self
            .segments
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        self.live_segment.store(segment.number, Ordering::Release);
        segments.push(segment);
        let closed = segments.len().saturating_sub(MARKS_OPEN_MAX);
        for old in segments.iter_mut().take(closed) {
            old.marks = None;
        }
    }

    /// The files of marks that are open.
    fn marks(&self) -> Vec<Arc<dyn AppendFile>> {
        let segments = self.segments.read();
        let segments = segments.unwrap_or_else(PoisonError::into_inner);
        segments.iter().filter_map(|it| it.marks.clone()).collect()
    }
}

/// Where a writer goes on.
#[derive(Debug)]
pub(crate) struct WritePosition {
    pub(crate) next_entry: u64,
    pub(crate) next_segment: u32,
    /// The segment before it and how many bytes of it are durable.
    pub(crate) previous: (u32, u64),
}

/// The writer.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) own: Arc<Own>,
    pub(crate) disk: Arc<dyn JournalDisk>,
    pub(crate) keys: PurposeKeys,
    pub(crate) boot: String,
    /// Random bytes of this process, the end of which counts its segments.
    pub(crate) salt: [u8; RANDOM_BYTES],
    pub(crate) segment_bytes_max: u64,
    pub(crate) position: WritePosition,
    pub(crate) live: Option<Live>,
}

/// The segment that is written to.
#[derive(Debug)]
pub(crate) struct Live {
    entries: Arc<dyn AppendFile>,
    key: SealingKey,
    /// How many of its bytes are durable, which is all of them.
    durable: u64,
    /// How many of them are no entries.
    header: u64,
    /// The segment before it and how many bytes of that are durable.
    previous: (u32, u64),
}

impl Writer {
    /// Serves requests until the last sender is gone.
    pub(crate) fn run(mut self, requests: &Receiver<WriteRequest>) {
        while let Ok(first) = requests.recv() {
            let mut batch = vec![first];
            while batch.len() < BATCH_MAX {
                match requests.try_recv() {
                    Ok(request) => batch.push(request),
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
                }
            }
            self.write(batch);
        }
        self.sync_marks();
    }

    fn write(&mut self, batch: Vec<WriteRequest>) {
        let first_entry = self.position.next_entry;
        let mut replies = Vec::with_capacity(batch.len());
        let mut waiting = Vec::with_capacity(batch.len());
        for request in batch {
            replies.push(request.reply);
            waiting.push((request.about, request.text));
        }
        let done = self.append(waiting);
        for (entry, reply) in (first_entry..).zip(replies) {
            let answer = match &done {
                Ok(()) => Ok(EntryId(entry)),
                Err(failed) => Err(failed.answer()),
            };
            // The caller may be gone; its entry stays without a mark.
            let _ = reply.send(answer);
        }
    }

    /// Makes entries durable, all of them or none that is acknowledged.
    fn append(&mut self, batch: Vec<(FrameKind, Vec<u8>)>) -> Result<(), Failed> {
        let is_full = |live: &Live| live.durable >= self.segment_bytes_max;
        if self.live.as_ref().is_none_or(is_full) {
            self.begin(&batch)
                .map_err(|error| Failed::nothing(&error))?;
        }
        let Some(live) = &mut self.live else {
            let number = self.position.next_segment;
            return Err(Failed::nothing(&JournalError::NotBegun(number)));
        };
        let count = long(batch.len());
        let first_entry = self.position.next_entry;
        let mut bytes = Vec::new();
        for (entry, (about, text)) in (first_entry..).zip(batch) {
            let durable = live.durable;
            let clear = Clear {
                entry,
                durable,
                about,
            };
            let content = sealed(&live.key, &clear, text);
            let content = content.map_err(|error| Failed::nothing(&error))?;
            frame::write(&mut bytes, &content);
        }
        // From here on the numbers are used up, whatever comes.
        self.position.next_entry = first_entry.saturating_add(count);
        let written = live.entries.append(&bytes);
        match written.and_then(|()| live.entries.sync()) {
            Ok(()) => {
                live.durable = live.durable.saturating_add(long(bytes.len()));
                self.position.previous.1 = live.durable;
                Ok(())
            }
            Err(error) => {
                self.abandon(first_entry, &error);
                Err(Failed::unknown(&error))
            }
        }
    }

    /// Leaves a segment of which the disk may have lost a part. Its last entries were not
    /// acknowledged, so nothing will be sent under them.
    fn abandon(&mut self, first_entry: u64, error: &std::io::Error) {
        let segment = self.own.live_segment();
        tracing::error!(segment, %error, "entries of the attempt journal are not durable");
        if let Some(live) = self.live.take()
            && live.durable == live.header
        {
            // Nothing in it was acknowledged; a disk that is full must not fill up with segments.
            self.position.previous = live.previous;
            self.remove(segment);
            return;
        }
        for entry in first_entry..self.position.next_entry {
            if let Err(error) = self.own.note(entry, JournalMark::Voided) {
                tracing::warn!(entry, %error, "entries of the attempt journal could not be voided");
                break;
            }
        }
    }

    /// Removes a segment without an acknowledged entry. One that cannot be removed does no harm.
    fn remove(&self, segment: u32) {
        for kind in [ENTRIES, MARKS] {
            let path = self.own.folder.file(segment, kind);
            if let Err(error) = std::fs::remove_file(&path) {
                let path = path.display();
                tracing::warn!(%path, %error, "a file without entries could not be removed");
            }
        }
    }

    /// Begins the next segment, durable with its name before anything is written to it.
    fn begin(&mut self, batch: &[(FrameKind, Vec<u8>)]) -> Result<(), JournalError> {
        self.sync_marks();
        self.live = None;
        let number = self.position.next_segment;
        let following = number.checked_add(1);
        self.position.next_segment = following.ok_or(JournalError::NotBegun(number))?;
        let header = Header {
            journal: self.own.folder.id_bytes()?,
            segment: number,
            first_entry: self.position.next_entry,
            generation: self.keys.newest(),
            salt: self.salt_of(number),
            previous_segment: self.position.previous.0,
            previous_durable: self.position.previous.1,
            made_at: batch
                .first()
                .map_or(domain::time::Timestamp::from_millis(0), |(about, _)| {
                    about.started_at
                }),
            boot: self.boot.clone(),
        };
        let context = header.encode();
        let key = self.keys.sealing_key(&context);
        let key = key.map_err(|source| JournalError::Sealed {
            entry: header.first_entry,
            source,
        })?;
        let mut bytes = Vec::new();
        frame::write(&mut bytes, &context);
        let path = self.own.folder.file(number, ENTRIES);
        let marks = self.own.folder.file(number, MARKS);
        let make = || {
            let marks = self.disk.create(&marks)?;
            let entries = self.disk.create_synced(&path)?;
            entries.append(&bytes)?;
            entries.sync()?;
            marks.sync()?;
            self.disk.sync_folder(&self.own.folder.path)?;
            Ok((entries, marks))
        };
        let (entries, marks) = make().map_err(|error| {
            self.remove(number);
            JournalError::io(&path, "made")(error)
        })?;
        self.own.begin(OwnSegment {
            number,
            first_entry: header.first_entry,
            marks: Some(marks),
        });
        let durable = long(bytes.len());
        let previous = std::mem::replace(&mut self.position.previous, (number, durable));
        self.live = Some(Live {
            entries,
            key,
            durable,
            header: durable,
            previous,
        });
        Ok(())
    }

    /// The salt of a segment: random for the process, and of this segment alone within it.
    fn salt_of(&self, segment: u32) -> [u8; RANDOM_BYTES] {
        let mut salt = self.salt;
        for (byte, digit) in salt.iter_mut().rev().zip(segment.to_le_bytes()) {
            *byte = digit;
        }
        salt
    }

    /// Makes marks durable, so that a restart of the machine leaves few entries in doubt. Where it
    /// fails, more are left in doubt.
    fn sync_marks(&self) {
        for marks in self.own.marks() {
            if let Err(error) = marks.sync() {
                tracing::warn!(%error, "marks of the attempt journal could not be made durable");
            }
        }
    }
}

/// The content of an entry's frame.
fn sealed(key: &SealingKey, clear: &Clear, mut text: Vec<u8>) -> Result<Vec<u8>, JournalError> {
    let mut content = clear.encode();
    let sealed = key.seal(clear.entry, &content, &mut text);
    sealed.map_err(|source| JournalError::Sealed {
        entry: clear.entry,
        source,
    })?;
    content.append(&mut text);
    Ok(content)
}

/// Whether an entry of this text can be stored.
pub(crate) fn fits(about: &FrameKind, text: &[u8]) -> bool {
    let clear = Clear {
        entry: 0,
        durable: 0,
        about: about.clone(),
    };
    let length = clear.encode().len() + text.len() + SealingKey::OVERHEAD;
    length <= CONTENT_BYTES_MAX
}

/// Why a batch was not acknowledged, for each of its callers.
#[derive(Debug)]
struct Failed {
    what: String,
    effect: ports::CommitState,
}

impl Failed {
    fn nothing(error: &dyn std::error::Error) -> Self {
        let causes = std::iter::successors(Some(error), |error| (*error).source());
        let causes: Vec<_> = causes.map(ToString::to_string).collect();
        Self {
            what: format!("the entry was not written: {}", causes.join(": ")),
            effect: ports::CommitState::Nothing,
        }
    }

    fn unknown(error: &std::io::Error) -> Self {
        Self {
            what: format!("the entry may not be durable: {error}"),
            effect: ports::CommitState::Unknown,
        }
    }

    fn answer(&self) -> PortError {
        PortError {
            effect: self.effect,
            ..PortError::new(PART, &self.what)
        }
    }
}
