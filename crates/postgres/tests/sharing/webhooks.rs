//! Two instances that record events for, deliver to and change the same endpoints at once. Nothing
//! may be left of a removed endpoint, and no deadlock may occur.

use crate::racing::until_waiting;
use crate::stage::{database, has_account, is_clean, open, raw};
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use domain::transaction::Transaction;
use domain::webhook::{Delivery, DeliveryState, DisabledBecause};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::webhooks::{
    AttemptResult, DeliveryClaim, EndpointChange, EndpointRegistration, Endpoints, Outbox, Replay,
    ReplayOf, Replayed,
};
use postgres::PostgresStore;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use testkit::builders::{
    account_id, advance, airtime, answered, at, declined, delivered, delivery_claim,
    delivery_query, ended, endpoint, endpoint_id, pending, ping,
};
use tokio::task::JoinSet;

async fn opened(store: &PostgresStore, n: u64) -> Transaction {
    let purchase = airtime().nth(n).priced("1.00");
    let reported = store.commit(purchase.clone().change()).await;
    assert_eq!(reported.unwrap(), CommitOutcome::Done);
    purchase.transaction()
}

async fn two(url: &str) -> [Arc<PostgresStore>; 2] {
    [open(url).await, open(url).await]
}

fn shop() -> AccountId {
    account_id("shop")
}

/// Settles a transaction in two steps, each with an event.
async fn settle(store: &PostgresStore, tx: &Transaction) {
    let waiting = advance(tx, &pending(tx), at(1));
    let done = advance(
        &waiting.transaction,
        &delivered(&waiting.transaction),
        at(2),
    );
    for step in [waiting, done] {
        let reported = store.commit(ChangeSet::Advance(Box::new(step))).await;
        assert_eq!(reported.unwrap(), CommitOutcome::Done);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_endpoint_that_is_removed_during_a_delivery_leaves_nothing_behind() {
    let database = database().await;
    let [ours, theirs] = two(&database.url()).await;
    has_account(&ours, "shop", "1,000.00").await;
    let mut transactions = Vec::new();
    for n in 1..=120 {
        transactions.push(opened(&ours, n).await);
    }
    let over = Arc::new(AtomicBool::new(false));
    let mut changing = JoinSet::new();
    for id in [1, 2] {
        let (store, over) = (theirs.clone(), over.clone());
        changing.spawn(async move {
            let mut rounds = 0;
            // A number stays taken once its endpoint is removed.
            for id in (id..).step_by(2) {
                if over.load(Ordering::Relaxed) {
                    break;
                }
                let made = store
                    .register(
                        &endpoint("shop", id),
                        &testkit::builders::noted_change("shop"),
                    )
                    .await
                    .unwrap();
                assert_eq!(made, EndpointRegistration::Done);
                tokio::task::yield_now().await;
                let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(1));
                for change in [asked, EndpointChange::Enable(at(2))] {
                    let changed = store
                        .change(
                            (&shop(), endpoint_id(id)),
                            change,
                            &testkit::builders::noted_change("shop"),
                        )
                        .await;
                    assert!(changed.unwrap().is_some());
                }
                let removed = store
                    .remove(
                        (&shop(), endpoint_id(id)),
                        at(3),
                        &testkit::builders::noted_change("shop"),
                    )
                    .await;
                assert!(removed.unwrap());
                rounds += 1;
            }
            rounds
        });
    }
    let mut settling = JoinSet::new();
    for tx in transactions {
        let store = ours.clone();
        settling.spawn(async move { settle(&store, &tx).await });
    }
    settling.join_all().await;
    over.store(true, Ordering::Relaxed);
    let rounds: Vec<i32> = changing.join_all().await;
    assert!(rounds.iter().all(|rounds| *rounds > 0), "{rounds:?}");
    let left = ours.deliveries(&shop(), &delivery_query()).await.unwrap();
    assert_eq!(left.total, 0);
    is_clean(&ours).await;
}

/// Removing an endpoint waits for no batch: one that has read the endpoints may record deliveries
/// afterwards, which are forgotten with the rest.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn removing_does_not_wait_for_a_batch_with_events() {
    let database = database().await;
    let [ours, theirs] = two(&database.url()).await;
    has_account(&ours, "shop", "1,000.00").await;
    let made = ours
        .register(
            &endpoint("shop", 1),
            &testkit::builders::noted_change("shop"),
        )
        .await
        .unwrap();
    assert_eq!(made, EndpointRegistration::Done);
    let tx = opened(&ours, 1).await;
    let mut blocking = raw(&database.url()).await;
    let lock = "BEGIN; SELECT 1 FROM transactions WHERE account = 'shop' FOR UPDATE";
    sqlx::raw_sql(lock).execute(&mut blocking).await.unwrap();

    let mut watch = raw(&database.url()).await;
    let mut committing = JoinSet::new();
    let (store, step) = (ours.clone(), advance(&tx, &declined(&tx), at(1)));
    committing.spawn(async move {
        let step = ChangeSet::Advance(Box::new(step));
        store.commit(step).await.unwrap()
    });
    until_waiting(&mut watch, 1).await;
    let removed = theirs
        .remove(
            (&shop(), endpoint_id(1)),
            at(2),
            &testkit::builders::noted_change("shop"),
        )
        .await;
    assert!(removed.unwrap());
    assert_eq!(theirs.forget_delivered(at(1), 9).await.unwrap(), 0);
    sqlx::raw_sql("ROLLBACK")
        .execute(&mut blocking)
        .await
        .unwrap();
    assert_eq!(committing.join_all().await, [CommitOutcome::Done]);

    let left = ours.deliveries(&shop(), &delivery_query()).await.unwrap();
    assert_eq!(left.total, 0);
    is_clean(&ours).await;
    assert_eq!(theirs.forget_delivered(at(1), 9).await.unwrap(), 1);
}

