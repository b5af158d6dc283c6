//! What can go wrong with a journal. An error must name the file, and the offset of damage.

use crate::PART;
use ports::{PortError, PortErrorKind};
use std::io;
use std::path::{Path, PathBuf};

/// Why a journal could not be opened, written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The operating system refused.
    #[error("{} cannot be {doing}", path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What was being done with it, such as `read`.
        doing: &'static str,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// What is stored is not what was written.
    #[error("{} is damaged at byte {offset}: {what}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
    },
    /// It was sealed or would have to be sealed with a key that cannot be used.
    #[error("entry {entry} cannot be sealed or opened")]
    Sealed {
        /// Which entry.
        entry: u64,
        /// Why.
        #[source]
        source: key_ring::Error,
    },
    /// The sealed transaction is none this version can read.
    #[error("the transaction of entry {entry} cannot be read")]
    Transaction {
        /// Which entry.
        entry: u64,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// There is no such entry, or none any longer.
    #[error("entry {0} is not in the journal; its segment may have been removed")]
    NoEntry(u64),
    /// There is no such journal.
    #[error("there is no journal {0}")]
    NoJournal(String),
    /// Another process writes the journal now.
    #[error("another process writes the journal {0} now")]
    InUse(String),
    /// No segment can follow.
    #[error("segment {0} could not be begun")]
    NotBegun(u32),
    /// A segment was to be removed that must stay.
    #[error("segment {0} is not the oldest one, or is still written to")]
    NotRemovable(u32),
}

impl JournalError {
    /// For [`Result::map_err`]: a failure of the operating system.
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path,
            doing,
            source,
        }
    }

    pub(crate) fn damaged(path: &Path, offset: u64, what: &'static str) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            offset,
            what,
        }
    }
}

impl From<JournalError> for PortError {
    fn from(error: JournalError) -> Self {
        let trouble = match error {
            JournalError::InUse(_) => PortErrorKind::Busy,
            JournalError::Io { .. }
            | JournalError::Damaged { .. }
            | JournalError::Sealed { .. }
            | JournalError::Transaction { .. }
            | JournalError::NoEntry(_)
            | JournalError::NoJournal(_)
            | JournalError::NotBegun(_)
            | JournalError::NotRemovable(_) => PortErrorKind::Failed,
        };
        Self::caused(PART, "the attempt journal failed", error).with_trouble(trouble)
    }
}
