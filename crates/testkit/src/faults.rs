//! A fault injector over a ledger store. The fault must be exactly the one configured: a lost
//! request changes nothing, and a lost answer follows a whole commit.

use crate::contract::storage::Stores;
use async_trait::async_trait;
use domain::change_set::ChangeSet;
use ports::clock::Clock;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use ports::{PortError, PortErrorKind};
use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What goes wrong with a commit.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The store fails before it has done anything.
    RequestLost,
    /// The store does nothing, and says that and what its trouble is.
    Refused(PortErrorKind),
    /// The store does its work, and the verdict is lost.
    ResponseLost,
    /// An advance is answered a version conflict with the transaction as it stands, and nothing is
    /// done.
    Conflict,
    /// Another writer commits this first; then the commit runs as usual.
    Overtaken(Box<ChangeSet>),
    /// The commit runs after so much of the clock's time.
    Delayed(Duration),
    /// The commit runs, and the verdict comes after so much of the clock's time.
    AnsweredLate(Duration),
    /// Nothing is done and no verdict ever comes.
    Hung,
}

/// Books over other books, failing on command.
#[derive(Debug)]
pub struct FaultyBooks {
    books: Arc<dyn LedgerStore>,
    transactions: Arc<dyn Transactions>,
    clock: Arc<dyn Clock>,
    record: Mutex<Record>,
}

#[derive(Debug, Default)]
struct Record {
    commits: Vec<ChangeSet>,
    /// What is wrong with which commit, the first being 1.
    faults: BTreeMap<usize, Fault>,
    down: bool,
}

impl FaultyBooks {
    /// Faults over a store; nothing fails until a fault is set.
    pub fn over(stores: &Stores, clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            books: stores.books.clone(),
            transactions: stores.transactions.clone(),
            clock,
            record: Mutex::default(),
        })
    }

    /// What goes wrong with the `n`th commit ever made here, the first being 1.
    pub fn on_commit(&self, n: usize, fault: Fault) -> &Self {
        let mut record = self.record();
        assert!(n > record.commits.len(), "commit {n} is over already");
        record.faults.insert(n, fault);
        drop(record);
        self
    }

    /// What goes wrong with the next commit that has no fault yet.
    pub fn on_next(&self, fault: Fault) -> &Self {
        let mut record = self.record();
        let mut n = record.commits.len() + 1;
        while record.faults.contains_key(&n) {
            n += 1;
        }
        record.faults.insert(n, fault);
        drop(record);
        self
    }

    /// Loses every request from now on, or only those with a fault of their own.
    pub fn set_reachable(&self, reachable: Reachable) {
        self.record().down = reachable == Reachable::No;
    }

    /// Every change that was asked for, failed ones included, in order.
    pub fn commits(&self) -> Vec<ChangeSet> {
        self.record().commits.clone()
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a commit and answers what goes wrong with it.
    fn note(&self, change: &ChangeSet) -> Option<Fault> {
        let mut record = self.record();
        record.commits.push(change.clone());
        let n = record.commits.len();
        let down = record.down.then_some(Fault::RequestLost);
        record.faults.remove(&n).or(down)
    }

    async fn conflict(&self, change: &ChangeSet) -> Result<CommitOutcome, PortError> {
        let ChangeSet::Advance(advance) = change else {
            panic!("only an advance can meet a version conflict: {change:?}");
        };
        let tx = &advance.transaction;
        let current = self
            .transactions
            .by_reference(&tx.account, &tx.reference)
            .await?;
        let current = current.expect("the transaction was opened");
        Ok(CommitOutcome::VersionConflict(Box::new(current)))
    }
}

/// Whether a store can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reachable {
    /// It works.
    Yes,
    /// Every request to it is lost.
    No,
}

