//! An attempt journal in memory. It outlives a gateway, as a file does.

use async_trait::async_trait;
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, State, Transaction};
use ports::PortError;
use ports::journal::{
    AttemptJournal, EntryId, JournalCheckpoint, JournalId, JournalReader, JournalRetention,
    JournalStanding, JournalledAttempt, OldestSegment, SegmentNumber,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One journal, whose entries a test can look at.
#[derive(Debug)]
pub struct MemoryJournal {
    id: JournalId,
    kept: Mutex<JournalEntries>,
}

#[derive(Debug, Default)]
struct JournalEntries {
    entries: Vec<(Transaction, Mark)>,
    is_full: bool,
}

/// What was noted of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Confirmed,
    Void,
}

impl MemoryJournal {
    /// An empty journal.
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            id: JournalId("0".repeat(32)),
            kept: Mutex::default(),
        })
    }

    /// From now on nothing can be appended.
    pub fn fills_up(&self) {
        self.kept().is_full = true;
    }

    /// The attempts that were appended, oldest first, voided ones left out.
    pub fn attempts(&self) -> Vec<Transaction> {
        let kept = self.kept();
        let entries = kept.entries.iter();
        let live = entries.filter(|(_, mark)| *mark != Mark::Void);
        live.map(|(transaction, _)| transaction.clone()).collect()
    }

    fn kept(&self) -> MutexGuard<'_, JournalEntries> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn mark(&self, entry: EntryId, mark: Mark) {
        let mut kept = self.kept();
        let place = usize::try_from(entry.0).expect("a small journal");
        kept.entries[place - 1].1 = mark;
    }
}

fn journalled(place: usize, (tx, mark): &(Transaction, Mark)) -> Option<JournalledAttempt> {
    let (attempt, started_at) = if let State::Booked(booked) = &tx.state {
        (AttemptNumber::FIRST, booked.at)
    } else if let State::Sending(sending) = tx.state {
        (sending.attempt, sending.started_at)
    } else {
        panic!("only what is about to be sent or booked is journalled: {tx:?}");
    };
    let standing = match mark {
        Mark::Void => return None,
        Mark::Confirmed => JournalStanding::Confirmed,
        Mark::None => JournalStanding::NeverSent,
    };
    Some(JournalledAttempt {
        entry: EntryId(u64::try_from(place).ok()? + 1),
        account: tx.account.clone(),
        reference: tx.reference.clone(),
        attempt,
        provider: tx.provider_of(attempt).clone(),
        provider_reference: tx.provider_reference(attempt),
        started_at,
        standing,
    })
}

#[async_trait]
impl AttemptJournal for MemoryJournal {
    async fn append(&self, transaction: &Transaction) -> Result<EntryId, PortError> {
        let mut kept = self.kept();
        if kept.is_full {
            return Err(PortError::new("journal", "no space left on device"));
        }
        kept.entries.push((transaction.clone(), Mark::None));
        Ok(EntryId(kept.entries.len() as u64))
    }

    fn confirm(&self, entry: EntryId) -> Result<(), PortError> {
        self.mark(entry, Mark::Confirmed);
        Ok(())
    }

    fn void(&self, entry: EntryId) {
        self.mark(entry, Mark::Void);
    }
}

#[async_trait]
impl JournalReader for MemoryJournal {
    async fn page(
        &self,
        _journal: &JournalId,
        before: Option<EntryId>,
        limit: usize,
    ) -> Result<Vec<JournalledAttempt>, PortError> {
        let kept = self.kept();
        let entries = kept.entries.iter().enumerate().rev();
        let shown = entries.filter_map(|(place, entry)| journalled(place, entry));
        let older = shown.filter(|it| before.is_none_or(|before| it.entry < before));
        Ok(older.take(limit).collect())
    }

    async fn transaction(
        &self,
        _journal: &JournalId,
        entry: EntryId,
    ) -> Result<Transaction, PortError> {
        let place = usize::try_from(entry.0).expect("a small journal");
        Ok(self.kept().entries[place - 1].0.clone())
    }

    async fn journals(&self) -> Result<Vec<JournalId>, PortError> {
        Ok(vec![self.id.clone()])
    }
}

#[async_trait]
impl JournalRetention for MemoryJournal {
    async fn oldest_segment(&self, _now: Timestamp) -> Result<Option<OldestSegment>, PortError> {
        Ok(None)
    }

    async fn remove_segment(
        &self,
        _segment: SegmentNumber,
        _now: Timestamp,
    ) -> Result<(), PortError> {
        Err(PortError::new("journal", "it has one segment"))
    }

    async fn checkpoints(&self, _journal: &JournalId) -> Result<Vec<JournalCheckpoint>, PortError> {
        Ok(Vec::new())
    }
}
