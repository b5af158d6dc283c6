//! What operators ask for over HTTP. A request must never be changed or removed, and no request be
//! stored that does not follow the last.

use crate::PortError;
use crate::operators::Appended;
use async_trait::async_trait;
use domain::operations::change_request::ChangeRequest;

/// The requests of operators for changes.
#[async_trait]
pub trait ChangeRequestStore: Send + Sync + std::fmt::Debug {
    /// Stores a request after the last, whose number is one lower.
    ///
    /// # Errors
    /// When the store failed: the request may have been stored.
    async fn append(&self, request: &ChangeRequest) -> Result<Appended, PortError>;

    /// The newest requests, newest first, at most `limit`. One that cannot be read is left out.
    ///
    /// # Errors
    /// When the store failed.
    async fn newest(&self, limit: u32) -> Result<Vec<ChangeRequest>, PortError>;

    /// The number of the last request; 0 where there is none.
    ///
    /// # Errors
    /// When the store failed.
    async fn last_number(&self) -> Result<u64, PortError>;

    /// The request of a number; `None` where there is none, or it cannot be read.
    ///
    /// # Errors
    /// When the store failed.
    async fn request(&self, number: u64) -> Result<Option<ChangeRequest>, PortError>;
}
