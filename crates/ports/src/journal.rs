//! The attempt journal: what an instance was about to send, durable outside the database, so that a
//! restored database is recognised. It must never decide the outcome of an attempt: an entry
//! without a row in the store is a query to the provider, nothing more.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, Transaction};

/// The place of an entry in the journal of this process, rising by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(pub u64);

/// What this process writes before it sends.
#[async_trait]
pub trait AttemptJournal: Send + Sync + std::fmt::Debug {
    /// Appends the attempt that a transaction is about to make, as it is committed, and returns
    /// once the entry is durable. Concurrent calls may be made durable together.
    ///
    /// # Errors
    /// When the entry may not be durable: nothing may be sent then.
    async fn append(&self, transaction: &Transaction) -> Result<EntryId, PortError>;

    /// Notes that the store holds the attempt of an entry. It must be called after the commit and
    /// before the first byte leaves; it outlives the process, not the machine.
    ///
    /// # Errors
    /// When it could not be noted: nothing may be sent then.
    fn confirm(&self, entry: EntryId) -> Result<(), PortError>;

    /// Notes that the store refused the attempt of an entry, so that nothing was and nothing will
    /// be sent under it. A note that is lost leaves a question for the next start.
    fn void(&self, entry: EntryId);
}

/// One entry, as the start of a process compares it with the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalledAttempt {
    /// Its place.
    pub entry: EntryId,
    /// Whose transaction it belongs to.
    pub account: AccountId,
    /// The merchant's reference of the transaction.
    pub reference: MerchantReference,
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// The provider it was to be sent to.
    pub provider: ProviderId,
    /// What the provider knows the attempt by.
    pub provider_reference: ProviderReference,
    /// When the attempt was recorded.
    pub started_at: Timestamp,
    /// Whether it may have been sent.
    pub standing: JournalStanding,
}

/// Whether the attempt of an entry may have been sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JournalStanding {
    /// The store held it and the process was free to send it.
    Confirmed,
    /// The process ended before its commit was confirmed, on this very boot of the machine: no
    /// note was lost, so nothing was sent.
    NeverSent,
    /// No commit was confirmed, and the machine was restarted since: notes may have been lost.
    Unknown,
}

/// Reading the journals that this machine keeps: that of this process and those that no living
/// process writes.
#[async_trait]
pub trait JournalReader: Send + Sync + std::fmt::Debug {
    /// Entries of a journal that were not voided, newest first, older than `before`, at most
    /// `limit`; fewer than `limit` mean that there are no older ones. Of what this process
    /// appended only confirmed entries are returned: the others are still under way.
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged anywhere but at its torn end.
    async fn page(
        &self,
        journal: &JournalId,
        before: Option<EntryId>,
        limit: usize,
    ) -> Result<Vec<JournalledAttempt>, PortError>;

    /// The transaction of an entry as it was committed with that attempt.
    ///
    /// # Errors
    /// When the entry is gone, or the key it was sealed with is not in the key ring.
    async fn transaction(
        &self,
        journal: &JournalId,
        entry: EntryId,
    ) -> Result<Transaction, PortError>;

    /// The journals: first the one this process writes, then those no process writes now.
    ///
    /// # Errors
    /// When the folder cannot be read.
    async fn journals(&self) -> Result<Vec<JournalId>, PortError>;
}

/// Removing what the journal of this process need not keep any longer. What may be removed is
/// decided by the caller, who compares the entries with the store.
#[async_trait]
pub trait JournalRetention: Send + Sync + std::fmt::Debug {
    /// The oldest segment of this process's journal, where it is beyond what is kept at `now`.
    /// Every entry of it that was not voided is listed, oldest first; one that this process
    /// appended and has not confirmed is [`JournalStanding::Unknown`].
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged.
    async fn oldest_segment(&self, now: Timestamp) -> Result<Option<OldestSegment>, PortError>;

    /// Removes the segment that [`Self::oldest_segment`] gave, once each of its attempts is final
    /// in the store. A durable checkpoint of it stays.
    ///
    /// # Errors
    /// When it is not the oldest segment, is still written to, or cannot be removed.
    async fn remove_segment(&self, segment: SegmentNumber, now: Timestamp)
    -> Result<(), PortError>;

    /// What was removed of a journal, oldest first.
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged.
    async fn checkpoints(&self, journal: &JournalId) -> Result<Vec<JournalCheckpoint>, PortError>;
}

/// The place of a segment in its journal, rising by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SegmentNumber(pub u32);

/// A segment that is kept only as long as an attempt in it is not final.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldestSegment {
    /// Which one.
    pub segment: SegmentNumber,
    /// Its entries that were not voided, oldest first.
    pub entries: Vec<JournalledAttempt>,
}

/// What is still known of a segment that was removed. A store in which its newest attempt is
/// missing is older than the journal's beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalCheckpoint {
    /// The segment.
    pub segment: SegmentNumber,
    /// When it was removed.
    pub removed_at: Timestamp,
    /// Its last entry; none where it had none.
    pub last_entry: Option<EntryId>,
    /// The newest of its entries that were confirmed, if any was.
    pub newest: Option<JournalledAttempt>,
}

/// The identity of one journal, 32 hexadecimal digits, drawn when it was made.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JournalId(pub String);

/// Everything a journal does.
pub trait Journal: AttemptJournal + JournalReader + JournalRetention {}

impl<T: AttemptJournal + JournalReader + JournalRetention> Journal for T {}

/// The journal of a process that sends nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unjournalled;

fn sends_nothing() -> PortError {
    PortError::new(
        "attempt-journal",
        "this process has no journal and sends nothing",
    )
    .with_nothing_done()
}

#[async_trait]
impl AttemptJournal for Unjournalled {
    async fn append(&self, _transaction: &Transaction) -> Result<EntryId, PortError> {
        Err(sends_nothing())
    }

    fn confirm(&self, _entry: EntryId) -> Result<(), PortError> {
        Err(sends_nothing())
    }

    fn void(&self, _entry: EntryId) {}
}

#[async_trait]
impl JournalReader for Unjournalled {
    async fn page(
        &self,
        _journal: &JournalId,
        _before: Option<EntryId>,
        _limit: usize,
    ) -> Result<Vec<JournalledAttempt>, PortError> {
        Ok(Vec::new())
    }

    async fn transaction(
        &self,
        _journal: &JournalId,
        _entry: EntryId,
    ) -> Result<Transaction, PortError> {
        Err(sends_nothing())
    }

    async fn journals(&self) -> Result<Vec<JournalId>, PortError> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl JournalRetention for Unjournalled {
    async fn oldest_segment(&self, _now: Timestamp) -> Result<Option<OldestSegment>, PortError> {
        Ok(None)
    }

    async fn remove_segment(
        &self,
        _segment: SegmentNumber,
        _now: Timestamp,
    ) -> Result<(), PortError> {
        Err(sends_nothing())
    }

    async fn checkpoints(&self, _journal: &JournalId) -> Result<Vec<JournalCheckpoint>, PortError> {
        Ok(Vec::new())
    }
}
