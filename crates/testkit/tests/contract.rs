//! The reference store keeps the laws that every store must keep.
#![cfg(test)]

use std::future::{Ready, ready};
use testkit::contract::storage::Stores;
use testkit::contract::webhooks::WebhookStores;
use testkit::memory::MemoryStore;

fn an_empty_store() -> Ready<Stores> {
    ready(Stores::of(MemoryStore::new()))
}

testkit::storage_contract!(an_empty_store);
testkit::shared_storage_contract!(an_empty_store);

mod webhooks {
    use super::*;

    fn an_empty_store() -> Ready<WebhookStores> {
        let store = MemoryStore::new();
        ready(WebhookStores::of(Stores::of(store.clone()), store))
    }

    testkit::webhooks_contract!(an_empty_store);
}
