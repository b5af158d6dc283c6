//! Tranches of our money at providers, leased to instances. Nothing is booked by them, and they
//! must never give two instances the same naira.

use crate::PortError;
use async_trait::async_trait;
use domain::float_reserve::{TrancheGrant, TrancheHolder, TrancheRequest};
use domain::time::Timestamp;

/// The reserves of all providers.
#[async_trait]
pub trait FloatTranches: Send + Sync + std::fmt::Debug {
    /// Answers a request by [`FloatReserve`](domain::float_reserve::FloatReserve), one after the
    /// other for each provider. Times are the store's own where it has a clock, else `now`. At
    /// times it reads the whole ledger.
    ///
    /// # Errors
    /// When the store failed: what was granted, if anything, is held back until its lease ends.
    async fn lease(
        &self,
        request: &TrancheRequest,
        now: Timestamp,
    ) -> Result<TrancheGrant, PortError>;

    /// Takes every tranche from a holder that sells no more; what was left of them is free once the
    /// ledger is counted, by the next request.
    ///
    /// # Errors
    /// When the store failed: they are held back until their leases end.
    async fn release(&self, holder: TrancheHolder) -> Result<(), PortError>;
}
