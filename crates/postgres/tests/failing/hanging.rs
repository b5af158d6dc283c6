//! Servers that hang: no answer and no error. Callers must receive an error within a known time,
//! and the store must resume once the server answers.

use crate::load::has_order;
use crate::stage::{buy, database, has_account, is_clean, open, raw};
use domain::account::AccountStatus;
use ports::accounts::Accounts;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::{Claim, Leases, Transactions};
use ports::{CommitState, PortError, PortErrorKind};
use postgres::{PostgresOptions, PostgresStore};
use postgres_cluster::Cluster;
use postgres_cluster::proxy::{Proxy, TrafficDirection};
use sqlx::Connection;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{account_id, at, reference};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The longest wait for a server that says nothing: one statement, one new connection.
const REPORTED_WITHIN: Duration = Duration::from_secs(16);

fn everything(store: &Arc<PostgresStore>) -> JoinSet<(&'static str, Result<(), PortError>)> {
    let mut calls = JoinSet::new();
    for n in 1..=30 {
        let store = store.clone();
        calls.spawn(async move { ("commit", store.commit(buy(n)).await.map(drop)) });
    }
    for _ in 0..12 {
        let store = store.clone();
        calls.spawn(async move {
            let order = reference("order-1");
            let read = store.by_reference(&account_id("shop"), &order).await;
            ("read", read.map(drop))
        });
    }
    let suspended = store.clone();
    calls.spawn(async move {
        let shop = account_id("shop");
        let set = suspended.set_status(&shop, AccountStatus::Active).await;
        ("set", set.map(drop))
    });
    let claiming = store.clone();
    calls.spawn(async move {
        let claim = Claim {
            now: at(1),
            lease: Duration::from_secs(1),
            limit: 1,
        };
        ("claim", claiming.claim_due(claim).await.map(drop))
    });
    calls
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_caller_receives_the_error_of_a_silent_server() {
    let database = database().await;
    let line = Proxy::to(([127, 0, 0, 1], Cluster::shared().port()).into());
    let store = open(&line.url(database.name())).await;
    has_account(&store, "shop", "100.00").await;
    let warm = everything(&store).join_all().await;
    assert!(
        warm.iter().all(|(_, reported)| reported.is_ok()),
        "{warm:?}"
    );

    line.hold(TrafficDirection::ToClient);
    let calls = everything(&store);
    let reported = timeout(REPORTED_WITHIN * 2, calls.join_all()).await;
    for (what, reported) in reported.expect("no caller waits for ever") {
        let error = reported.expect_err(what);
        assert_eq!(
            error.trouble,
            PortErrorKind::Unreachable,
            "{what}: {error:?}"
        );
        if what == "commit" {
            assert_eq!(error.effect, CommitState::Nothing, "{error:?}");
        }
    }

    // The old connections are as silent as before: what works again is new.
    line.cut();
    line.release();
    let works = timeout(REPORTED_WITHIN, async {
        while store.commit(buy(100)).await.is_err() {
            tokio::task::yield_now().await;
        }
        while store.wallets(&account_id("shop")).await.is_err() {
            tokio::task::yield_now().await;
        }
    });
    works.await.expect("it works again");
    is_clean(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_process_of_the_server_that_stands_still_is_left_behind() {
    let database = database().await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "100.00").await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    let mut watch = raw(&database.url()).await;
    let ours: Vec<i32> = sqlx::query_scalar(
        "SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'manilla'",
    )
    .fetch_all(&mut watch)
    .await
    .unwrap();
    signal("-STOP", &ours);
    let reported = timeout(REPORTED_WITHIN, store.commit(buy(2))).await;
    signal("-CONT", &ours);
    assert_eq!(reported.expect("in time").unwrap(), CommitOutcome::Done);
    is_clean(&store).await;
}

fn signal(signal: &str, processes: &[i32]) {
    let mut kill = std::process::Command::new("kill");
    kill.arg(signal)
        .args(processes.iter().map(ToString::to_string));
    assert!(kill.status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_wallet_that_is_locked_is_waited_for_but_not_once_for_each() {
    let database = database().await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "100.00").await;
    let mut keeper = raw(&database.url()).await;
    let mut step = keeper.begin().await.unwrap();
    sqlx::query("SELECT 1 FROM wallets FOR UPDATE")
        .execute(&mut *step)
        .await
        .unwrap();
    let mut calls = JoinSet::new();
    for n in 1..=20 {
        let store = store.clone();
        calls.spawn(async move { store.commit(buy(n)).await });
    }
    let reported = timeout(REPORTED_WITHIN * 2, calls.join_all()).await;
    for verdict in reported.expect("within a few waits for a lock") {
        let error = verdict.unwrap_err();
        assert_eq!(error.trouble, PortErrorKind::Unreachable);
        assert_eq!(error.effect, CommitState::Nothing);
    }
    step.rollback().await.unwrap();
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    is_clean(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_caller_without_a_connection_fails_within_two_seconds() {
    let database = database().await;
    let options = PostgresOptions {
        readers: 1,
        ..PostgresOptions::default()
    };
    let store = PostgresStore::connect(&database.url(), &options, crate::stage::sealing())
        .await
        .unwrap();
    let store = Arc::new(store);
    has_account(&store, "shop", "100.00").await;
    let mut keeper = raw(&database.url()).await;
    let mut step = keeper.begin().await.unwrap();
    sqlx::query("LOCK TABLE wallets IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *step)
        .await
        .unwrap();
    let mut reads = JoinSet::new();
    for _ in 0..5 {
        let store = store.clone();
        reads.spawn(async move { store.wallets(&account_id("shop")).await });
    }
    // One waits for the table, the others for its connection.
    for _ in 0..4 {
        let reported = timeout(Duration::from_secs(3), reads.join_next()).await;
        let reported = reported.expect("in time").unwrap().unwrap();
        assert_eq!(reported.unwrap_err().trouble, PortErrorKind::Unreachable);
    }
    step.rollback().await.unwrap();
    let read = reads.join_next().await.unwrap().unwrap();
    assert_eq!(read.unwrap().len(), 2);
}

/// A commit that is not visible must not count as not done: the server may still complete it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_commit_that_waits_for_a_standby_is_reported_as_unknown_and_may_still_be_made() {
    let cluster = Cluster::private(&postgres_cluster::ClusterOptions::default());
    let database = crate::stage::migrated(&cluster).await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "100.00").await;
    let set = |standby: &str| {
        let set = format!("ALTER SYSTEM SET synchronous_standby_names = '{standby}';");
        let _ = database.psql(&format!("SET synchronous_commit = local; {set}"));
        let _ = database.psql("SELECT pg_reload_conf();");
    };
    set("absent");
    let reported = timeout(REPORTED_WITHIN * 2, store.commit(buy(1))).await;
    let error = reported.expect("in time").unwrap_err();
    assert_eq!(error.trouble, PortErrorKind::Unreachable);
    assert_eq!(error.effect, CommitState::Unknown);
    assert!(!has_order(&store, "shop", 1).await, "not yet");
    set("");
    crate::stage::eventually("the server ends what it began", async || {
        has_order(&store, "shop", 1).await
    })
    .await;
    is_clean(&store).await;
}
