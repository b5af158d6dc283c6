//! Our money at providers as the ledger has it: what we paid in, and what deliveries took of it. It
//! must never be changed by what a provider says is left.

use crate::PortError;
use async_trait::async_trait;
use domain::float::{LedgerFloat, Prefunding};
use domain::money::Money;
use domain::provider::ProviderId;

/// What became of entering money paid to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefundOutcome {
    /// It is durable.
    Done,
    /// The reference was used for the provider before, for this amount; nothing was changed.
    Taken(Money),
}

/// Our money at providers.
#[async_trait]
pub trait ProviderFloats: Send + Sync + std::fmt::Debug {
    /// Enters money paid to a provider, once per reference.
    ///
    /// # Errors
    /// When the store failed: whether it was entered is unknown, and the same call enters it once.
    async fn prefund(&self, prefunding: &Prefunding) -> Result<PrefundOutcome, PortError>;

    /// What the ledger says of a provider, in each currency that moved there, by its code. It reads
    /// the whole ledger.
    ///
    /// # Errors
    /// When the store failed, or a row cannot be read.
    async fn floats(&self, provider: &ProviderId) -> Result<Vec<LedgerFloat>, PortError>;
}
