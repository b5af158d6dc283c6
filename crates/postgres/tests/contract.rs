//! The laws of the storage ports, run by the store of several instances on a database of its own.
#![cfg(test)]

use postgres::{Options, Store, migrate};
use postgres_cluster::Cluster;
use std::sync::Arc;
use testkit::contract::storage::Stores;

async fn an_empty_store() -> Stores {
    let database = Cluster::shared().database();
    let url = database.url();
    migrate(&url, None).await.unwrap();
    let store = Store::connect(&url, &Options::default()).await.unwrap();
    Stores::of(Arc::new(store)).keeping(database)
}

testkit::storage_contract!(an_empty_store);
