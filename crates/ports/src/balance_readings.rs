//! Balances at providers as they were read over time. They are what providers said: nothing of them
//! is booked, and they must never be taken for the ledger's.

use crate::PortError;
use async_trait::async_trait;
use domain::float_forecast::BalanceReading;
use domain::provider::ProviderId;
use domain::time::Timestamp;

/// The balances that were read, as every instance sees them.
#[async_trait]
pub trait BalanceReadings: Send + Sync + std::fmt::Debug {
    /// Keeps a reading: the last within each [`BalanceReading::SPAN`], for
    /// [`BalanceReading::KEPT_FOR`] before it. An older one of the same span changes nothing.
    ///
    /// # Errors
    /// When the store failed: whether it is kept is unknown, and nothing depends on it.
    async fn keep(&self, reading: &BalanceReading) -> Result<(), PortError>;

    /// The readings of a provider since a moment, oldest first.
    ///
    /// # Errors
    /// When the store failed, or a row cannot be read.
    async fn since(
        &self,
        provider: &ProviderId,
        from: Timestamp,
    ) -> Result<Vec<BalanceReading>, PortError>;

    /// The last reading of a provider.
    ///
    /// # Errors
    /// When the store failed, or the row cannot be read.
    async fn last(&self, provider: &ProviderId) -> Result<Option<BalanceReading>, PortError>;
}
