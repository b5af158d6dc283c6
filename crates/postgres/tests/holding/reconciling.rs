//! What a person compares, and that the word of a person opens the books for good. What was found
//! must stay in them.

use crate::stage::raw;
use crate::support::{Site, is_held, is_open, open};
use domain::reference::ProviderReference;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::reconciliation::{AcknowledgeOutcome, Reconciliation};
use postgres::PostgresStore;
use sqlx::postgres::PgConnection;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{airtime, vouched};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// A restored backup in which one order is missing, which its provider knows.
async fn restored() -> (Site, PostgresStore, ProviderReference) {
    let site = Site::new().await;
    let backup = site.cluster.backup();
    let store = site.goes_on(2..30).await;
    let lost = site.cluster.psql(
        site.database.name(),
        "SELECT provider_reference FROM attempts_open WHERE transaction = 29;",
    );
    site.cluster.restore(&backup);
    (site, store, ProviderReference::from_echo(lost))
}

#[tokio::test]
async fn what_a_provider_knows_and_the_books_do_not_is_found_and_kept() {
    let (site, store, lost) = restored().await;
    is_held(&store, "older copy").await;
    let known = "SELECT provider_reference FROM attempts_ended
        UNION SELECT provider_reference FROM attempts_open;";
    let known = site.cluster.psql(site.database.name(), known);
    let mut asked: Vec<_> = known
        .lines()
        .map(|line| ProviderReference::from_echo(line.to_owned()))
        .collect();
    assert_eq!(store.missing(&asked).await.unwrap(), []);
    asked.push(lost.clone());
    let missing = store.missing(&asked).await.unwrap();
    assert_eq!(missing, std::slice::from_ref(&lost));

    let acknowledged = store.acknowledge(&vouched([lost.clone()])).await;
    assert_eq!(acknowledged.unwrap(), AcknowledgeOutcome::Resumed);
    let again = store.acknowledge(&vouched([])).await;
    assert_eq!(again.unwrap(), AcknowledgeOutcome::NotSuspended);
    let kept = "SELECT acknowledged_by, provider, compared, missing FROM reconciliations;";
    let kept = site.cluster.psql(site.database.name(), kept);
    let expected = format!("Ngozi Eze|sandbox|2|{{{}}}", lost.as_str());
    assert_eq!(kept, expected);
    is_open(&store, 40).await;
    store.close().await;
}

#[tokio::test]
async fn books_that_were_vouched_for_stay_open() {
    let (site, store, _) = restored().await;
    let other = open(&site.database.url()).await;
    is_held(&store, "older copy").await;
    is_held(&other, "older copy").await;
    let acknowledged = other.acknowledge(&vouched([])).await;
    assert_eq!(acknowledged.unwrap(), AcknowledgeOutcome::Resumed);
    is_open(&store, 40).await;
    is_open(&other, 41).await;
    store.close().await;
    other.close().await;
    for n in 50..52 {
        site.cluster.stop_fast();
        site.cluster.start();
        let store = site.open().await;
        is_open(&store, n).await;
        store.close().await;
    }
    site.cluster.stop_immediate();
    site.cluster.start();
    let store = site.open().await;
    is_open(&store, 60).await;
    store.close().await;
}

/// The mark of a store is moved by commits while a new connection looks which books these are: an
/// answer that is older than the mark is not a database that went back.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn looking_under_load_holds_nothing() {
    let database = crate::stage::database().await;
    let store = crate::stage::open(&database.url()).await;
    for shop in 0..8 {
        crate::stage::has_account(&store, &format!("shop-{shop}"), "10,000.00").await;
    }
    let mut callers = JoinSet::new();
    for shop in 0..8 {
        let store: Arc<PostgresStore> = store.clone();
        callers.spawn(async move {
            let mut done = 0;
            for n in 1..=200 {
                let purchase = airtime().by(&format!("shop-{shop}")).nth(n).priced("1.00");
                match store.commit(purchase.change()).await {
                    Ok(CommitOutcome::Done) => done += 1,
                    Ok(verdict) => panic!("{verdict:?}"),
                    // Its connection was ended just now.
                    Err(_) => {}
                }
            }
            done
        });
    }
    let mut watch = raw(&database.url()).await;
    let mut done = 0;
    while !callers.is_empty() {
        end_some(&mut watch).await;
        let ended = timeout(Duration::from_millis(5), callers.join_next()).await;
        if let Ok(Some(ended)) = ended {
            done += ended.unwrap();
        }
    }
    assert!(done > 100, "{done}");
    assert_eq!(store.suspension().await.unwrap(), None);
}

/// Ends some connections, so that new ones are made.
async fn end_some(watch: &mut PgConnection) {
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'manilla' AND random() < 0.3";
    sqlx::query(end).execute(watch).await.unwrap();
}
