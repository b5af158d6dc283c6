//! Two instances that change the same rows at once. Each must receive the exact outcome of its
//! change, whatever the other did meanwhile.

use crate::stage::{buy, database, eventually, has_account, is_clean, open, raw};
use domain::account::AccountStatus;
use domain::change_set::ChangeSet;
use domain::freeze::{FreezeAuthority, FreezeBreach, FreezeTarget};
use domain::transaction::Transaction;
use ports::accounts::Accounts;
use ports::freezes::{FreezeChange, Freezes};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use postgres::PostgresStore;
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use std::collections::BTreeMap;
use std::sync::Arc;
use testkit::builders::{
    PurchaseBuilder, account, account_id, advance, airtime, at, declined, delivered, freeze,
    funding, reference, takeover,
};
use tokio::task::JoinSet;

/// Every change is committed by every instance at once, each in a task of its own; what became of
/// each, by its place among the changes.
async fn by_all(
    stores: &[Arc<PostgresStore>],
    changes: Vec<ChangeSet>,
) -> BTreeMap<usize, Vec<CommitOutcome>> {
    let mut tasks = JoinSet::new();
    for (place, change) in changes.into_iter().enumerate() {
        for store in stores {
            let (store, change) = (store.clone(), change.clone());
            tasks.spawn(async move { (place, store.commit(change).await.unwrap()) });
        }
    }
    let mut verdicts = BTreeMap::<_, Vec<_>>::new();
    for (place, verdict) in tasks.join_all().await {
        verdicts.entry(place).or_default().push(verdict);
    }
    verdicts
}

fn done(verdicts: &[CommitOutcome]) -> usize {
    let done = |verdict: &&CommitOutcome| **verdict == CommitOutcome::Done;
    verdicts.iter().filter(done).count()
}

async fn two(url: &str) -> [Arc<PostgresStore>; 2] {
    [open(url).await, open(url).await]
}

async fn stored(store: &PostgresStore, tx: &Transaction) -> Transaction {
    let found = store.by_reference(&tx.account, &tx.reference).await;
    found.unwrap().unwrap()
}

