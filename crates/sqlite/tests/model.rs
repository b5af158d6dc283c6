//! Random operations on the embedded store and on the reference store, which must answer alike. It
//! must not choose the operations: its purpose is to find unexpected sequences.
#![cfg(test)]

mod cipher;

use cipher::cipher;
use sqlite::{SqliteOptions, SqliteStore};
use std::sync::Arc;
use testkit::contract::storage::{Stores, agrees_with_reference};

/// How many sequences unless `MANILLA_MODEL_CASES` says otherwise.
const CASES: u32 = 64;

/// How many operations a sequence has on average.
const STEPS: usize = 100;

async fn an_empty_store() -> Stores {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    Stores::of(Arc::new(store)).keeping(dir)
}

#[test]
fn whatever_is_done_in_whatever_order_the_store_answers_as_the_reference_store_does() {
    let cases = std::env::var("MANILLA_MODEL_CASES").ok();
    let cases = cases.map_or(CASES, |cases| cases.parse().expect("a number of sequences"));
    agrees_with_reference(an_empty_store, cases, STEPS);
}
