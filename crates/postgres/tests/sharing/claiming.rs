//! Two instances that look after what is due, and one that dies. A claim only saves work: who may
//! write is decided by versions, which `racing` is about.

use crate::stage::{database, has_account, is_clean, open, raw};
use domain::change_set::ChangeSet;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::audit::Serving;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::{Claim, Leases};
use postgres::PostgresStore;
use sqlx::postgres::PgConnection;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{advance_due, airtime, at, delivered, pending};
use testkit::clock::ManualClock;
use tokio::task::JoinSet;

async fn due(store: &PostgresStore, n: u64, second: u64) -> Transaction {
    let purchase = airtime().nth(n).priced("1.00").due_at(at(second));
    let verdict = store.commit(purchase.clone().change()).await.unwrap();
    assert_eq!(verdict, CommitOutcome::Done);
    purchase.transaction()
}

async fn claimed(store: &PostgresStore, second: u64, limit: u32) -> Vec<Transaction> {
    let claim = Claim {
        now: at(second),
        lease: Duration::from_hours(1),
        limit,
    };
    store.claim_due(claim).await.unwrap()
}

fn numbers(of: &[Transaction]) -> BTreeSet<u64> {
    of.iter().map(|tx| tx.number.get()).collect()
}

/// A clock that shows the time of the database, as an instance must have one.
async fn clock(watch: &mut PgConnection) -> ManualClock {
    let now: i64 = sqlx::query_scalar("SELECT (extract(epoch FROM now()) * 1000)::bigint")
        .fetch_one(watch)
        .await
        .unwrap();
    ManualClock::at(Timestamp::from_millis(now))
}

