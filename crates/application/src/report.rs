//! The report of a transaction: the way back to everything that was ever answered. What is not the
//! merchant's must be indistinguishable from what does not exist.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

impl Gateway {
    /// The merchant's transaction of a family under a reference.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn report(
        &self,
        merchant: &Merchant,
        service: Service,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, RequestError> {
        let found = self
            .parts()
            .transactions
            .by_reference(&merchant.account.id, reference)
            .await?;
        Ok(found.filter(|transaction| transaction.order.service() == service))
    }
}