/// The result of an attempt that is under way: the endpoint of a new account is gone.
async fn result_of_a_delivery(store: &PostgresStore) -> AttemptResult {
    has_account(store, "shop", "1.00").await;
    let made = store
        .register(
            &endpoint("shop", 1),
            &testkit::builders::noted_change("shop"),
        )
        .await
        .unwrap();
    assert_eq!(made, EndpointRegistration::Done);
    let reported = store.announce(&shop(), None, &ping(1, at(1))).await;
    assert_eq!(reported.unwrap(), 1);
    let claimed = store.claim_deliveries(&delivery_claim(at(2))).await;
    ended(&claimed.unwrap()[0].delivery, answered(410, at(3)))
}

/// Changes a delivery while the result of an attempt at it waits to be recorded: the recorder has
/// read the delivery as it was before. Returns the delivery afterwards. The result must be in the
/// log of attempts and must have no other effect.
async fn outrun(by: &str) -> Delivery {
    let database = database().await;
    let store = open(&database.url()).await;
    let result = result_of_a_delivery(&store).await;

    let mut other = raw(&database.url()).await;
    let lock = "BEGIN; SELECT 1 FROM endpoints WHERE id = 1 FOR NO KEY UPDATE";
    sqlx::raw_sql(lock).execute(&mut other).await.unwrap();
    let mut watch = raw(&database.url()).await;
    let mut recording = JoinSet::new();
    let recorder = store.clone();
    recording.spawn(async move { recorder.record_attempts(&[result]).await.unwrap() });
    until_waiting(&mut watch, 1).await;
    let change = sqlx::AssertSqlSafe(format!("UPDATE deliveries SET {by}; COMMIT"));
    sqlx::raw_sql(change).execute(&mut other).await.unwrap();
    assert_eq!(recording.join_all().await, [vec![]]);

    let endpoints = store.endpoints(&shop()).await.unwrap();
    assert_eq!(endpoints, [endpoint("shop", 1)]);
    let page = store.deliveries(&shop(), &delivery_query()).await.unwrap();
    let (delivery, attempts) = &page.deliveries[0];
    assert_eq!(attempts.len(), 1);
    delivery.clone()
}