/// Makes the sign of life of an instance so many seconds old.
async fn silent_for(watch: &mut PgConnection, store: &PostgresStore, seconds: i32) {
    let slot = i16::from(
        store
            .instance_slot()
            .slot()
            .load(std::sync::atomic::Ordering::Relaxed),
    );
    let set = sqlx::query(
        "UPDATE instances SET seen_at = clock_timestamp() - make_interval(secs => $2)
        WHERE slot = $1",
    );
    let set = set.bind(slot).bind(f64::from(seconds)).execute(watch);
    assert_eq!(set.await.unwrap().rows_affected(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_instances_never_claim_the_same_while_others_settle_it() {
    let database = database().await;
    let stores = [open(&database.url()).await, open(&database.url()).await];
    has_account(&stores[0], "shop", "1,000.00").await;
    let mut opened = Vec::new();
    for n in 1..=120 {
        opened.push(due(&stores[0], n, n).await);
    }
    let mut claimers = JoinSet::new();
    for worker in 0..6 {
        let store: Arc<PostgresStore> = stores[worker % 2].clone();
        claimers.spawn(async move {
            let mut mine = Vec::new();
            loop {
                let got = claimed(&store, 500, 7).await;
                if got.is_empty() {
                    return mine;
                }
                mine.extend(got.into_iter().map(|tx| tx.number.get()));
            }
        });
    }
    let mut settlers = JoinSet::new();
    for (place, tx) in opened.iter().enumerate().filter(|(n, _)| n % 5 == 0) {
        let store = stores[place % 2].clone();
        let step = advance_due(tx, &delivered(tx), None);
        let step = ChangeSet::Advance(Box::new(step));
        settlers.spawn(async move { store.commit(step).await.unwrap() });
    }
    for verdict in settlers.join_all().await {
        assert_eq!(verdict, CommitOutcome::Done, "a claim changes no version");
    }
    let all: Vec<_> = claimers.join_all().await.into_iter().flatten().collect();
    let different: BTreeSet<_> = all.iter().copied().collect();
    assert_eq!(all.len(), different.len(), "claimed twice");
    let open = opened.iter().enumerate().filter(|(n, _)| n % 5 != 0);
    for (_, tx) in open {
        assert!(
            different.contains(&tx.number.get()),
            "no instance claimed {tx:?}"
        );
    }
    is_clean(&stores[0]).await;
}

#[tokio::test]
async fn what_an_instance_left_is_taken_over_once_it_has_been_silent_for_ten_seconds() {
    let database = database().await;
    let [dead, alive] = [open(&database.url()).await, open(&database.url()).await];
    let mut watch = raw(&database.url()).await;
    let clock = clock(&mut watch).await;
    dead.join(&clock).await.unwrap();
    alive.join(&clock).await.unwrap();
    assert_ne!(
        dead.instance_slot()
            .slot()
            .load(std::sync::atomic::Ordering::Relaxed),
        alive
            .instance_slot()
            .slot()
            .load(std::sync::atomic::Ordering::Relaxed)
    );
    assert_eq!(alive.serving().await.unwrap(), Serving::Yes);

    has_account(&dead, "shop", "100.00").await;
    let being_sent = due(&dead, 1, 500).await;
    let followed_up = due(&dead, 2, 10).await;
    let waiting = due(&dead, 3, 500).await;
    let step = advance_due(&waiting, &pending(&waiting), Some(at(500)));
    let step = ChangeSet::Advance(Box::new(step));
    assert_eq!(dead.commit(step).await.unwrap(), CommitOutcome::Done);
    let held = claimed(&dead, 10, 10).await;
    assert_eq!(held, std::slice::from_ref(&followed_up));
    let others = due(&alive, 4, 500).await;

    silent_for(&mut watch, &dead, 9).await;
    assert_eq!(alive.reclaim_orphans(at(20)).await.unwrap(), 0);
    silent_for(&mut watch, &dead, 11).await;
    assert_eq!(alive.reclaim_orphans(at(20)).await.unwrap(), 2);
    let taken_over = claimed(&alive, 20, 10).await;
    assert_eq!(
        numbers(&taken_over),
        numbers(&[being_sent.clone(), followed_up])
    );
    assert!(!taken_over.contains(&others));
    assert_eq!(alive.reclaim_orphans(at(20)).await.unwrap(), 0);

    // An instance wrongly taken for dead may still settle what it was sending.
    let step = advance_due(&being_sent, &delivered(&being_sent), None);
    let step = ChangeSet::Advance(Box::new(step));
    assert_eq!(dead.commit(step).await.unwrap(), CommitOutcome::Done);
    is_clean(&alive).await;
}

#[tokio::test]
async fn taking_over_skips_what_another_instance_is_settling() {
    let database = database().await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "100.00").await;
    due(&store, 1, 500).await;
    due(&store, 2, 500).await;
    let mut settling = raw(&database.url()).await;
    let mut step = sqlx::Connection::begin(&mut settling).await.unwrap();
    sqlx::query("SELECT 1 FROM attempts_open WHERE transaction = 2 FOR UPDATE")
        .execute(&mut *step)
        .await
        .unwrap();
    let taken_over = store.reclaim_orphans(at(20));
    let taken_over = tokio::time::timeout(Duration::from_secs(3), taken_over).await;
    assert_eq!(taken_over.expect("it waits for no lock").unwrap(), 1);
}

#[tokio::test]
async fn an_instance_whose_place_was_taken_takes_another() {
    let database = database().await;
    let store = open(&database.url()).await;
    let mut watch = raw(&database.url()).await;
    let clock = clock(&mut watch).await;
    store.join(&clock).await.unwrap();
    let slot = store.instance_slot().slot();
    let before = slot.load(std::sync::atomic::Ordering::Relaxed);
    silent_for(&mut watch, &store, 31).await;
    sqlx::query("UPDATE instances SET seen_at = clock_timestamp() WHERE slot <> $1")
        .bind(i16::from(before))
        .execute(&mut watch)
        .await
        .unwrap();
    let other = open(&database.url()).await;
    other.join(&clock).await.unwrap();
    let taken = other.instance_slot().slot();
    assert_eq!(taken.load(std::sync::atomic::Ordering::Relaxed), before);
    // Now all places are taken, until one has been silent for long enough.
    let third = open(&database.url()).await;
    let full = third.join(&clock).await.unwrap_err().to_string();
    assert!(full.contains("all 64 places"), "{full}");
}

#[tokio::test]
async fn an_instance_whose_clock_is_wrong_does_not_join() {
    let database = database().await;
    let store = open(&database.url()).await;
    let skewed = ManualClock::at(at(0));
    let reported = store.join(&skewed).await.unwrap_err().to_string();
    assert!(reported.contains("have both set by NTP"), "{reported}");
}
