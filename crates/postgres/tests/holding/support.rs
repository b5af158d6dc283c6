//! Books with one order in them, and what may be done with them while they are held. It must not
//! look at how the store finds out.

use crate::stage::{buy, has_account, is_clean, migrated};
use domain::change_set::ChangeSet;
use domain::time::Timestamp;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::reconciliation::Reconciliation;
use ports::transactions::Transactions;
use postgres::{PostgresOptions, PostgresStore};
use postgres_cluster::{Cluster, TestDatabase};
use std::ops::Range;
use testkit::builders::{account_id, advance, airtime, at, delivered, funding};
use testkit::clock::ManualClock;

/// A server, a database in it, and a folder of the machine that the store runs on.
pub(crate) struct Site {
    // Dropped first: its database goes while its server still runs.
    pub(crate) database: TestDatabase,
    pub(crate) cluster: Cluster,
    pub(crate) machine: tempfile::TempDir,
}

impl Site {
    /// With one account and one order under way.
    pub(crate) async fn new() -> Self {
        Self::with(&postgres_cluster::ClusterOptions::default()).await
    }

    /// The same on a server with settings of its own.
    pub(crate) async fn with(settings: &postgres_cluster::ClusterOptions) -> Self {
        let cluster = Cluster::private(settings);
        let database = migrated(&cluster).await;
        let site = Self {
            cluster,
            database,
            machine: tempfile::tempdir().unwrap(),
        };
        let store = site.open().await;
        has_account(&store, "shop", "100.00").await;
        assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
        assert_eq!(store.suspension().await.unwrap(), None);
        store.close().await;
        site
    }

    /// A store that serves: it has a place among the instances.
    pub(crate) async fn open(&self) -> PostgresStore {
        let store = open(&self.database.url()).await;
        let now = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint;";
        let now = self.database.psql(now).parse().unwrap();
        let clock = ManualClock::at(Timestamp::from_millis(now));
        store.join(&clock).await.unwrap();
        store
    }

    /// Orders are acknowledged by a store that stays open.
    pub(crate) async fn goes_on(&self, orders: Range<u64>) -> PostgresStore {
        let store = self.open().await;
        for n in orders {
            assert_eq!(store.commit(buy(n)).await.unwrap(), CommitOutcome::Done);
        }
        store
    }
}

pub(crate) async fn open(url: &str) -> PostgresStore {
    PostgresStore::connect(url, &PostgresOptions::default(), crate::stage::sealing())
        .await
        .unwrap()
}

/// Nothing new is opened; what is open moves on, money may come in and everything can be read.
pub(crate) async fn is_held(store: &PostgresStore, because: &str) {
    assert_eq!(
        store.commit(buy(77)).await.unwrap(),
        CommitOutcome::Suspended
    );
    let suspension = store.suspension().await.unwrap();
    let suspension = suspension.expect("payments are suspended");
    assert!(suspension.because.contains(because), "{suspension:?}");
    let shop = account_id("shop");
    let tx = airtime().nth(1).priced("1.00").transaction();
    let found = store.by_reference(&shop, &tx.reference).await.unwrap();
    let found = found.expect("it is older than the copy");
    if found == tx {
        let step = advance(&tx, &delivered(&tx), at(1));
        let step = ChangeSet::Advance(Box::new(step));
        assert_eq!(store.commit(step).await.unwrap(), CommitOutcome::Done);
    }
    let paid_in = ChangeSet::Fund(funding("shop", "while-held", "1.00"));
    let verdict = store.commit(paid_in).await.unwrap();
    assert!(
        matches!(
            verdict,
            CommitOutcome::Done | CommitOutcome::FundingTaken(_)
        ),
        "{verdict:?}"
    );
    assert_eq!(store.wallets(&shop).await.unwrap().len(), 2);
    is_clean(store).await;
}

/// Orders are taken.
pub(crate) async fn is_open(store: &PostgresStore, n: u64) {
    assert_eq!(store.suspension().await.unwrap(), None);
    assert_eq!(store.commit(buy(n)).await.unwrap(), CommitOutcome::Done);
    is_clean(store).await;
}
