//! Several writers: each account has one of them, and none waits for another.
#![cfg(test)]

mod model;
mod stage;

use domain::account::{AccountId, AccountStatus};
use domain::change_set::ChangeSet;
use ports::ledger_store::CommitOutcome;
use ports::measurements::{Measurements, Unmeasured};
use ports::{CommitState, PortErrorKind};
use stage::{Scene, Staged};
use std::collections::BTreeSet;
use std::sync::Arc;
use storage_sql::group_commit::{QUEUE_MAX, Writers};
use testkit::builders::{account_id, advance, airtime, at, delivered};
use tokio::task::JoinSet;

fn unmeasured() -> Arc<dyn Measurements> {
    Arc::new(Unmeasured)
}

const ACCOUNTS: [&str; 12] = [
    "shop", "stall", "kiosk", "barber", "bakery", "tailor", "grocer", "cafe", "bar", "inn", "farm",
    "dairy",
];

/// Writers over stores of their own, each of which has every account.
fn start(writers: usize, permits: usize) -> (Vec<Arc<Scene>>, Arc<Writers<Staged>>) {
    let scenes: Vec<_> = (0..writers)
        .map(|_| {
            let scene = Scene::new(permits);
            for id in ACCOUNTS {
                let tables = std::mem::take(&mut *scene.tables.lock().unwrap());
                *scene.tables.lock().unwrap() =
                    tables.with_account(id, 1_000_000_000, AccountStatus::Active);
            }
            Arc::new(scene)
        })
        .collect();
    let stores = scenes.iter().cloned().map(Staged).collect();
    (scenes, Arc::new(Writers::new(stores, &unmeasured())))
}

/// Who has bought something in a store.
fn buyers(scene: &Scene) -> BTreeSet<String> {
    let tables = scene.tables.lock().unwrap();
    tables
        .transactions
        .keys()
        .map(|(id, _)| id.clone())
        .collect()
}

fn buy(id: &str, n: u64) -> ChangeSet {
    airtime().by(id).nth(n).priced("1.00").change()
}

/// The writer of an account, by what it has stored.
fn writer_of<'a>(scenes: &'a [Arc<Scene>], id: &str) -> &'a Arc<Scene> {
    let mut found = scenes.iter().filter(|scene| buyers(scene).contains(id));
    let one = found.next().unwrap();
    assert!(found.next().is_none(), "{id} was written in two places");
    one
}

#[tokio::test]
async fn everything_about_an_account_goes_to_one_writer_in_its_order() {
    let (scenes, writers) = start(4, 1_000);
    for id in ACCOUNTS {
        let open = airtime().by(id).priced("1.00");
        let tx = open.clone().transaction();
        let step = advance(&tx, &delivered(&tx), at(1));
        let paid_in = testkit::builders::funding(id, "cheque-1", "1.00");
        for change in [
            open.change(),
            ChangeSet::Advance(Box::new(step)),
            ChangeSet::Fund(paid_in),
            buy(id, 2),
        ] {
            assert_eq!(writers.commit(change).await.unwrap(), CommitOutcome::Done);
        }
    }
    let places: BTreeSet<_> = ACCOUNTS
        .iter()
        .map(|id| Arc::as_ptr(writer_of(&scenes, id)))
        .collect();
    assert!(places.len() > 1);
}

#[tokio::test]
async fn a_writer_whose_queue_is_full_refuses_its_own_accounts_alone() {
    let (scenes, writers) = start(2, 0);
    let mut waiting = JoinSet::new();
    // The one at work, and a full queue behind it.
    for n in 0..=QUEUE_MAX as u64 {
        let writers = writers.clone();
        waiting.spawn(async move { writers.commit(buy("shop", 1 + n)).await.unwrap() });
        tokio::task::yield_now().await;
    }
    let mut refused = BTreeSet::new();
    for id in ACCOUNTS {
        let (at_once, writers) = (Arc::new(std::sync::Mutex::new(None)), writers.clone());
        let reported = at_once.clone();
        let mut asking = JoinSet::new();
        asking.spawn(async move {
            *reported.lock().unwrap() = Some(writers.commit(buy(id, 9_999)).await);
        });
        tokio::task::yield_now().await;
        match at_once.lock().unwrap().take() {
            None => asking.detach_all(),
            Some(answer) => {
                let error = answer.unwrap_err();
                assert_eq!(
                    (error.trouble, error.effect),
                    (PortErrorKind::Busy, CommitState::Nothing)
                );
                refused.insert(id.to_owned());
            }
        }
    }
    for scene in &scenes {
        scene.gate.add_permits(10_000);
    }
    waiting.join_all().await;
    writers.close().await;
    let full = writer_of(&scenes, "shop");
    assert_eq!(full.stored().len(), 1 + QUEUE_MAX);
    let (hers, others) = (buyers(full), refused);
    assert!(
        others.contains("shop") && others.len() < ACCOUNTS.len(),
        "{others:?}"
    );
    // The accounts of the same writer were refused, and no others.
    assert_eq!(hers, BTreeSet::from(["shop".to_owned()]));
    let served: usize = scenes.iter().map(|scene| buyers(scene).len()).sum();
    assert_eq!(served, 1 + ACCOUNTS.len() - others.len());
}

#[tokio::test]
async fn work_of_its_own_runs_on_the_writer_of_its_account() {
    let (scenes, writers) = start(4, 1_000);
    for id in ACCOUNTS {
        writers.commit(buy(id, 1)).await.unwrap();
        let account = account_id(id);
        let here = writers.alone(&account, |staged| {
            let scene = staged.0.clone();
            Box::pin(async move { scene })
        });
        let here = here.await.unwrap();
        assert!(Arc::ptr_eq(&here, writer_of(&scenes, id)), "{id}");
    }
}

#[tokio::test]
async fn closing_ends_every_writer_and_accepts_nothing_more() {
    let (scenes, writers) = start(3, 1_000);
    writers.commit(buy("shop", 1)).await.unwrap();
    writers.close().await;
    assert!(scenes.iter().all(|scene| *scene.closed.lock().unwrap()));
    for id in ACCOUNTS {
        assert!(writers.commit(buy(id, 2)).await.is_err());
    }
    let none: Writers<Staged> = Writers::new(Vec::new(), &unmeasured());
    let shop: AccountId = account_id("shop");
    assert!(none.commit(buy("shop", 1)).await.is_err());
    assert!(none.alone(&shop, |_| Box::pin(async {})).await.is_err());
    none.close().await;
}