#[async_trait]
impl LedgerStore for FaultyBooks {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        match self.note(&change) {
            None => self.books.commit(change).await,
            Some(Fault::RequestLost) => Err(PortError::new("faults", "the request was lost")),
            Some(Fault::Refused(trouble)) => {
                let error = PortError::new("faults", "the request was refused");
                Err(error.with_trouble(trouble).with_nothing_done())
            }
            Some(Fault::ResponseLost) => {
                self.books.commit(change).await?;
                Err(PortError::new("faults", "the response was lost"))
            }
            Some(Fault::Conflict) => self.conflict(&change).await,
            Some(Fault::Overtaken(other)) => {
                let overtaken = self.books.commit(*other).await?;
                assert_eq!(
                    overtaken,
                    CommitOutcome::Done,
                    "the overtaking worker must succeed"
                );
                self.books.commit(change).await
            }
            Some(Fault::Delayed(duration)) => {
                self.clock.sleep(duration).await;
                self.books.commit(change).await
            }
            Some(Fault::AnsweredLate(duration)) => {
                let verdict = self.books.commit(change).await;
                self.clock.sleep(duration).await;
                verdict
            }
            Some(Fault::Hung) => pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::{advance, airtime, at, declined, delivered};
    use crate::clock::ManualClock;
    use crate::memory::MemoryStore;
    use domain::change_set::StateChange;

    async fn shop() -> (Stores, Arc<FaultyBooks>, Arc<ManualClock>) {
        let stores = Stores::of(MemoryStore::new());
        stores.has_account("shop", "10,000.00").await;
        let clock = ManualClock::start();
        let books = FaultyBooks::over(&stores, clock.clone());
        (stores, books, clock)
    }

    fn step(advance: StateChange) -> ChangeSet {
        ChangeSet::Advance(Box::new(advance))
    }

    #[tokio::test]
    async fn a_lost_request_does_nothing_and_a_lost_response_everything() {
        let (stores, books, _) = shop().await;
        books
            .on_next(Fault::RequestLost)
            .on_next(Fault::ResponseLost);
        assert!(books.commit(airtime().change()).await.is_err());
        assert_eq!(stores.read("shop", "order-1").await, None);
        assert!(books.commit(airtime().change()).await.is_err());
        assert!(stores.read("shop", "order-1").await.is_some());
        assert_eq!(books.commits().len(), 2);
        books.set_reachable(Reachable::No);
        assert!(books.commit(airtime().nth(2).change()).await.is_err());
        books.set_reachable(Reachable::Yes);
        let verdict = books.commit(airtime().nth(2).change()).await;
        assert_eq!(verdict.unwrap(), CommitOutcome::Done);
    }

    #[tokio::test]
    async fn a_conflict_answers_what_is_stored() {
        let (stores, books, _) = shop().await;
        let tx = stores.has_opened(&airtime()).await;
        let yes = advance(&tx, &delivered(&tx), at(1));
        let no = advance(&tx, &declined(&tx), at(1));
        books.on_commit(1, Fault::Conflict);
        books.on_commit(2, Fault::Overtaken(Box::new(step(no.clone()))));
        let verdict = books.commit(step(yes.clone())).await.unwrap();
        assert_eq!(verdict, CommitOutcome::VersionConflict(Box::new(tx)));
        let verdict = books.commit(step(yes)).await.unwrap();
        assert_eq!(
            verdict,
            CommitOutcome::VersionConflict(Box::new(no.transaction))
        );
    }

    #[tokio::test]
    async fn a_late_answer_comes_after_the_change() {
        let (stores, books, clock) = shop().await;
        let second = Duration::from_secs(1);
        books
            .on_next(Fault::AnsweredLate(second))
            .on_next(Fault::Delayed(second));
        let mut tasks = tokio::task::JoinSet::new();
        for n in [1, 2] {
            let books = books.clone();
            tasks.spawn(async move { books.commit(airtime().nth(n).change()).await.unwrap() });
        }
        clock.until_sleepers(2).await;
        assert!(stores.read("shop", "order-1").await.is_some());
        assert_eq!(stores.read("shop", "order-2").await, None);
        clock.advance(second).await;
        assert_eq!(
            tasks.join_all().await,
            [CommitOutcome::Done, CommitOutcome::Done]
        );
    }
}
