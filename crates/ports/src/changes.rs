//! What providers report without being asked: how far each one's changes were read, and the changes
//! that could not be applied, which wait in the dead-letter list. A change must never leave that
//! list but by being applied.

use crate::PortError;
use async_trait::async_trait;
use domain::provider::{ProviderId, QueryOutcome};
use domain::reference::ProviderReference;
use domain::time::Timestamp;

/// How far the changes of a provider were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The position to read on from, as the provider counts them.
    pub position: u64,
    /// When what is before it had been read.
    pub read_at: Timestamp,
}

/// Moving a cursor forward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorMove {
    /// Whose changes were read.
    pub provider: ProviderId,
    /// The stored position when they were read; 0 where there was none.
    pub from: u64,
    /// The position to read on from.
    pub to: u64,
    /// When they were read.
    pub read_at: Timestamp,
}

/// Which change of which provider. The reference belongs to the name: a provider that inserts a
/// change before others moves their positions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangeId {
    /// The provider that reported it.
    pub provider: ProviderId,
    /// Its position among the changes of that provider.
    pub position: u64,
    /// The attempt it is about, as the provider wrote it.
    pub reference: ProviderReference,
}

/// A change that could not be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// Which change.
    pub id: ChangeId,
    /// What the provider reported.
    pub finding: QueryOutcome,
    /// Why it could not be applied the last time, for people.
    pub reason: String,
    /// When it was first found not to be applicable.
    pub first_seen_at: Timestamp,
    /// When it was last tried.
    pub tried_at: Timestamp,
    /// How often it was tried, at least once.
    pub tries: u32,
    /// Where it stands.
    pub status: ChangeStatus,
}

/// Where a dead letter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeStatus {
    /// It waits to be tried again.
    Open {
        /// The moment from which it may be tried.
        due_at: Timestamp,
    },
    /// It was applied.
    Resolved {
        /// When.
        at: Timestamp,
    },
}

/// What became of putting a change into the dead-letter list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetAside {
    /// It waits there now.
    Done,
    /// It waited there already; nothing was changed.
    Known,
    /// As many wait as may; nothing was changed.
    Full,
}

/// What came of trying a dead letter once more, in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retried {
    /// When it was tried.
    pub at: Timestamp,
    /// When it may be tried again.
    pub due_at: Timestamp,
    /// Why it could not be applied.
    pub reason: String,
}

/// The cursors of the providers' changes and the dead-letter list.
#[async_trait]
pub trait ProviderChanges: Send + Sync + std::fmt::Debug {
    /// How far the changes of a provider were read; `None` before the first.
    ///
    /// # Errors
    /// When the store failed.
    async fn cursor(&self, provider: &ProviderId) -> Result<Option<Cursor>, PortError>;

    /// Moves a cursor forward and answers the position that is stored afterwards. A cursor that is
    /// further already stays. One that is behind `from` stays as well: the store was set back
    /// since it was read, and what it lost must be read again.
    ///
    /// # Errors
    /// When the store failed, or the position is beyond what it can hold.
    async fn advance(&self, step: &CursorMove) -> Result<u64, PortError>;

    /// Puts a change that could not be applied into the list, unless `open_max` changes or more
    /// wait there. One that was resolved is opened again and keeps the moment it was first seen.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_aside(&self, letter: &DeadLetter, open_max: u64) -> Result<SetAside, PortError>;

    /// The open letters that are due, longest due first, at most `limit`.
    ///
    /// # Errors
    /// When the store failed.
    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<DeadLetter>, PortError>;

    /// Notes that an open letter was tried in vain; `false` where it is not open.
    ///
    /// # Errors
    /// When the store failed.
    async fn retried(&self, id: &ChangeId, retried: &Retried) -> Result<bool, PortError>;

    /// Notes that an open letter was applied; `false` where it is not open.
    ///
    /// # Errors
    /// When the store failed.
    async fn resolve(&self, id: &ChangeId, at: Timestamp) -> Result<bool, PortError>;

    /// The open letters, first seen first, at most `limit`.
    ///
    /// # Errors
    /// When the store failed.
    async fn open_letters(&self, limit: u32) -> Result<Vec<DeadLetter>, PortError>;

    /// Makes every open letter that is due later due now; answers how many are open.
    ///
    /// # Errors
    /// When the store failed.
    async fn make_due(&self, now: Timestamp) -> Result<u64, PortError>;
}
