//! Books with one order in them, and what may be done with them while they are held. It must not
//! look at how the store finds out.

use crate::stage::{buy, has_account, is_clean, migrated};
use domain::change_set::ChangeSet;
use domain::time::Timestamp;
use ports::books::{Books, Committed};
use ports::reconciliation::Reconciliation;
use ports::transactions::Transactions;
use postgres::{Options, Store};
use postgres_cluster::{Cluster, Database};
use std::ops::Range;
use std::path::{Path, PathBuf};
use testkit::builders::{account_id, advance, airtime, at, delivered, funding};
use testkit::clock::ManualClock;

/// A server, a database in it, and a folder of the machine that the store runs on.
pub(crate) struct Site {
    // Dropped first: its database goes while its server still runs.
    pub(crate) database: Database,
    pub(crate) cluster: Cluster,
    pub(crate) machine: tempfile::TempDir,
}

impl Site {
    /// With one account and one order under way.
    pub(crate) async fn new() -> Self {
        Self::with(&postgres_cluster::Options::default()).await
    }

    /// The same on a server with settings of its own.
    pub(crate) async fn with(settings: &postgres_cluster::Options) -> Self {
        let cluster = Cluster::private(settings);
        let database = migrated(&cluster).await;
        let site = Self {
            cluster,
            database,
            machine: tempfile::tempdir().unwrap(),
        };
        let store = site.open().await;
        has_account(&store, "shop", "100.00").await;
        assert_eq!(store.commit(buy(1)).await.unwrap(), Committed::Done);
        assert_eq!(store.hold().await.unwrap(), None);
        store.close().await;
        site
    }

    /// A store that serves: it has a place among the instances, and notes what it sees.
    pub(crate) async fn open(&self) -> Store {
        let store = open(&self.database.url(), Some(self.mark())).await;
        let now = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint;";
        let now = self.database.psql(now).parse().unwrap();
        let clock = ManualClock::at(Timestamp::from_millis(now));
        store.join(&clock).await.unwrap();
        store
    }

    /// The file in which the machine notes how far the database has come.
    pub(crate) fn mark(&self) -> PathBuf {
        self.machine.path().join("database.mark")
    }

    /// Orders that everybody was told of are stored.
    pub(crate) async fn goes_on(&self, orders: Range<u64>) {
        let store = self.open().await;
        for n in orders {
            assert_eq!(store.commit(buy(n)).await.unwrap(), Committed::Done);
        }
        store.close().await;
    }
}

pub(crate) async fn open(url: &str, mark: Option<PathBuf>) -> Store {
    let options = Options {
        mark,
        ..Options::default()
    };
    Store::connect(url, &options).await.unwrap()
}

/// A copy of the mark, as a machine has it that did nothing since.
pub(crate) fn kept(mark: &Path) -> PathBuf {
    let copy = mark.with_extension("kept");
    std::fs::copy(mark, &copy).unwrap();
    copy
}

/// Nothing new is opened; what is open moves on, money may come in and everything can be read.
pub(crate) async fn is_held(store: &Store, because: &str) {
    assert_eq!(store.commit(buy(77)).await.unwrap(), Committed::Held);
    let hold = store.hold().await.unwrap().expect("the books are held");
    assert!(hold.because.contains(because), "{hold:?}");
    let shop = account_id("shop");
    let tx = airtime().nth(1).priced("1.00").transaction();
    let found = store.by_reference(&shop, &tx.reference).await.unwrap();
    let found = found.expect("it is older than the copy");
    if found == tx {
        let step = advance(&tx, &delivered(&tx), at(1));
        let step = ChangeSet::Advance(Box::new(step));
        assert_eq!(store.commit(step).await.unwrap(), Committed::Done);
    }
    let paid_in = ChangeSet::Fund(funding("shop", "while-held", "1.00"));
    let verdict = store.commit(paid_in).await.unwrap();
    assert!(
        matches!(verdict, Committed::Done | Committed::FundingTaken(_)),
        "{verdict:?}"
    );
    assert_eq!(store.wallets(&shop).await.unwrap().len(), 2);
    is_clean(store).await;
}

/// Orders are taken.
pub(crate) async fn is_open(store: &Store, n: u64) {
    assert_eq!(store.hold().await.unwrap(), None);
    assert_eq!(store.commit(buy(n)).await.unwrap(), Committed::Done);
    is_clean(store).await;
}
