//! The laws of the storage ports, run by the embedded store on a file of its own.
#![cfg(test)]

mod cipher;

use cipher::cipher;
use sqlite::{SqliteOptions, SqliteStore};
use std::sync::Arc;
use testkit::contract::storage::Stores;
use testkit::contract::webhooks::WebhookStores;

async fn an_empty_store() -> Stores {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    Stores::of(Arc::new(store)).keeping(dir)
}

testkit::storage_contract!(an_empty_store);

mod webhooks {
    use super::*;

    async fn an_empty_store() -> WebhookStores {
        let dir = tempfile::tempdir().unwrap();
        let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
            .await
            .unwrap();
        let store = Arc::new(store);
        WebhookStores::of(Stores::of(store.clone()).keeping(dir), store)
    }

    testkit::webhooks_contract!(an_empty_store);
}
