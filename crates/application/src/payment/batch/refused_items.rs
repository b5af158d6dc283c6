//! Payments of a batch whose references are in use. Each must be named by its place, with what its
//! reference would be refused for alone.

use super::preparation::RoutedItem;
use super::storing;
use crate::gateway::Gateway;
use crate::reference_use::ReferenceUse;
use crate::request_error::{RefusedItem, RequestError};
use domain::batch::Batch;
use domain::transaction::Transaction;
use ports::PortError;
use std::sync::Arc;

/// The payment that is named as another batch is; `None` where it is the planned batch itself that
/// has the reference or the key of the other.
pub(super) fn named_as(
    earlier: &Batch,
    planned: &Batch,
    items: &[Arc<RoutedItem>],
) -> Option<RequestError> {
    let key = |batch: &Batch| batch.idempotency.as_ref().map(|it| it.key.clone());
    let has_its_key = key(planned).is_some() && key(planned) == key(earlier);
    if earlier.reference == planned.reference || has_its_key {
        return None;
    }
    let place = items
        .iter()
        .position(|it| it.reference == earlier.reference)?;
    let error = RequestError::BatchTaken {
        kind: earlier.kind,
        reference: earlier.reference.clone(),
    };
    Some(RequestError::Items(vec![RefusedItem { place, error }]))
}

impl Gateway {
    /// Every payment whose reference was used before; at least the one that the store named.
    pub(super) async fn taken_items(
        &self,
        batch: &Batch,
        items: &[Arc<RoutedItem>],
        named: Transaction,
    ) -> RequestError {
        let mut refused = Vec::new();
        for (place, item) in items.iter().enumerate() {
            let earlier = if item.reference == named.reference {
                Some(named.clone())
            } else {
                let found = self.earlier(&batch.account, &item.reference).await;
                found.ok().flatten()
            };
            let error = earlier.map(storing::taken);
            refused.extend(error.map(|error| RefusedItem { place, error }));
        }
        RequestError::Items(refused)
    }

    /// Every payment whose reference was used before a restore of the store, and is being settled
    /// or was; `None` where there is none any more.
    pub(super) async fn lost_items(
        &self,
        batch: &Batch,
        items: &[Arc<RoutedItem>],
    ) -> Result<Option<RequestError>, PortError> {
        let mut refused = Vec::new();
        for (place, item) in items.iter().enumerate() {
            let lost = self.lost_use(&batch.account, &item.reference).await;
            let error = match lost.map_err(PortError::with_nothing_done)? {
                ReferenceUse::Unsettled => RequestError::ReferenceUnsettled,
                ReferenceUse::DeliveredWithoutRecord(_) => RequestError::ReferenceSettled,
                ReferenceUse::Stored(_) | ReferenceUse::NotStored => continue,
            };
            refused.push(RefusedItem { place, error });
        }
        Ok((!refused.is_empty()).then_some(RequestError::Items(refused)))
    }
}
