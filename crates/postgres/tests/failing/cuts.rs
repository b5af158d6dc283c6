//! Connections that break at the worst moment: before a commit reached the server, and after it did
//! but before its answer came. The result for the caller must be correct in both cases.

use crate::load::{Load, SHOPS, has_order};
use crate::stage::{buy, database, has_account, is_clean, open};
use crate::times;
use domain::change_set::ChangeSet;
use domain::transaction::{State, Transaction};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use postgres::PostgresStore;
use postgres_cluster::Cluster;
use postgres_cluster::proxy::{IDLE, Proxy};
use testkit::builders::{airtime, apply, at, delivered, funding, pending, takeover};

fn line() -> Proxy {
    Proxy::to(([127, 0, 0, 1], Cluster::shared().port()).into())
}

/// One of each kind of change of a new order, each cut in its turn.
async fn one_of_each(store: &PostgresStore, n: u64, mut cut: impl FnMut()) {
    let mut commit = async |change: ChangeSet| {
        cut();
        assert_eq!(store.commit(change).await.unwrap(), CommitOutcome::Done);
    };
    let slip = funding("shop", &format!("slip-{n}"), "1.00");
    commit(ChangeSet::Fund(slip.clone())).await;
    commit(buy(n)).await;
    let mut tx: Transaction = airtime().nth(n).priced("1.00").transaction();
    // The second of these has no event and moves nothing: only the row shows it.
    for (second, observation) in (1..).zip([takeover, pending, delivered]) {
        let step = apply(&tx, &observation(&tx), at(second));
        let Some(step) = step else { continue };
        tx = step.transaction.clone();
        commit(ChangeSet::Advance(Box::new(step))).await;
    }
    let again = store.commit(ChangeSet::Fund(slip)).await.unwrap();
    assert!(matches!(again, CommitOutcome::FundingTaken(_)), "{again:?}");
    let found = store
        .by_reference(&tx.account, &tx.reference)
        .await
        .unwrap();
    assert_eq!(found, Some(tx));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_commit_that_never_reached_the_server_is_made_again() {
    let database = database().await;
    let line = line();
    let store = open(&line.url(database.name())).await;
    has_account(&store, "shop", "1,000.00").await;
    let mut cuts = 0;
    for n in 1..=u64::from(times("MANILLA_TEST_CUTS", 20) / 5) {
        one_of_each(&store, n, || {
            cuts += 1;
            line.cut_before(b"COMMIT");
        })
        .await;
        assert_eq!(line.caught(), cuts);
    }
    is_clean(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_commit_whose_answer_was_lost_is_made_once() {
    let database = database().await;
    let line = line();
    let store = open(&line.url(database.name())).await;
    has_account(&store, "shop", "1,000.00").await;
    let mut cuts = 0;
    for n in 1..=u64::from(times("MANILLA_TEST_CUTS", 20) / 5) {
        one_of_each(&store, n, || {
            cuts += 1;
            line.cut_after(b"COMMIT", IDLE);
        })
        .await;
        assert_eq!(line.caught(), cuts);
    }
    is_clean(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_acknowledged_survives_a_line_that_is_cut_under_load() {
    let database = database().await;
    let line = line();
    let store = open(&line.url(database.name())).await;
    for shop in SHOPS {
        has_account(&store, shop, "1,000,000.00").await;
    }
    let load = Load::on(&store);
    for round in 0..times("MANILLA_TEST_CUTS", 20) {
        let wanted = load.acknowledged() + 20;
        crate::stage::eventually("changes are acknowledged", async || {
            load.acknowledged() >= wanted
        })
        .await;
        match round % 3 {
            0 => line.cut(),
            1 => line.cut_before(b"COMMIT"),
            _ => line.cut_after(b"COMMIT", IDLE),
        }
    }
    load.ends_well(&store).await;
}

/// While the database is unreachable the commit status is unknown; once it is back, a query by
/// reference resolves it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_commit_whose_status_cannot_be_queried_is_reported_as_unknown() {
    let database = database().await;
    let line = line();
    let store = open(&line.url(database.name())).await;
    has_account(&store, "shop", "100.00").await;
    line.cut_after(b"COMMIT", IDLE);
    line.refuse();
    let error = store.commit(buy(1)).await.unwrap_err();
    assert_eq!(error.effect, ports::CommitState::Unknown);
    assert_eq!(error.trouble, ports::PortErrorKind::Unreachable);
    line.accept();
    assert!(has_order(&store, "shop", 1).await);
    let verdict = store.commit(buy(1)).await.unwrap();
    let CommitOutcome::ReferenceTaken(tx) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(matches!(tx.state, State::Sending(_)));
    is_clean(&store).await;
}
