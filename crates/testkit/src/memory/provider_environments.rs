//! Environments of providers, as a map.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::environment::Environment;
use domain::provider::ProviderId;
use domain::transaction::{AttemptNumber, Transaction};
use ports::PortError;
use ports::provider_environments::ProviderEnvironments;

#[async_trait]
impl ProviderEnvironments for MemoryStore {
    async fn register(
        &self,
        providers: &[(ProviderId, Environment)],
    ) -> Result<Vec<ProviderId>, PortError> {
        let environments = &mut self.tables().environments;
        let differs = |(id, environment): &&(ProviderId, Environment)| {
            environments.get(id).is_some_and(|is| is != environment)
        };
        let elsewhere = providers.iter().filter(differs);
        let elsewhere: Vec<_> = elsewhere.map(|(id, _)| id.clone()).collect();
        if elsewhere.is_empty() {
            environments.extend(providers.iter().cloned());
        }
        Ok(elsewhere)
    }

    async fn registered(&self) -> Result<Vec<(ProviderId, Environment)>, PortError> {
        let tables = self.tables();
        let registered = tables.environments.iter();
        Ok(registered.map(|(id, is)| (id.clone(), *is)).collect())
    }
}

impl MemoryTables {
    /// Where a provider belongs: one that is not registered is of the test environment.
    pub(super) fn environment(&self, provider: &ProviderId) -> Environment {
        let registered = self.environments.get(provider).copied();
        registered.unwrap_or(Environment::Test)
    }

    /// Whether the last attempt of a transaction is where the first one was.
    pub(super) fn in_one_environment(&self, tx: &Transaction) -> bool {
        let first = tx.provider_of(AttemptNumber::FIRST);
        self.environment(tx.provider()) == self.environment(first)
    }
}
