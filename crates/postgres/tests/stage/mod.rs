//! What tests of this crate begin with: a migrated database, stores over it, something to buy. It
//! never hides what a store answered: every call that a test is about is made by the test.
#![cfg(test)]
#![expect(
    dead_code,
    reason = "each test binary compiles all of it and none uses all of it"
)]

use domain::change_set::ChangeSet;
use key_ring::KeyRing;
use ports::PortError;
use ports::accounts::{Accounts, Created};
use ports::audit::{Audit, CheckOutcome, Serving};
use postgres::{MessageSealing, PostgresOptions, PostgresStore, Roles, migrate};
use postgres_cluster::{Cluster, TestDatabase};
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use testkit::builders::{account, airtime, at};

/// An empty database of the shared server with the schema in it.
pub(crate) async fn database() -> TestDatabase {
    migrated(Cluster::shared()).await
}

/// An empty database of a server with the schema in it.
pub(crate) async fn migrated(cluster: &Cluster) -> TestDatabase {
    let database = cluster.database();
    migrate(&database.url(), &Roles::default()).await.unwrap();
    database
}

pub(crate) async fn open(url: &str) -> Arc<PostgresStore> {
    let store = PostgresStore::connect(url, &PostgresOptions::default(), sealing()).await;
    Arc::new(store.unwrap())
}

/// Another process that has the key ring of them all.
pub(crate) fn sealing() -> MessageSealing {
    static SESSIONS: AtomicU64 = AtomicU64::new(0);
    let process = u64::from(std::process::id());
    let session = u128::from(process) << 64 | u128::from(SESSIONS.fetch_add(1, Ordering::Relaxed));
    MessageSealing::new(&KeyRing::generate([7; 32], ""), session.to_be_bytes())
}

pub(crate) async fn has_account(store: &PostgresStore, id: &str, balance: &str) {
    let new = account(id).with_balance(balance).new_account();
    assert_eq!(store.create(&new).await.unwrap(), Created::Done);
}

/// A connection of the superuser, to do what no store does.
pub(crate) async fn raw(url: &str) -> PgConnection {
    PgConnection::connect(url).await.unwrap()
}

/// A purchase for one naira.
pub(crate) fn buy(n: u64) -> ChangeSet {
    airtime().nth(n).priced("1.00").change()
}

/// Every invariant holds; due transactions stay due, because no recovery runs here.
pub(crate) async fn is_clean(store: &PostgresStore) {
    for result in store.audit(at(1), Serving::No).await.unwrap() {
        let broken = matches!(result.outcome, CheckOutcome::Broken { .. });
        assert!(!broken, "{result:?}");
    }
}

/// An error with its cause.
pub(crate) fn whole(error: &PortError) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}

/// Looks again and again at what another process does, but not for ever.
#[expect(
    clippy::disallowed_methods,
    reason = "the server does not say when it is done"
)]
pub(crate) async fn eventually(what: &str, mut look: impl AsyncFnMut() -> bool) {
    let started = std::time::Instant::now();
    while !look().await {
        assert!(started.elapsed() < Duration::from_secs(30), "never: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