/// Results that no longer count hold their deliveries while they are noted. Without their endpoint
/// two such calls, or one and a change of the endpoint, could each wait for a delivery of the
/// other.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_result_that_does_not_count_locks_its_endpoint_before_its_delivery() {
    let database = database().await;
    let store = open(&database.url()).await;
    let result = result_of_a_delivery(&store).await;
    let mut other = raw(&database.url()).await;
    let replayed = "UPDATE deliveries SET replay_count = replay_count + 1";
    sqlx::raw_sql(replayed).execute(&mut other).await.unwrap();

    let lock = "BEGIN; SELECT 1 FROM endpoints WHERE id = 1 FOR NO KEY UPDATE";
    sqlx::raw_sql(lock).execute(&mut other).await.unwrap();
    let mut recording = JoinSet::new();
    let recorder = store.clone();
    recording.spawn(async move { recorder.record_attempts(&[result]).await.unwrap() });
    let mut watch = raw(&database.url()).await;
    until_waiting(&mut watch, 1).await;
    let delivery = "SELECT 1 FROM deliveries FOR NO KEY UPDATE NOWAIT; COMMIT";
    sqlx::raw_sql(delivery).execute(&mut other).await.unwrap();
    assert_eq!(recording.join_all().await, [vec![]]);

    let page = store.deliveries(&shop(), &delivery_query()).await.unwrap();
    assert_eq!(page.deliveries[0].1.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_result_that_waits_for_a_replay_is_of_the_round_before() {
    let delivery = outrun("replay_count = replay_count + 1, due_at = 0").await;
    assert_eq!((delivery.attempts, delivery.round), (0, 1));
    assert_eq!(delivery.state, DeliveryState::Due(at(1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_result_that_waits_for_the_same_result_is_not_the_next() {
    let delivery = outrun("attempts = 1").await;
    assert_eq!((delivery.attempts, delivery.round), (1, 0));
    assert!(matches!(delivery.state, DeliveryState::Due(_)));
}

/// Two dispatchers over two instances deliver events while a merchant replays, rotates and
/// disables: every delivery is made, and no call fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn dispatchers_of_two_instances_share_the_deliveries() {
    let database = database().await;
    let stores = two(&database.url()).await;
    has_account(&stores[0], "shop", "1.00").await;
    for id in 1..=4 {
        let made = stores[0]
            .register(
                &endpoint("shop", id),
                &testkit::builders::noted_change("shop"),
            )
            .await
            .unwrap();
        assert_eq!(made, EndpointRegistration::Done);
    }
    let over = Arc::new(AtomicBool::new(false));
    let mut dispatching = JoinSet::new();
    for store in &stores {
        let (store, over) = (store.clone(), over.clone());
        dispatching.spawn(async move {
            let claim = DeliveryClaim {
                limit: 16,
                per_endpoint: 4,
                ..delivery_claim(at(50))
            };
            let mut claimed_at_all = 0;
            loop {
                let last = over.load(Ordering::Relaxed);
                let claimed = store.claim_deliveries(&claim).await.unwrap();
                claimed_at_all += claimed.len();
                let results = claimed.iter();
                let results = results.map(|it| ended(&it.delivery, answered(200, at(51))));
                let reported = store.record_attempts(&results.collect::<Vec<_>>()).await;
                assert_eq!(reported.unwrap(), []);
                if last && claimed.is_empty() {
                    return claimed_at_all;
                }
            }
        });
    }
    for n in 1..=150 {
        let store = &stores[usize::try_from(n % 2).unwrap()];
        let reported = store.announce(&shop(), None, &ping(n, at(1))).await;
        assert_eq!(reported.unwrap(), 4);
        if n % 10 == 0 {
            meddle(store, n % 4 + 1, n).await;
        }
    }
    over.store(true, Ordering::Relaxed);
    let claimed: Vec<usize> = dispatching.join_all().await;
    assert!(claimed.iter().sum::<usize>() >= 600, "{claimed:?}");
    let mut query = delivery_query();
    query.length = 1_000;
    let page = stores[0].deliveries(&shop(), &query).await.unwrap();
    assert_eq!(page.total, 600);
    let names: BTreeSet<_> = page
        .deliveries
        .iter()
        .map(|(it, _)| (it.endpoint, it.event.id.clone()))
        .collect();
    assert_eq!(names.len(), 600);
    for (delivery, attempts) in &page.deliveries {
        let made = matches!(delivery.state, DeliveryState::Delivered(_));
        assert!(made && !attempts.is_empty(), "{delivery:?}");
    }
    is_clean(&stores[0]).await;
}

/// What a merchant may do to an endpoint while it is delivered to.
async fn meddle(store: &PostgresStore, id: u64, n: u64) {
    let asked = EndpointChange::Disable(DisabledBecause::ByMerchant, at(2));
    let changes = [
        EndpointChange::Rotate(at(n), 1),
        asked,
        EndpointChange::Enable(at(3)),
    ];
    for change in changes {
        let now = store
            .change(
                (&shop(), endpoint_id(id)),
                change,
                &testkit::builders::noted_change("shop"),
            )
            .await;
        assert!(now.unwrap().is_some());
    }
    let all = Replay {
        what: ReplayOf::Range {
            endpoint: endpoint_id(id),
            from: at(0),
            until: at(9),
        },
        most: 1_000,
        now: at(4),
    };
    let again = store.replay(&shop(), &all).await.unwrap();
    assert!(matches!(again, Replayed::Done(_)), "{again:?}");
}
