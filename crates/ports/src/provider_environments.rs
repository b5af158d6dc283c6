//! Which environment each provider belongs to, as every instance sees it. A provider must never
//! change it: its attempts would be counted in both.

use crate::PortError;
use async_trait::async_trait;
use domain::environment::Environment;
use domain::provider::ProviderId;

/// Environments of providers. One that was never registered belongs to [`Environment::Test`].
#[async_trait]
pub trait ProviderEnvironments: Send + Sync + std::fmt::Debug {
    /// Registers providers that are not known yet, all or none, and answers those that are known to
    /// belong to another environment: where there is any, nothing is registered.
    ///
    /// # Errors
    /// When the store failed.
    async fn register(
        &self,
        providers: &[(ProviderId, Environment)],
    ) -> Result<Vec<ProviderId>, PortError>;

    /// Every provider that was registered, by name.
    ///
    /// # Errors
    /// When the store failed.
    async fn registered(&self) -> Result<Vec<(ProviderId, Environment)>, PortError>;
}
