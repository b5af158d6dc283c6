//! Many callers of a store under faults, and the comparison of what each received with what is
//! stored. It must accept either outcome of an error with an unknown commit status.

use crate::stage::is_clean;
use domain::change_set::{ChangeSet, Funding};
use domain::reference::MerchantReference;
use domain::transaction::{State, Transaction};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use ports::{CommitState, PortError};
use postgres::PostgresStore;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use testkit::builders::{account_id, advance, airtime, at, delivered, funding, reference};
use tokio::task::JoinSet;

/// Accounts of a load, each rich enough for all of it.
pub(crate) const SHOPS: [&str; 4] = ["shop-1", "shop-2", "shop-3", "shop-4"];

const CALLERS: usize = 16;

/// What a caller tried and what it received.
#[derive(Debug)]
struct ClientView {
    what: What,
    verdict: Result<CommitOutcome, PortError>,
}

#[derive(Debug)]
enum What {
    Opened(Box<Transaction>),
    Delivered(Box<Transaction>),
    Funded(Funding),
}

/// Callers that go on until they are stopped.
#[derive(Debug)]
pub(crate) struct Load {
    callers: JoinSet<Vec<ClientView>>,
    stop: Arc<AtomicBool>,
    acknowledged: Arc<AtomicU64>,
}

impl Load {
    pub(crate) fn on(store: &Arc<PostgresStore>) -> Self {
        let mut load = Self {
            callers: JoinSet::new(),
            stop: Arc::default(),
            acknowledged: Arc::default(),
        };
        let next = Arc::new(AtomicU64::new(1));
        for place in 0..CALLERS {
            let caller = Caller {
                shop: SHOPS[place % SHOPS.len()],
                store: store.clone(),
                next: next.clone(),
                acknowledged: load.acknowledged.clone(),
                reported: Vec::new(),
            };
            load.callers.spawn(caller.run(load.stop.clone()));
        }
        load
    }

    /// How many changes were acknowledged so far.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged.load(Ordering::Relaxed)
    }

    /// Ends it and compares every answer with what is stored.
    pub(crate) async fn ends_well(self, store: &PostgresStore) {
        self.stop.store(true, Ordering::Relaxed);
        let reported: Vec<_> = self
            .callers
            .join_all()
            .await
            .into_iter()
            .flatten()
            .collect();
        let mut counted = [0_u64; 3];
        for ClientView { what, verdict } in &reported {
            let is_stored = what.is_stored(store).await;
            match verdict {
                Ok(verdict) => {
                    assert_eq!(*verdict, CommitOutcome::Done, "{what:?}");
                    assert!(is_stored, "acknowledged and lost: {what:?}");
                    counted[0] += 1;
                }
                Err(error) if error.effect == CommitState::Nothing => {
                    assert!(!is_stored, "refused and stored: {what:?} {error:?}");
                    counted[1] += 1;
                }
                Err(_) => counted[2] += 1,
            }
        }
        let [done, refused, unknown] = counted;
        println!("{done} acknowledged, {refused} refused, {unknown} unknown");
        is_clean(store).await;
    }
}

impl What {
    async fn is_stored(&self, store: &PostgresStore) -> bool {
        match self {
            Self::Opened(tx) => stored(store, tx).await.is_some(),
            Self::Delivered(tx) => {
                let found = stored(store, tx).await;
                found.is_some_and(|found| matches!(found.state, State::Successful(_)))
            }
            Self::Funded(funding) => {
                // A repeat is distinguished from the first.
                let again = ChangeSet::Fund(funding.clone());
                let verdict = store.commit(again).await.unwrap();
                let taken = matches!(verdict, CommitOutcome::FundingTaken(_));
                assert!(taken || verdict == CommitOutcome::Done, "{verdict:?}");
                taken
            }
        }
    }
}

async fn stored(store: &PostgresStore, tx: &Transaction) -> Option<Transaction> {
    let found = store.by_reference(&tx.account, &tx.reference).await;
    found.unwrap()
}

struct Caller {
    shop: &'static str,
    store: Arc<PostgresStore>,
    next: Arc<AtomicU64>,
    acknowledged: Arc<AtomicU64>,
    reported: Vec<ClientView>,
}

impl Caller {
    async fn run(mut self, stop: Arc<AtomicBool>) -> Vec<ClientView> {
        while !stop.load(Ordering::Relaxed) {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            if n.is_multiple_of(7) {
                let funding = funding(self.shop, &format!("slip-{n}"), "1.00");
                let change = ChangeSet::Fund(funding.clone());
                self.commit(What::Funded(funding), change).await;
                continue;
            }
            let purchase = airtime().by(self.shop).nth(n).priced("1.00");
            let tx = purchase.clone().transaction();
            let opened = What::Opened(Box::new(tx.clone()));
            if self.commit(opened, purchase.change()).await {
                let ended = advance(&tx, &delivered(&tx), at(1));
                let change = ChangeSet::Advance(Box::new(ended));
                self.commit(What::Delivered(Box::new(tx)), change).await;
            }
        }
        self.reported
    }

    /// Whether it was acknowledged.
    async fn commit(&mut self, what: What, change: ChangeSet) -> bool {
        let verdict = self.store.commit(change).await;
        let done = verdict.is_ok();
        if done {
            self.acknowledged.fetch_add(1, Ordering::Relaxed);
        } else {
            // A refused caller retries a moment later.
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        self.reported.push(ClientView { what, verdict });
        done
    }
}

/// The reference of the `n`th purchase of a shop is stored.
pub(crate) async fn has_order(store: &PostgresStore, shop: &str, n: u64) -> bool {
    let under: MerchantReference = reference(&format!("order-{n}"));
    let found = store.by_reference(&account_id(shop), &under).await;
    found.unwrap().is_some()
}
