//! Whether an instance may still send what it recorded, decided by the database alone: by whose the
//! row is and by the database's own clock.

use crate::stage::{database, has_account, open, raw};
use domain::change_set::ChangeSet;
use domain::time::Timestamp;
use domain::transaction::{State, Transaction};
use ports::clock::Clock;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::{AttemptKey, Claim, Leases};
use postgres::PostgresStore;
use sqlx::postgres::PgConnection;
use std::time::Duration;
use testkit::builders::{advance_due, airtime, takeover};
use testkit::clock::ManualClock;

const LEASE: Duration = Duration::from_mins(1);

/// A clock that shows the time of the database, as an instance must have one.
async fn clock(watch: &mut PgConnection) -> ManualClock {
    let now: i64 = sqlx::query_scalar("SELECT (extract(epoch FROM now()) * 1000)::bigint")
        .fetch_one(watch)
        .await
        .unwrap();
    ManualClock::at(Timestamp::from_millis(now))
}

/// Opens a purchase as an instance does whose clock shows `now`.
async fn opened(store: &PostgresStore, n: u64, now: Timestamp) -> (Transaction, AttemptKey) {
    let purchase = airtime().nth(n).priced("1.00").due_at(now.plus(LEASE));
    let verdict = store.commit(purchase.clone().change()).await.unwrap();
    assert_eq!(verdict, CommitOutcome::Done);
    let tx = purchase.transaction();
    let State::Sending(sending) = tx.state else {
        panic!("{tx:?}");
    };
    let key = AttemptKey {
        account: tx.account.clone(),
        number: tx.number,
        attempt: sending.attempt,
        version: tx.version,
    };
    (tx, key)
}

#[tokio::test]
async fn what_another_instance_claimed_or_took_over_may_not_be_sent() {
    let database = database().await;
    let [mine, other] = [open(&database.url()).await, open(&database.url()).await];
    let mut watch = raw(&database.url()).await;
    let clock = clock(&mut watch).await;
    mine.join(&clock).await.unwrap();
    other.join(&clock).await.unwrap();
    has_account(&mine, "shop", "100.00").await;
    let (tx, key) = opened(&mine, 1, clock.now()).await;
    assert!(mine.may_send(&key).await.unwrap());
    assert!(!other.may_send(&key).await.unwrap(), "it is not theirs");

    // An instance whose clock is ahead claims it before it is due.
    let claim = Claim {
        now: clock.now().plus(Duration::from_mins(2)),
        lease: LEASE,
        limit: 10,
    };
    let claimed = other.claim_due(claim).await.unwrap();
    assert_eq!(claimed, std::slice::from_ref(&tx));
    assert!(!mine.may_send(&key).await.unwrap());
    assert!(
        !other.may_send(&key).await.unwrap(),
        "a claim sends nothing"
    );
    let due_at = clock.now().plus(LEASE);
    let step = advance_due(&tx, &takeover(&tx), Some(due_at));
    let step = ChangeSet::Advance(Box::new(step));
    assert_eq!(other.commit(step).await.unwrap(), CommitOutcome::Done);
    assert!(!mine.may_send(&key).await.unwrap());
}

#[tokio::test]
async fn what_is_due_by_the_databases_clock_may_not_be_sent_by_one_whose_clock_is_behind() {
    let database = database().await;
    let store = open(&database.url()).await;
    let mut watch = raw(&database.url()).await;
    let clock = clock(&mut watch).await;
    store.join(&clock).await.unwrap();
    has_account(&store, "shop", "100.00").await;
    // The clock of this instance was set back by more than the lease since it joined.
    let behind = clock.now().minus(LEASE + Duration::from_secs(1));
    let (_, late) = opened(&store, 1, behind).await;
    assert!(!store.may_send(&late).await.unwrap());
    let (_, in_time) = opened(&store, 2, clock.now()).await;
    assert!(store.may_send(&in_time).await.unwrap());
}

#[tokio::test]
async fn what_was_recorded_before_the_slot_was_lost_may_not_be_sent() {
    let database = database().await;
    let store = open(&database.url()).await;
    let mut watch = raw(&database.url()).await;
    let clock = clock(&mut watch).await;
    store.join(&clock).await.unwrap();
    has_account(&store, "shop", "100.00").await;
    let (_, key) = opened(&store, 1, clock.now()).await;
    assert!(store.may_send(&key).await.unwrap());
    store.join(&clock).await.unwrap();
    assert!(!store.may_send(&key).await.unwrap());
}
