//! The journal as a running provider holds it: the file, and what it knows of it. Any number of
//! processes of one machine may hold one journal; each looks what the others wrote, decides and
//! writes under the lock of the file. An entry must be in the file before anything is delivered,
//! and a reference must be in it once.

use super::codec::{self, JournalLine, LINE_BYTES_MAX};
use super::entry::SandboxEntry;
use super::known::{JournalTail, Known, SandboxJournalError};
use super::lock::{Hold, JournalLock};
use super::scan::{HEADER, ReadError};
use super::sequence::SequencePosition;
use crate::change::{Change, changes};
use crate::monotonic_clock::MonotonicClock;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::permit::Granted;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An open journal. Nothing here stops a thread for longer than an instant: what answers
/// [`SandboxJournalError::Busy`] or [`SandboxJournalError::Behind`] has changed nothing and is to
/// be asked again a little later.
#[derive(Debug)]
pub(crate) struct SandboxJournal {
    file: File,
    clock: MonotonicClock,
    known: Mutex<Known>,
}

/// What we know, while no other process may write, or none may even read.
type Turn<'a> = JournalLock<'a, MutexGuard<'a, Known>>;

impl SandboxJournal {
    /// Opens a journal, or begins one; a torn last line is cut off. It may take as long as reading
    /// the whole journal, and some seconds more where another process does not let go of the lock.
    pub(crate) fn open(path: &Path, clock: MonotonicClock) -> Result<Self, SandboxJournalError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .map_err(SandboxJournalError::Open)?;
        let mut known = Known::first(&file)?;
        let turn =
            JournalLock::soon(&file, Hold::Alone, &mut known).map_err(SandboxJournalError::Lock)?;
        let turn = turn.ok_or(SandboxJournalError::Busy)?;
        let tail = loop {
            match turn.with.catch_up(&file) {
                Err(SandboxJournalError::Behind) => {}
                caught_up => break caught_up?,
            }
        };
        if tail == JournalTail::Torn {
            turn.with.mend(&file)?;
        }
        drop(turn);
        Ok(Self {
            file,
            clock,
            known: Mutex::new(known),
        })
    }

    /// Writes the entry that is made for the moment of writing, unless its reference is in the
    /// journal before, which `None` says. After the moment `latest` nothing is written any more.
    /// When this fails, it is not in the journal. The permit is used right before the line is
    /// written, or right before it is found that the reference is in the journal.
    pub(crate) fn append(
        &self,
        (reference, granted): (&ProviderReference, Granted),
        latest: Timestamp,
        entry_at: impl FnOnce(Timestamp) -> SandboxEntry,
    ) -> Result<Option<SandboxEntry>, SandboxJournalError> {
        let known = self.known();
        if known.index.find(reference).is_some() {
            granted.begin_writing()?;
            return Ok(None);
        }
        let before = known.end();
        let mut turn = self.turn(known, Hold::Alone)?;
        if turn.with.catch_up(&self.file)? == JournalTail::Torn {
            turn.with.mend(&self.file)?;
        }
        if turn.with.end() > before && turn.with.index.find(reference).is_some() {
            granted.begin_writing()?;
            return Ok(None);
        }
        // The time is read under the lock: no entry may be recorded for a moment before one already
        // reported. A process that is stopped between here and the last byte keeps the lock, and
        // meanwhile no query answers that there is no such entry.
        let now = self.clock.now();
        if now > latest {
            return Err(SandboxJournalError::Late);
        }
        let entry = entry_at(now);
        let bytes = codec::encode(&entry)?;
        granted.begin_writing()?;
        let line = JournalLine::Entry(entry.clone());
        turn.with.append(&self.file, &line, &bytes)?;
        Ok(Some(entry))
    }

    /// Writes a seal, unless the reference is in the journal before; answers the line that is there
    /// then. When this fails, the seal is not in the journal.
    pub(crate) fn seal(
        &self,
        reference: &ProviderReference,
    ) -> Result<JournalLine, SandboxJournalError> {
        let mut turn = self.turn(self.known(), Hold::Alone)?;
        if turn.with.catch_up(&self.file)? == JournalTail::Torn {
            turn.with.mend(&self.file)?;
        }
        if let Some(offset) = turn.with.index.find(reference) {
            return Ok(self.line_at(offset)?);
        }
        let bytes = codec::encode_seal(reference, self.clock.now())?;
        let line = JournalLine::Seal(reference.clone());
        turn.with.append(&self.file, &line, &bytes)?;
        Ok(line)
    }

    /// Waits until the disk has every entry.
    pub(crate) fn sync(&self) -> Result<(), SandboxJournalError> {
        self.file.sync_data().map_err(SandboxJournalError::Write)
    }

    /// The line with a reference, written by any process.
    pub(crate) fn find(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<JournalLine>, SandboxJournalError> {
        let offset = self.offset_of(reference)?;
        let line = offset.map(|offset| self.line_at(offset)).transpose()?;
        Ok(line)
    }

    /// Entries stay where they are; so only one that is not known yet needs a look at the file.
    fn offset_of(&self, reference: &ProviderReference) -> Result<Option<u64>, SandboxJournalError> {
        let known = self.known();
        if let Some(offset) = known.index.find(reference) {
            return Ok(Some(offset));
        }
        let mut turn = self.turn(known, Hold::Together)?;
        // No process writes now: a torn line was left by a dead writer and is no entry.
        turn.with.catch_up(&self.file)?;
        Ok(turn.with.index.find(reference))
    }

    /// The changes that are due now, after the first `reported`, at most `limit`.
    pub(crate) fn changes_due(
        &self,
        reported: usize,
        limit: usize,
    ) -> Result<Vec<(SandboxEntry, Change)>, SandboxJournalError> {
        let due = {
            let mut turn = self.turn(self.known(), Hold::Together)?;
            turn.with.catch_up(&self.file)?;
            let now = self.clock.now();
            turn.with.sequence.due(reported, (limit, now))
        };
        let changed = |place: SequencePosition| {
            let entry = self.entry_at(place.offset)?;
            let change = changes(&entry).into_iter().nth(place.nth);
            let offset = place.offset;
            let (_, change) = change.ok_or(ReadError::Damaged { offset })?;
            Ok((entry, change))
        };
        due.into_iter().map(changed).collect()
    }

    /// At most `limit` lines from a place on, the entries among them, and the place after them; the
    /// place of the first line is 0. `None` is the end.
    pub(crate) fn entries_from(
        &self,
        place: u64,
        limit: usize,
    ) -> Result<(Vec<SandboxEntry>, Option<u64>), SandboxJournalError> {
        let end = {
            let mut turn = self.turn(self.known(), Hold::Together)?;
            turn.with.catch_up(&self.file)?;
            turn.with.end()
        };
        let mut offset = place.max(HEADER.len() as u64);
        let mut entries = Vec::new();
        for _ in 0..limit {
            if offset >= end {
                break;
            }
            let (line, length) = self.whole_line_at(offset)?;
            if let JournalLine::Entry(entry) = line {
                entries.push(entry);
            }
            offset = offset.saturating_add(length);
        }
        Ok((entries, Some(offset).filter(|offset| *offset < end)))
    }

    fn entry_at(&self, offset: u64) -> Result<SandboxEntry, ReadError> {
        match self.line_at(offset)? {
            JournalLine::Entry(entry) => Ok(entry),
            JournalLine::Seal(_) => Err(ReadError::Damaged { offset }),
        }
    }

    fn line_at(&self, offset: u64) -> Result<JournalLine, ReadError> {
        Ok(self.whole_line_at(offset)?.0)
    }

    /// A line, and how many bytes it has with its line feed.
    fn whole_line_at(&self, offset: u64) -> Result<(JournalLine, u64), ReadError> {
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
        let length = (line.len() as u64).saturating_add(1);
        let line = codec::decode(line).ok_or(ReadError::Damaged { offset })?;
        Ok((line, length))
    }

    fn turn<'a>(
        &'a self,
        known: MutexGuard<'a, Known>,
        hold: Hold,
    ) -> Result<Turn<'a>, SandboxJournalError> {
        let turn = JournalLock::now(&self.file, hold, known).map_err(SandboxJournalError::Lock)?;
        turn.ok_or(SandboxJournalError::Busy)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // A panic while it was held leaves it as it was before or after an entry.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::airtime::AirtimeProduct;
    use crate::journal::EntryOutcome;
    use crate::product::SandboxProduct;
    use domain::money::{Currency, Money};
    use domain::phone::PhoneNumber;
    use std::time::Duration;
    use tempfile::TempDir;
    use testkit::clock::{ManualClock, START};

    fn entry(reference: &ProviderReference, at: Timestamp) -> SandboxEntry {
        let amount = Money::from_minor(100, Currency::Ngn);
        SandboxEntry {
            reference: reference.clone(),
            product: SandboxProduct::Airtime(AirtimeProduct {
                number: PhoneNumber::parse("2348035554567").unwrap(),
            }),
            ordered: amount,
            amount,
            at,
            outcome: EntryOutcome::Delivered,
            seed: 1,
            later: Duration::ZERO,
        }
    }

    #[test]
    fn after_its_latest_moment_an_entry_is_not_written() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("sandbox.journal");
        let clock = ManualClock::start();
        let journal = SandboxJournal::open(&path, MonotonicClock::new(clock.clone())).unwrap();
        let reference = ProviderReference::from_echo("a.1.1");
        let append = || {
            let granted = Granted::until(clock.clone(), Duration::MAX);
            journal.append((&reference, granted), START, |now| entry(&reference, now))
        };
        clock.jump(Duration::from_millis(1));
        let late = append();
        assert!(matches!(late, Err(SandboxJournalError::Late)), "{late:?}");
        assert_eq!(crate::journal::read(&path).unwrap(), []);
        assert_eq!(journal.find(&reference).unwrap(), None);
    }

    #[test]
    fn what_is_read_again_after_damage_was_repaired_is_taken_in_once() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("sandbox.journal");
        let journal =
            SandboxJournal::open(&path, MonotonicClock::new(ManualClock::start())).unwrap();
        let write = |bytes: &[u8], offset: u64| {
            journal.file.set_len(offset).unwrap();
            journal.file.write_all_at(bytes, offset).unwrap();
            offset + bytes.len() as u64
        };
        let line = |reference: &str| {
            let mut reversed = entry(&ProviderReference::from_echo(reference), START);
            reversed.outcome = EntryOutcome::Reversed { due: START };
            codec::encode(&reversed).unwrap()
        };
        let catch_up = || journal.known().catch_up(&journal.file);

        let second = write(&line("a.1.1"), journal.known().end());
        let third = write(b"damage\n", second);
        write(&line("a.3.1"), third);
        let damaged = catch_up();
        let Err(SandboxJournalError::Read(ReadError::Damaged { offset })) = damaged else {
            panic!("{damaged:?}");
        };
        assert_eq!(offset, second);

        let third = write(&line("a.2.1"), second);
        assert_eq!(catch_up().unwrap(), JournalTail::Whole);
        let reported = journal.changes_due(0, usize::MAX).unwrap();
        let reported: Vec<_> = reported
            .iter()
            .map(|(it, _)| it.reference.as_str())
            .collect();
        assert_eq!(reported, ["a.1.1", "a.2.1"]);

        write(&line("a.1.1"), third);
        let twice = catch_up();
        assert!(
            matches!(twice, Err(SandboxJournalError::Twice(_))),
            "{twice:?}"
        );
    }
}
