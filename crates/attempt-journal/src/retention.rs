//! Removing the oldest segment of the journal of this process. It must never remove a segment whose
//! attempts it was not given back, nor before what stays of it is durable.

use crate::checkpoint::{self, Checkpoint};
use crate::disk::sync_folder;
use crate::folder::{ENTRIES, JournalFolder, MARKS};
use crate::journal::FileJournal;
use crate::reader::{FileJournalReader, ReadEntry, blocking};
use crate::segment::Segment;
use crate::walk::{Walk, WalkStep};
use crate::writer::Own;
use crate::{JournalError, JournalOptions};
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::PortError;
use ports::journal::{
    EntryId, JournalCheckpoint, JournalId, JournalRetention, JournalStanding, JournalledAttempt,
    OldestSegment, SegmentNumber,
};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, PoisonError};

/// The oldest segment with what is known of it, if the journal has one that is not written to.
fn oldest(
    reader: &FileJournalReader,
    own: &Own,
) -> Result<Option<(WalkStep, Arc<Segment>)>, JournalError> {
    let mut walk = Walk::new(&own.folder)?;
    let mut oldest = None;
    while let Some(step) = walk.step()? {
        oldest = Some(step);
    }
    let closed = oldest.filter(|step| step.segment < own.live_segment());
    let Some(step) = closed else {
        return Ok(None);
    };
    let segment = reader.segment(&own.folder, &step)?;
    Ok(segment.map(|segment| (step, segment)))
}

/// The entries of a segment that were not voided, oldest first.
fn entries(
    reader: &FileJournalReader,
    own: &Own,
    (step, segment): (&WalkStep, &Segment),
) -> Result<Vec<JournalledAttempt>, JournalError> {
    let notes = reader.notes(&own.folder, step, segment)?;
    let listed = segment.numbered().filter_map(|(entry, located)| {
        let standing = match notes.of(entry) {
            ReadEntry::Voided => return None,
            ReadEntry::UnderWay => JournalStanding::Unknown,
            ReadEntry::Standing(standing) => standing,
        };
        Some(located.about.standing(entry, standing))
    });
    Ok(listed.collect())
}

fn is_beyond(
    own: &Own,
    options: JournalOptions,
    segment: &Segment,
    now: Timestamp,
) -> Result<bool, JournalError> {
    let last = segment.entries.last();
    let newest = last.map_or(segment.header.made_at, |last| last.about.started_at);
    if newest.plus(options.keep) < now {
        return Ok(true);
    }
    Ok(size(&own.folder)? > options.bytes_max)
}

/// The size of all files of a journal.
fn size(folder: &JournalFolder) -> Result<u64, JournalError> {
    let failed = |source| JournalError::io(&folder.path, "measured")(source);
    let mut size = 0_u64;
    for item in fs::read_dir(&folder.path).map_err(failed)? {
        let metadata = item.and_then(|item| item.metadata()).map_err(failed)?;
        size = size.saturating_add(metadata.len());
    }
    Ok(size)
}

fn remove(
    reader: &FileJournalReader,
    own: &Own,
    number: u32,
    now: Timestamp,
) -> Result<(), JournalError> {
    let removal = reader.removal.write();
    let _alone = removal.unwrap_or_else(PoisonError::into_inner);
    let oldest = oldest(reader, own)?.filter(|(step, _)| step.segment == number);
    let (step, segment) = oldest.ok_or(JournalError::NotRemovable(number))?;
    let entries = entries(reader, own, (&step, &segment))?;
    let confirmed = entries.iter().rev();
    let newest = confirmed
        .filter(|entry| entry.standing == JournalStanding::Confirmed)
        .map(|entry| entry.entry.0)
        .next();
    let newest = newest.and_then(|entry| segment.numbered().find(|(number, _)| *number == entry));
    checkpoint::append(
        &own.folder,
        &Checkpoint {
            segment: number,
            removed_at: now,
            last_entry: segment.last_entry(),
            newest: newest.map(|(entry, located)| (entry, located.about.clone())),
        },
    )?;
    // Marks without entries are nothing, entries without marks would be in doubt.
    for kind in [ENTRIES, MARKS] {
        unlink(&own.folder.file(number, kind))?;
    }
    sync_folder(&own.folder.path).map_err(JournalError::io(&own.folder.path, "synced"))
}

fn unlink(path: &Path) -> Result<(), JournalError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(JournalError::io(path, "removed")(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

#[async_trait]
impl JournalRetention for FileJournal {
    async fn oldest_segment(&self, now: Timestamp) -> Result<Option<OldestSegment>, PortError> {
        let (reader, own) = (Arc::clone(&self.reader), Arc::clone(&self.own));
        let options = self.options;
        blocking(move || {
            let _unremoved = reader.unremoved();
            let Some((step, segment)) = oldest(&reader, &own)? else {
                return Ok(None);
            };
            if !is_beyond(&own, options, &segment, now)? {
                return Ok(None);
            }
            Ok(Some(OldestSegment {
                segment: SegmentNumber(step.segment),
                entries: entries(&reader, &own, (&step, &segment))?,
            }))
        })
        .await
    }

    async fn remove_segment(
        &self,
        segment: SegmentNumber,
        now: Timestamp,
    ) -> Result<(), PortError> {
        let (reader, own) = (Arc::clone(&self.reader), Arc::clone(&self.own));
        blocking(move || remove(&reader, &own, segment.0, now)).await
    }

    async fn checkpoints(&self, journal: &JournalId) -> Result<Vec<JournalCheckpoint>, PortError> {
        let (reader, journal) = (Arc::clone(&self.reader), journal.clone());
        blocking(move || {
            let removed = reader.checkpoints(&journal)?;
            Ok(removed.into_iter().map(port).collect())
        })
        .await
    }
}

fn port(checkpoint: Checkpoint) -> JournalCheckpoint {
    JournalCheckpoint {
        segment: SegmentNumber(checkpoint.segment),
        removed_at: checkpoint.removed_at,
        last_entry: checkpoint.last_entry.map(EntryId),
        newest: checkpoint
            .newest
            .map(|(entry, about)| about.standing(entry, JournalStanding::Confirmed)),
    }
}
