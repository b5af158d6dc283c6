//! What stays of segments that were removed: one line for each in the file `checkpoint`. A line
//! must be durable before its segment goes.

use crate::JournalError;
use crate::disk::{open_private, sync_folder};
use crate::folder::{self, JournalFolder};
use crate::frame::FrameKind;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::time::Timestamp;
use domain::transaction::AttemptNumber;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::PathBuf;

const FILE: &str = "checkpoint";

/// What is known of a removed segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub(crate) segment: u32,
    pub(crate) removed_at: Timestamp,
    pub(crate) last_entry: Option<u64>,
    /// The newest entry that was confirmed.
    pub(crate) newest: Option<(u64, FrameKind)>,
}

#[derive(Serialize, Deserialize)]
struct CheckpointLine {
    journal: String,
    segment: u32,
    removed_at: i64,
    last_entry: Option<u64>,
    newest: Option<Newest>,
}

#[derive(Serialize, Deserialize)]
struct Newest {
    entry: u64,
    attempt: u8,
    started_at: i64,
    account: String,
    reference: String,
    provider: String,
    provider_reference: String,
}

/// The checkpoints of a journal, oldest first. A line that was torn when it was written is none:
/// its segment was not removed then.
pub(crate) fn read(folder: &JournalFolder) -> Result<Vec<Checkpoint>, JournalError> {
    let path = folder.path.join(FILE);
    let bytes = folder::read(&path)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let mut checkpoints: Vec<Checkpoint> = Vec::new();
    let mut offset = 0_u64;
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n').map(|line| parsed(folder, line)) {
            Some(Some(checkpoint)) => {
                // A segment that could not be removed at once has a line for each try.
                checkpoints.retain(|it| it.segment != checkpoint.segment);
                checkpoints.push(checkpoint);
            }
            Some(None) if !line.trim_end().is_empty() => {
                let what = "a line does not match its checksum";
                return Err(JournalError::damaged(&path, offset, what));
            }
            Some(None) | None => {}
        }
        offset = offset.saturating_add(crate::codec::long(line.len()));
    }
    Ok(checkpoints)
}

/// Writes a checkpoint and makes it durable.
pub(crate) fn append(folder: &JournalFolder, checkpoint: &Checkpoint) -> Result<(), JournalError> {
    let path = folder.path.join(FILE);
    let content = content(folder, checkpoint).map_err(JournalError::io(&path, "written"))?;
    let line = format!("{:08x} {content}\n", crc32fast::hash(content.as_bytes()));
    let write = || {
        let mut file = open_private(&path)?;
        cut_torn_line(&file, &path)?;
        file.write_all(line.as_bytes())?;
        file.sync_all()?;
        sync_folder(&folder.path)
    };
    write().map_err(JournalError::io(&path, "written"))
}

/// Cuts off what was left of a line by a process that did not finish it.
fn cut_torn_line(file: &std::fs::File, path: &PathBuf) -> std::io::Result<()> {
    let bytes = std::fs::read(path)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n');
    let whole = whole.map_or(0, |at| crate::codec::long(at).saturating_add(1));
    if whole < crate::codec::long(bytes.len()) {
        file.set_len(whole)?;
    }
    Ok(())
}

fn content(folder: &JournalFolder, checkpoint: &Checkpoint) -> std::io::Result<String> {
    let newest = checkpoint.newest.as_ref().map(|(entry, about)| Newest {
        entry: *entry,
        attempt: about.attempt.get(),
        started_at: about.started_at.as_millis(),
        account: about.account.as_str().to_owned(),
        reference: about.reference.as_str().to_owned(),
        provider: about.provider.as_str().to_owned(),
        provider_reference: about.provider_reference.as_str().to_owned(),
    });
    Ok(serde_json::to_string(&CheckpointLine {
        journal: folder.id.0.clone(),
        segment: checkpoint.segment,
        removed_at: checkpoint.removed_at.as_millis(),
        last_entry: checkpoint.last_entry,
        newest,
    })?)
}

fn parsed(folder: &JournalFolder, line: &str) -> Option<Checkpoint> {
    let (checksum, content) = line.split_once(' ')?;
    let checksum = u32::from_str_radix(checksum, 16).ok()?;
    if crc32fast::hash(content.as_bytes()) != checksum {
        return None;
    }
    let line: CheckpointLine = serde_json::from_str(content).ok()?;
    let newest = match line.newest {
        None => None,
        Some(newest) => Some((newest.entry, newest.about()?)),
    };
    (line.journal == folder.id.0).then_some(Checkpoint {
        segment: line.segment,
        removed_at: Timestamp::from_millis(line.removed_at),
        last_entry: line.last_entry,
        newest,
    })
}

impl Newest {
    fn about(&self) -> Option<FrameKind> {
        Some(FrameKind {
            attempt: AttemptNumber::try_new(self.attempt).ok()?,
            started_at: Timestamp::from_millis(self.started_at),
            account: AccountId::parse(&self.account).ok()?,
            reference: MerchantReference::parse(&self.reference).ok()?,
            provider: ProviderId::parse(&self.provider).ok()?,
            provider_reference: ProviderReference::from_echo(self.provider_reference.as_str()),
        })
    }
}
