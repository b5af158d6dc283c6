//! Reading what reports are made of, some rows at a time. A read must cost the same wherever in a
//! period it is, and never wait for writes.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::order::Service;
use domain::reference::TransactionNumber;
use domain::reporting::{AcceptedTransaction, SettledTransfer};
use domain::time::Timestamp;

/// Which transactions of an account are read, in the order in which they were accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcceptedRange {
    /// Of this product.
    pub service: Service,
    /// Accepted at this moment or later.
    pub from: Timestamp,
    /// Accepted before this moment.
    pub until: Timestamp,
    /// After the one with this number, among those accepted at the very moment `from`.
    pub after: Option<TransactionNumber>,
    /// With what their prices did up to this moment, the moment included.
    pub as_of: Timestamp,
    /// At most so many.
    pub limit: u32,
}

/// Which transfers of an account are read, in the order of their moments and entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettledRange {
    /// Decided at this moment or later.
    pub from: Timestamp,
    /// Decided before this moment.
    pub until: Timestamp,
    /// After this entry, among those decided at the very moment `from`.
    pub after: Option<i64>,
    /// At most so many.
    pub limit: u32,
}

/// Reading for reports.
#[async_trait]
pub trait Reports: Send + Sync + std::fmt::Debug {
    /// The first transactions of a range, by the moment they were accepted; of those of one moment
    /// the one with the lowest number first.
    ///
    /// # Errors
    /// When the store failed, or a record cannot be read.
    async fn accepted(
        &self,
        account: &AccountId,
        range: &AcceptedRange,
    ) -> Result<Vec<AcceptedTransaction>, PortError>;

    /// The first transfers of a range that settled money of the account.
    ///
    /// # Errors
    /// When the store failed, or a record cannot be read.
    async fn settled(
        &self,
        account: &AccountId,
        range: &SettledRange,
    ) -> Result<Vec<SettledTransfer>, PortError>;
}
