//! Several writers for a store that can write in several places at once. What is about one account
//! must always go to the same of them, so that it is judged in the order it came and never gets in
//! its own way.

use super::{BatchStore, GroupCommit, QueuedWork, gone};
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use ports::measurements::Measurements;
use std::sync::Arc;

/// A fixed number of writers, each with a queue of its own.
#[derive(Debug)]
pub struct Writers<S> {
    queues: Vec<GroupCommit<S>>,
}

impl<S: BatchStore> Writers<S> {
    /// Starts a writer for each store on the runtime this is called in. Without a store everything
    /// is answered as if it were closed.
    pub fn new(stores: Vec<S>, measurements: &Arc<dyn Measurements>) -> Self {
        let stores = stores.into_iter();
        let queues = stores.map(|store| GroupCommit::new(store, Arc::clone(measurements)));
        Self {
            queues: queues.collect(),
        }
    }

    /// Hands a change set over to the writer of its account and returns once it is durable or
    /// rejected.
    pub async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        self.of(change.account())?.commit(change).await
    }

    /// Runs work on the writer of an account, between two of its batches. Once handed over it runs
    /// to its end, whether or not the caller still waits.
    pub async fn alone<T, F>(&self, account: &AccountId, work: F) -> Result<T, PortError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut S) -> QueuedWork<'a, T> + Send + 'static,
    {
        self.of(account)?.alone(work).await
    }

    /// Accepts nothing more and returns once everything queued is done and every writer has ended.
    pub async fn close(&self) {
        // All are asked to close before any is waited for, so none takes more while another still
        // works.
        let mut closing = Vec::with_capacity(self.queues.len());
        for queue in &self.queues {
            closing.push(queue.start_closing().await);
        }
        for closed in closing {
            // An error means that the writer has ended already.
            let _ = closed.await;
        }
    }

    fn of(&self, account: &AccountId) -> Result<&GroupCommit<S>, PortError> {
        let place = place(account, self.queues.len());
        place
            .and_then(|place| self.queues.get(place))
            .ok_or_else(gone)
    }
}

/// The writer of an account, among so many; none among none. FNV-1a: short names spread well over
/// few writers, and no attacker gains by a collision.
fn place(account: &AccountId, among: usize) -> Option<usize> {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    let hash = account.as_str().bytes().fold(BASIS, mix);
    let place = hash.checked_rem(u64::try_from(among).ok()?)?;
    usize::try_from(place).ok()
}

#[cfg(test)]
mod tests {
    use super::place;
    use domain::account::AccountId;
    use std::collections::BTreeMap;

    #[test]
    fn accounts_spread_over_all_places() {
        let mut found = BTreeMap::<_, u32>::new();
        for n in 0..1_000 {
            let account = AccountId::parse(&format!("merchant-{n}")).unwrap();
            *found.entry(place(&account, 8).unwrap()).or_default() += 1;
        }
        assert_eq!(found.len(), 8);
        assert!(
            found.values().all(|count| (75..=175).contains(count)),
            "{found:?}"
        );
    }

    #[test]
    fn there_is_no_place_among_none() {
        assert_eq!(place(&AccountId::parse("shop").unwrap(), 0), None);
    }
}
