//! Erasing what need not be kept for ever. Nothing that money rests on may be among it.

use crate::PortError;
use async_trait::async_trait;
use domain::time::Timestamp;

/// A store that can erase.
#[async_trait]
pub trait RetentionStore: Send + Sync + std::fmt::Debug {
    /// Erases the meter tokens that were handed over by transactions that were opened before a
    /// moment, those opened first before all others, `most` at a time; answers how many. Everything
    /// else of the transactions stays.
    ///
    /// # Errors
    /// When the store failed.
    async fn erase_tokens(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;

    /// Forgets the requests in the log that were answered before a moment, the oldest first,
    /// `most` at a time; answers how many.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget_requests(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;

    /// Forgets incoming messages that were recorded before a moment, the oldest first, `most` at a
    /// time; answers how many. One whose event is still listed stays until that is forgotten.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget_incoming(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;

    /// Forgets, of each account, incoming messages that `kept` newer ones follow, `most` of them at
    /// a time; answers how many. One whose event is still listed stays until that is forgotten.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget_excess_incoming(&self, kept: u32, most: u32) -> Result<u64, PortError>;
}
