//! Random operations on the store of several instances and on the reference store, which must
//! answer alike. It must not choose the operations: its purpose is to find unexpected sequences.
#![cfg(test)]

mod stage;

use postgres::{PostgresOptions, PostgresStore, Roles, migrate};
use postgres_cluster::Cluster;
use std::sync::Arc;
use testkit::contract::storage::{Stores, agrees_with_reference};

/// How many sequences unless `MANILLA_MODEL_CASES` says otherwise; each has a database of its own.
const CASES: u32 = 12;

/// How many operations a sequence has on average.
const STEPS: usize = 100;

async fn an_empty_store() -> Stores {
    let database = Cluster::shared().database();
    let url = database.url();
    migrate(&url, &Roles::default()).await.unwrap();
    let store = PostgresStore::connect(&url, &PostgresOptions::default(), crate::stage::sealing())
        .await
        .unwrap();
    Stores::of(Arc::new(store)).keeping(database)
}

#[test]
fn whatever_is_done_in_whatever_order_the_store_answers_as_the_reference_store_does() {
    let cases = std::env::var("MANILLA_MODEL_CASES").ok();
    let cases = cases.map_or(CASES, |cases| cases.parse().expect("a number of sequences"));
    agrees_with_reference(an_empty_store, cases, STEPS);
}
