//! Customers of billers, as the billers know them. An adapter must answer what the biller says now.

use crate::provider::LookupFailure;
use async_trait::async_trait;
use domain::bill::{BillAccount, BillQuery};

/// Looking customers up at their biller.
#[async_trait]
pub trait BillAccounts: Send + Sync + std::fmt::Debug {
    /// The customer as the biller knows them now.
    ///
    /// # Errors
    /// When the biller knows no such customer, cannot be reached, or answers nonsense.
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure>;
}
