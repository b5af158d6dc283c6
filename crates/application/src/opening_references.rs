//! The references under which a request of this process may still open a transaction. A reference
//! must not leave the list before its transaction is stored or nothing can be stored under it.

use domain::account::AccountId;
use domain::reference::MerchantReference;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Key = (AccountId, MerchantReference);

/// The list. It needs no limit of its own: each place belongs to a request or to a payment, and
/// those are limited.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpeningReferences(Arc<Mutex<HashMap<Key, usize>>>);

/// A place on the list, until dropped.
#[derive(Debug)]
pub(crate) struct OpeningReference {
    list: OpeningReferences,
    key: Key,
}

impl OpeningReferences {
    /// Lists a reference. Several requests may name it at a time.
    pub(crate) fn list(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> OpeningReference {
        let key = (account.clone(), reference.clone());
        let mut places = self.places();
        let place = places.entry(key.clone()).or_default();
        *place = place.saturating_add(1);
        drop(places);
        OpeningReference {
            list: self.clone(),
            key,
        }
    }

    /// Whether a transaction may still be opened under a reference.
    pub(crate) fn has(&self, account: &AccountId, reference: &MerchantReference) -> bool {
        let key = (account.clone(), reference.clone());
        self.places().contains_key(&key)
    }

    fn places(&self) -> MutexGuard<'_, HashMap<Key, usize>> {
        // Every change is whole before anything could panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpeningReference {
    /// Whether another request names the reference too.
    pub(crate) fn is_shared(&self) -> bool {
        self.list.places().get(&self.key).is_some_and(|it| *it > 1)
    }
}

impl Drop for OpeningReference {
    fn drop(&mut self) {
        let mut places = self.list.places();
        if let Some(place) = places.get_mut(&self.key) {
            *place = place.saturating_sub(1);
            if *place == 0 {
                places.remove(&self.key);
            }
        }
    }
}
