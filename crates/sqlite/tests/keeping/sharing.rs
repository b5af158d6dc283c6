//! Many at one store: processes, callers who fail or hang up, and those who must not look. No test
//! here may depend on who comes first.

use crate::support::{buy, is_clean, open, shop_with, whole};
use domain::change_set::{ChangeSet, StateChange};
use domain::event::Event;
use ports::accounts::Accounts;
use ports::audit::{Audit, Serving};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::{Claim, Leases, Transactions};
use std::time::Duration;
use testkit::builders::{
    START, account_id, advance, advance_due, airtime, at, delivered, pending, reference,
};
use tokio::task::JoinSet;

#[tokio::test]
async fn many_processes_may_create_one_store_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut starting = JoinSet::new();
    for _ in 0..8 {
        let dir = dir.path().to_owned();
        starting.spawn(async move { open(&dir).await.close().await });
    }
    starting.join_all().await;
    is_clean(&*open(dir.path()).await).await;
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_may_read_the_files_whatever_the_mode_of_the_folder() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let open_to_all = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path(), open_to_all).unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    for file in ["manilla.db", "manilla.db-wal", "manilla.db-shm"] {
        let mode = std::fs::metadata(dir.path().join(file))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    store.close().await;
}

/// A step that the guards let pass and a constraint does not: its event has a number that is taken.
fn poisoned(n: u64) -> ChangeSet {
    let tx = airtime().nth(n).priced("1.00").transaction();
    let step = advance(&tx, &delivered(&tx), at(1));
    ChangeSet::Advance(Box::new(StateChange {
        event: step.event.map(|event| Event {
            sequence: 1,
            ..event
        }),
        ..step
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_that_breaks_a_constraint_never_fails_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1,000.00").await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    let mut callers = JoinSet::new();
    for n in 1..=64 {
        let store = store.clone();
        let change = if n == 32 { poisoned(1) } else { buy(n + 100) };
        callers.spawn(async move { (n, store.commit(change).await) });
    }
    for (n, verdict) in callers.join_all().await {
        match verdict {
            Ok(verdict) => assert!(
                n != 32 && verdict == CommitOutcome::Done,
                "{n}: {verdict:?}"
            ),
            Err(error) => {
                assert_eq!(n, 32, "{error:?}");
                assert!(whole(&error).contains("events.sequence"), "{error:?}");
            }
        }
    }
    let shop = account_id("shop");
    let untouched = store
        .by_reference(&shop, &reference("order-1"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(untouched.version, 1);
    is_clean(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_processes_on_one_file_spend_the_last_kobo_once() {
    let dir = tempfile::tempdir().unwrap();
    let one = shop_with(dir.path(), "10.00").await;
    let other = open(dir.path()).await;
    let mut callers = JoinSet::new();
    for n in 1..=60 {
        let store = if n % 2 == 0 {
            one.clone()
        } else {
            other.clone()
        };
        callers.spawn(async move { store.commit(buy(n)).await.unwrap() });
    }
    let verdicts = callers.join_all().await;
    let done = verdicts
        .iter()
        .filter(|verdict| **verdict == CommitOutcome::Done)
        .count();
    let refused = verdicts
        .iter()
        .filter(|verdict| **verdict == CommitOutcome::InsufficientFunds);
    assert_eq!((done, refused.count()), (10, 50));
    is_clean(&one).await;
    is_clean(&other).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn callers_who_hang_up_leave_a_store_that_works() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1,000.00").await;
    for round in 0..20 {
        let mut callers = JoinSet::new();
        for n in 1..=10 {
            let store = store.clone();
            let id = account_id("shop");
            callers.spawn(async move {
                store.commit(buy(round * 10 + n)).await.unwrap();
                store
                    .by_reference(&id, &reference("order-1"))
                    .await
                    .unwrap();
                store.audit(START, Serving::No).await.unwrap();
                store
                    .add_key(&id, &testkit::builders::key(1))
                    .await
                    .unwrap();
            });
        }
        tokio::task::yield_now().await;
        callers.abort_all();
        while callers.join_next().await.is_some() {}
    }
    assert_eq!(store.commit(buy(9_999)).await.unwrap(), CommitOutcome::Done);
    let shop = account_id("shop");
    assert!(
        store
            .by_reference(&shop, &reference("order-9999"))
            .await
            .unwrap()
            .is_some()
    );
    is_clean(&store).await;
}

#[tokio::test]
async fn what_was_followed_up_has_no_claim_and_waits_for_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    let opening = airtime().priced("1.00").due_at(at(10));
    let tx = opening.clone().transaction();
    assert_eq!(
        store.commit(opening.change()).await.unwrap(),
        CommitOutcome::Done
    );
    let claim = Claim {
        now: at(10),
        lease: Duration::from_hours(1),
        limit: 10,
    };
    let claimed = store.claim_due(claim).await.unwrap();
    assert_eq!(claimed, std::slice::from_ref(&tx));
    let step = advance_due(&tx, &pending(&tx), Some(at(500)));
    let change = ChangeSet::Advance(Box::new(step));
    assert_eq!(store.commit(change).await.unwrap(), CommitOutcome::Done);
    assert_eq!(store.reclaim_orphans(at(20)).await.unwrap(), 0);
    let now = at(499);
    assert_eq!(store.claim_due(Claim { now, ..claim }).await.unwrap(), []);
    let now = at(500);
    assert_eq!(
        store.claim_due(Claim { now, ..claim }).await.unwrap().len(),
        1
    );
}