/// Waits until so many of our connections wait for a locked row.
pub(crate) async fn until_waiting(watch: &mut PgConnection, count: i64) {
    let waiting = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("they wait for the row", async || {
        let found: i64 = sqlx::query_scalar(waiting)
            .fetch_one(&mut *watch)
            .await
            .unwrap();
        found == count
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_replay_is_known_as_one_although_the_order_took_the_last_money_meanwhile() {
    let database = database().await;
    let [one, other] = two(&database.url()).await;
    has_account(&one, "shop", "1.00").await;
    let (mut lock, mut watch) = (raw(&database.url()).await, raw(&database.url()).await);
    for (store, purchase) in [(&one, airtime()), (&other, airtime())] {
        // Each has a connection before the race begins.
        let unknown = store.commit(purchase.by("nobody").change()).await;
        assert_eq!(unknown.unwrap(), CommitOutcome::AccountUnknown);
    }

    let mut step = lock.begin().await.unwrap();
    sqlx::query("SELECT 1 FROM wallets WHERE account = 'shop' FOR UPDATE")
        .execute(&mut *step)
        .await
        .unwrap();
    let mut tasks = JoinSet::new();
    for (count, store) in (1..).zip([one.clone(), other]) {
        tasks.spawn(async move { store.commit(buy(1)).await.unwrap() });
        until_waiting(&mut watch, count).await;
    }
    step.rollback().await.unwrap();

    let mut verdicts = tasks.join_all().await;
    verdicts.sort_by_key(|verdict| *verdict != CommitOutcome::Done);
    let winner = airtime().nth(1).priced("1.00").transaction();
    let taken = CommitOutcome::ReferenceTaken(Box::new(winner));
    assert_eq!(verdicts, [CommitOutcome::Done, taken]);
    is_clean(&one).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_orders_at_two_instances_are_opened_once_each() {
    let database = database().await;
    let stores = two(&database.url()).await;
    has_account(&stores[0], "shop", "200.00").await;
    let purchases = (1..=200).map(|n| {
        let purchase = airtime().nth(n).priced("1.00");
        if n % 2 == 0 {
            purchase.keyed(&format!("key-{n}"), 1)
        } else {
            purchase
        }
    });
    let purchases: Vec<PurchaseBuilder> = purchases.collect();
    let changes = purchases.iter().map(|it| it.clone().change()).collect();
    for (place, verdicts) in by_all(&stores, changes).await {
        let same = Box::new(purchases[place].clone().transaction());
        let replay = if same.idempotency.is_some() {
            CommitOutcome::KeyTaken(same)
        } else {
            CommitOutcome::ReferenceTaken(same)
        };
        assert_eq!(done(&verdicts), 1, "{verdicts:?}");
        assert!(verdicts.contains(&replay), "{verdicts:?}");
    }
    is_clean(&stores[0]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_many_accounts_have_is_spent_once_by_two_instances() {
    let database = database().await;
    let stores = two(&database.url()).await;
    let shops: Vec<_> = (0..8).map(|n| format!("shop-{n}")).collect();
    for shop in &shops {
        has_account(&stores[0], shop, "10.00").await;
    }
    let mut tasks = JoinSet::new();
    for n in 1..=40 {
        for (place, shop) in shops.iter().enumerate() {
            let store = stores[usize::try_from(n).unwrap() % 2].clone();
            let change = airtime().by(shop).nth(n).priced("1.00").change();
            tasks.spawn(async move { (place, store.commit(change).await.unwrap()) });
        }
    }
    let mut spent = BTreeMap::<_, Vec<_>>::new();
    for (place, verdict) in tasks.join_all().await {
        spent.entry(place).or_default().push(verdict);
    }
    for verdicts in spent.values() {
        let refused = |it: &&CommitOutcome| **it == CommitOutcome::InsufficientFunds;
        let refused = verdicts.iter().filter(refused).count();
        assert_eq!((done(verdicts), refused), (10, 30));
    }
    is_clean(&stores[0]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_number_and_one_payment_in_are_taken_once_by_two_instances() {
    let database = database().await;
    let stores = two(&database.url()).await;
    has_account(&stores[0], "shop", "1,000.00").await;
    let numbered = |n: u64, of: u64| airtime().nth(n).number(of).priced("1.00").change();
    for of in 1..=20 {
        let changes = vec![numbered(2 * of, of), numbered(2 * of + 1, of)];
        let verdicts = by_all(&stores[..1], changes.clone()).await;
        let mut verdicts: Vec<_> = verdicts.into_values().flatten().collect();
        let again = by_all(&stores[1..], changes).await;
        verdicts.extend(again.into_values().flatten());
        assert_eq!(done(&verdicts), 1, "{verdicts:?}");
    }
    let fundings = (0..20).map(|n| funding("shop", &format!("slip-{n}"), "5.00"));
    let fundings: Vec<_> = fundings.map(ChangeSet::Fund).collect();
    for verdicts in by_all(&stores, fundings).await.values() {
        let taken = |it: &CommitOutcome| matches!(it, CommitOutcome::FundingTaken(_));
        assert_eq!(done(verdicts), 1);
        assert!(verdicts.iter().any(taken), "{verdicts:?}");
    }
    is_clean(&stores[0]).await;
}

/// Opens purchases, one after the other.
async fn opened(store: &PostgresStore, count: u64) -> Vec<Transaction> {
    let mut opened = Vec::new();
    for n in 1..=count {
        let purchase = airtime().nth(n).priced("1.00");
        let verdict = store.commit(purchase.clone().change()).await.unwrap();
        assert_eq!(verdict, CommitOutcome::Done);
        opened.push(purchase.transaction());
    }
    opened
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn news_that_contradict_each_other_at_two_instances_are_believed_once() {
    let database = database().await;
    let [one, other] = two(&database.url()).await;
    has_account(&one, "shop", "1,000.00").await;
    let opened = opened(&one, 60).await;
    let mut tasks = JoinSet::new();
    for tx in &opened {
        for (store, observation) in [(&one, delivered(tx)), (&other, declined(tx))] {
            let step = ChangeSet::Advance(Box::new(advance(tx, &observation, at(1))));
            let (store, number) = (store.clone(), tx.number);
            tasks.spawn(async move { (number, store.commit(step).await.unwrap()) });
        }
    }
    let mut verdicts = BTreeMap::<_, Vec<_>>::new();
    for (number, verdict) in tasks.join_all().await {
        verdicts.entry(number).or_default().push(verdict);
    }
    for tx in &opened {
        let winner = stored(&other, tx).await;
        let conflict = CommitOutcome::VersionConflict(Box::new(winner.clone()));
        let reported = &verdicts[&tx.number];
        assert_eq!(done(reported), 1, "{reported:?}");
        assert!(reported.contains(&conflict), "{reported:?}");
        assert_eq!(winner.version, 2);
    }
    is_clean(&one).await;
}

/// Locks transactions of the shop as a step of another instance would.
async fn locked<'a>(
    connection: &'a mut PgConnection,
    of: &[&Transaction],
) -> sqlx::Transaction<'a, sqlx::Postgres> {
    let numbers = of.iter().map(|tx| i64::try_from(tx.number.get()).unwrap());
    let mut step = connection.begin().await.unwrap();
    sqlx::query("SELECT 1 FROM transactions WHERE number = ANY ($1) FOR UPDATE")
        .bind(numbers.collect::<Vec<_>>())
        .execute(&mut *step)
        .await
        .unwrap();
    step
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn steps_that_move_no_money_never_get_stuck_on_one_another() {
    let database = database().await;
    let [one, other] = two(&database.url()).await;
    has_account(&one, "shop", "1,000.00").await;
    let mut opened = opened(&one, 22).await;
    let (last, first) = (opened.pop().unwrap(), opened.pop().unwrap());
    let mut raws = [raw(&database.url()).await, raw(&database.url()).await];
    let mut watch = raw(&database.url()).await;
    let [begun, middle] = &mut raws;
    let begun = locked(begun, &[&first, &last]).await;
    let middle = locked(middle, &[&opened[10]]).await;

    // While each waits with a step of its own, the rest is queued and becomes one batch.
    let mirrored: Vec<_> = opened.iter().rev().collect();
    let mut tasks = JoinSet::new();
    let mut commit = |store: &Arc<PostgresStore>, tx: &Transaction| {
        let (store, step) = (store.clone(), advance(tx, &takeover(tx), at(1)));
        let step = ChangeSet::Advance(Box::new(step));
        tasks.spawn(async move { store.commit(step).await.unwrap() });
    };
    commit(&one, &first);
    commit(&other, &last);
    until_waiting(&mut watch, 2).await;
    for (ahead, behind) in opened.iter().zip(mirrored) {
        commit(&one, ahead);
        commit(&other, behind);
        tokio::task::yield_now().await;
    }
    begun.rollback().await.unwrap();
    until_waiting(&mut watch, 2).await;
    middle.rollback().await.unwrap();

    let verdicts = tasks.join_all().await;
    assert_eq!(done(&verdicts), 22, "{verdicts:?}");
    let reported =
        |it: &CommitOutcome| matches!(it, CommitOutcome::Done | CommitOutcome::VersionConflict(_));
    assert!(verdicts.iter().all(reported), "{verdicts:?}");
    // What an instance did is counted at the latest when it leaves.
    one.close().await;
    other.close().await;
    assert_eq!(deadlocks(&database).await, 0);
    is_clean(&*open(&database.url()).await).await;
}

/// How many transactions the server has aborted in this database because of a deadlock.
async fn deadlocks(database: &postgres_cluster::TestDatabase) -> i64 {
    let mut watch = raw(&database.url()).await;
    let found = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    sqlx::query_scalar(found)
        .fetch_one(&mut watch)
        .await
        .unwrap()
}

/// A freeze at one instance and payments at another: what the freeze stops is opened before it is
/// answered, or not at all. The payment waits for the wallets that the freeze holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_payment_that_waited_for_a_freeze_of_another_instance_is_refused() {
    let database = database().await;
    let [one, other] = two(&database.url()).await;
    has_account(&one, "shop", "100.00").await;
    let (mut lock, mut watch) = (raw(&database.url()).await, raw(&database.url()).await);
    let mut held = lock.begin().await.unwrap();
    // The freeze holds the wallets, and cannot be stored yet.
    sqlx::query("LOCK TABLE freezes IN SHARE MODE")
        .execute(&mut *held)
        .await
        .unwrap();
    let mut tasks = JoinSet::new();
    let freezing = one.clone();
    let frozen = freeze("shop", FreezeTarget::Account, 1);
    tasks.spawn(async move {
        assert_eq!(
            freezing
                .set_freeze(&frozen, &testkit::builders::noted_change("shop"))
                .await
                .unwrap(),
            FreezeChange::Done
        );
        None
    });
    until_waiting(&mut watch, 1).await;
    tasks.spawn(async move {
        Some(
            other
                .commit(airtime().priced("1.00").change())
                .await
                .unwrap(),
        )
    });
    until_waiting(&mut watch, 2).await;
    held.rollback().await.unwrap();
    let outcomes: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    assert_eq!(
        outcomes,
        [CommitOutcome::Frozen(FreezeBreach::Account(
            FreezeAuthority::Merchant
        ))]
    );
    is_clean(&one).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn payments_and_freezes_of_two_instances_race() {
    let database = database().await;
    let [one, other] = two(&database.url()).await;
    has_account(&one, "shop", "1000.00").await;
    for round in 0..6_u32 {
        let mut tasks = JoinSet::new();
        for n in 0..12 {
            let nth = u64::from(round) * 12 + n + 1;
            let store = if n % 2 == 0 {
                one.clone()
            } else {
                other.clone()
            };
            let change = airtime().nth(nth).priced("1.00").change();
            tasks.spawn(async move { store.commit(change).await.unwrap() });
        }
        let frozen = freeze("shop", FreezeTarget::Account, 2 * round + 1);
        assert_eq!(
            one.set_freeze(&frozen, &testkit::builders::noted_change("shop"))
                .await
                .unwrap(),
            FreezeChange::Done
        );
        let before = other.wallets(&account_id("shop")).await.unwrap();
        let outcomes = tasks.join_all().await;
        let refused = CommitOutcome::Frozen(FreezeBreach::Account(FreezeAuthority::Merchant));
        let known = |it: &CommitOutcome| *it == CommitOutcome::Done || *it == refused;
        assert!(outcomes.iter().all(known), "{outcomes:?}");
        assert_eq!(other.wallets(&account_id("shop")).await.unwrap(), before);
        let lifted = freeze("shop", FreezeTarget::Account, 2 * round + 2);
        assert_eq!(
            other
                .set_freeze(&lifted, &testkit::builders::noted_change("shop"))
                .await
                .unwrap(),
            FreezeChange::Done
        );
    }
    assert_eq!(deadlocks(&database).await, 0);
    is_clean(&one).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn accounts_are_made_and_changed_at_two_instances_at_once() {
    let database = database().await;
    let [one, other] = two(&database.url()).await;
    let mut tasks = JoinSet::new();
    for n in 0..16_u8 {
        for (store, which) in [(&one, 2 * n + 2), (&other, 2 * n + 3)] {
            let store = store.clone();
            tasks.spawn(async move {
                let id = format!("shop-{}", n % 4);
                let new = account(&id).with_balance("5.00").new_account();
                let made = store.create(&new).await.unwrap();
                let id = account_id(&id);
                store
                    .add_key(&id, &testkit::builders::key(which))
                    .await
                    .unwrap();
                store.set_status(&id, AccountStatus::Active).await.unwrap();
                made
            });
        }
    }
    let made = tasks.join_all().await;
    let made = made
        .iter()
        .filter(|it| **it == ports::accounts::Created::Done);
    assert_eq!(made.count(), 4);
    for n in 0..4 {
        let id = account_id(&format!("shop-{n}"));
        let found = other.credentials(&id).await.unwrap().unwrap();
        assert_eq!(found.keys.len(), domain::credential::LIVE_KEYS_MAX);
        let none = other.by_reference(&id, &reference("order-1")).await;
        assert_eq!(none.unwrap(), None);
    }
    is_clean(&one).await;
}
