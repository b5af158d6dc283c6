//! The server is killed under load and comes back, and connections are ended by an operator. The
//! store must recover without being opened again.

use crate::load::{Load, SHOPS, has_order};
use crate::stage::{buy, eventually, has_account, is_clean, migrated, open};
use crate::times;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::reconciliation::Reconciliation;
use postgres_cluster::proxy::Proxy;
use postgres_cluster::{Cluster, ClusterOptions};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// Runs what waits for the server beside the runtime.
async fn beside<T: Send + 'static>(
    cluster: &Arc<Cluster>,
    work: impl FnOnce(&Cluster) -> T + Send + 'static,
) -> T {
    let cluster = cluster.clone();
    tokio::task::spawn_blocking(move || work(&cluster))
        .await
        .unwrap()
}

/// Waits until so many more changes were acknowledged.
async fn until_acknowledged(load: &Load, more: u64) {
    let wanted = load.acknowledged() + more;
    eventually("changes are acknowledged", async || {
        load.acknowledged() >= wanted
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_acknowledged_survives_a_server_that_is_killed_under_load() {
    let cluster = Arc::new(Cluster::private(&ClusterOptions::default()));
    let database = migrated(&cluster).await;
    let store = open(&database.url()).await;
    for shop in SHOPS {
        has_account(&store, shop, "1,000,000.00").await;
    }
    let load = Load::on(&store);
    for round in 0..times("MANILLA_TEST_CRASHES", 5) {
        until_acknowledged(&load, 60 + u64::from(round) * 7 % 50).await;
        beside(&cluster, Cluster::stop_immediate).await;
        beside(&cluster, Cluster::start).await;
    }
    until_acknowledged(&load, 60).await;
    load.ends_well(&store).await;
    assert_eq!(
        store.suspension().await.unwrap(),
        None,
        "a crash holds no books"
    );
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_acknowledged_survives_connections_that_are_ended_under_load() {
    let database = crate::stage::database().await;
    let store = open(&database.url()).await;
    for shop in SHOPS {
        has_account(&store, shop, "1,000,000.00").await;
    }
    let load = Load::on(&store);
    let end_some = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = '{}' AND application_name = 'manilla' AND random() < 0.6;",
        database.name()
    );
    for _ in 0..times("MANILLA_TEST_ENDED_CONNECTIONS", 25) {
        until_acknowledged(&load, 20).await;
        let sql = end_some.clone();
        let ended = tokio::task::spawn_blocking(move || Cluster::shared().psql("postgres", &sql));
        let _ = ended.await.unwrap();
    }
    until_acknowledged(&load, 60).await;
    load.ends_well(&store).await;
}

/// A crash takes what the server had not written yet, the number of our transaction among it: the
/// next one gets that number again.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_commit_that_a_crash_took_is_not_mistaken_for_a_later_one() {
    // Only a commit writes the log in this test.
    let unwritten = ClusterOptions::default()
        .setting("wal_writer_delay", "10s")
        .setting("autovacuum", "off");
    let cluster = Arc::new(Cluster::private(&unwritten));
    let database = migrated(&cluster).await;
    let direct = open(&database.url()).await;
    has_account(&direct, "shop", "100.00").await;
    direct.close().await;
    let line = Proxy::to(([127, 0, 0, 1], cluster.port()).into());
    let store = open(&line.url(database.name())).await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    // A page of the log that is full is written without a commit; the next one has room.
    let switch = |cluster: &Cluster| cluster.psql("postgres", "SELECT pg_switch_wal();");
    let _ = beside(&cluster, switch).await;

    line.refuse();
    line.cut_before(b"COMMIT");
    let mut committing = JoinSet::new();
    let caller = store.clone();
    committing.spawn(async move { caller.commit(buy(2)).await });
    eventually("the commit is lost", async || line.caught() == 1).await;
    let next = |cluster: &Cluster| {
        let next = "SELECT pg_snapshot_xmax(pg_current_snapshot());";
        cluster.psql("postgres", next).parse::<u64>().unwrap()
    };
    let before = beside(&cluster, next).await;
    beside(&cluster, Cluster::stop_immediate).await;
    beside(&cluster, Cluster::start).await;
    assert!(beside(&cluster, next).await < before, "no number was lost");
    let burn = "SELECT pg_current_xact_id();".repeat(20);
    let _ = beside(&cluster, move |cluster| cluster.psql("postgres", &burn)).await;
    line.accept();

    assert_eq!(
        committing.join_all().await.remove(0).unwrap(),
        CommitOutcome::Done
    );
    assert!(has_order(&store, "shop", 2).await, "acknowledged and lost");
    is_clean(&store).await;
    let patience = Duration::from_secs(5);
    tokio::time::timeout(patience, store.close()).await.unwrap();
}
