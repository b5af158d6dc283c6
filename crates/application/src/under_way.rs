//! The payments this process is sending, and since when: recovery of the same process leaves them
//! alone. It must never keep recovery away for longer than a payment can still be sent.

use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;
use ports::clock::Clock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

type Key = (AccountId, MerchantReference);

/// The list of payments that flows of this process may still send.
#[derive(Debug, Clone)]
pub(crate) struct UnderWay {
    clock: Arc<dyn Clock>,
    /// How long an entry counts.
    lease: Duration,
    entries: Arc<Mutex<HashMap<Key, Entry>>>,
}

/// A reference may be asked for twice at a time; only one of the flows will open it.
#[derive(Debug, Clone, Copy)]
struct Entry {
    flows: usize,
    started: Duration,
}

/// A place on the list, until dropped.
#[derive(Debug)]
pub(crate) struct UnfinishedTransaction {
    list: UnderWay,
    key: Key,
}

impl UnderWay {
    pub(crate) fn new(clock: Arc<dyn Clock>, lease: Duration) -> Self {
        Self {
            clock,
            lease,
            entries: Arc::default(),
        }
    }

    /// Lists a payment. Call it before the commit that records its first attempt.
    pub(crate) fn list(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> UnfinishedTransaction {
        let key = (account.clone(), reference.clone());
        let begun = self.clock.uptime();
        let mut entries = self.entries();
        let flows = entries.get(&key).map_or(0, |entry| entry.flows);
        let flows = flows.saturating_add(1);
        entries.insert(
            key.clone(),
            Entry {
                flows,
                started: begun,
            },
        );
        drop(entries);
        UnfinishedTransaction {
            list: self.clone(),
            key,
        }
    }

    /// Whether a flow of this process may still send an attempt of a transaction.
    pub(crate) fn has(&self, transaction: &Transaction) -> bool {
        let key = (transaction.account.clone(), transaction.reference.clone());
        let uptime = self.clock.uptime();
        let entry = self.entries().get(&key).copied();
        entry.is_some_and(|entry| uptime.saturating_sub(entry.started) < self.lease)
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Key, Entry>> {
        // Every change is whole before anything could panic.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl UnfinishedTransaction {
    /// Begins the time of an attempt anew. Call it before the commit that records the attempt.
    pub(crate) fn begin(&self) -> Duration {
        let begun = self.list.clock.uptime();
        if let Some(entry) = self.list.entries().get_mut(&self.key) {
            entry.started = begun;
        }
        begun
    }
}

impl Drop for UnfinishedTransaction {
    fn drop(&mut self) {
        let mut entries = self.list.entries();
        if let Some(entry) = entries.get_mut(&self.key) {
            entry.flows = entry.flows.saturating_sub(1);
            if entry.flows == 0 {
                entries.remove(&self.key);
            }
        }
    }
}
