//! Callers that stop waiting, at any moment. Nothing they began may be left half done, and no
//! connection in the middle of a step.

use crate::stage::{buy, database, eventually, has_account, is_clean, open, raw};
use crate::times;
use domain::account::AccountStatus;
use ports::accounts::Accounts;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::peers::Peers;
use ports::senders::Senders;
use ports::transactions::{Claim, Leases, Transactions};
use postgres::PostgresStore;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{account_id, at, key, reference, sender};
use tokio::task::JoinSet;

/// One call of any kind; its answer is not awaited.
async fn call(store: Arc<PostgresStore>, n: u64) {
    let shop = account_id("shop");
    let claim = Claim {
        now: at(n),
        lease: Duration::from_secs(1),
        limit: 3,
    };
    match n % 9 {
        0..=2 => drop(store.commit(buy(n)).await),
        3 => drop(store.by_reference(&shop, &reference("order-1")).await),
        4 => drop(store.wallets(&shop).await),
        5 => drop(store.claim_due(claim).await),
        6 => drop(store.add_key(&shop, &key(1)).await),
        7 => {
            // Nothing of a refused registration is left either.
            let _ = store
                .register(&sender("shop", "000000000001", "Shop"))
                .await;
            let status = AccountStatus::Active;
            drop(store.set_status(&shop, status).await);
        }
        _ => drop(store.subscribe().await),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn callers_that_hang_up_leave_no_step_open() {
    let database = database().await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "1,000,000.00").await;
    let count = u64::from(times("MANILLA_TEST_CANCELLED", 5_000));
    let mut callers = JoinSet::new();
    for n in 1..=count {
        let store = store.clone();
        callers.spawn(async move {
            // From before the first byte to after the last: a call takes some milliseconds.
            let patience = Duration::from_micros(n * 7_919 % 6_000);
            let _ = tokio::time::timeout(patience, call(store, n)).await;
        });
        if callers.len() > 40 {
            callers.join_next().await.unwrap().unwrap();
        }
    }
    callers.join_all().await;

    // Everything that was queued comes before this.
    let last = store.commit(buy(count + 1)).await;
    assert_eq!(last.unwrap(), CommitOutcome::Done);
    let mut watch = raw(&database.url()).await;
    let open = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND (xact_start IS NOT NULL OR state <> 'idle') AND backend_type = 'client backend'";
    eventually("no connection is in the middle of a step", async || {
        let found: i64 = sqlx::query_scalar(open)
            .fetch_one(&mut watch)
            .await
            .unwrap();
        found == 0
    })
    .await;
    is_clean(&store).await;
    store.close().await;
}

#[tokio::test]
async fn a_step_that_was_refused_keeps_no_caller_waiting() {
    let database = database().await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "1.00").await;
    let taken = sender("shop", "000000000001", "Shop");
    store.register(&taken).await.unwrap();
    let again = store.register(&taken).await.unwrap();
    assert_eq!(again, ports::senders::SenderRegistration::NameTaken);
    // The row that the refused registration had locked.
    let mut other = raw(&database.url()).await;
    let locked = sqlx::query("SELECT 1 FROM accounts FOR UPDATE NOWAIT").execute(&mut other);
    assert_eq!(locked.await.unwrap().rows_affected(), 1);
}
