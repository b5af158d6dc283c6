//! Environments of providers. A row must never be changed: attempts are counted by it.

use crate::error::failed;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::environment::Environment;
use domain::provider::ProviderId;
use ports::PortError;
use ports::provider_environments::ProviderEnvironments;
use storage_sql::record::{provider_environment, registered_elsewhere};

const REGISTER: &str = "
    INSERT INTO provider_environments (provider, environment) VALUES (?1, ?2)
    ON CONFLICT DO NOTHING";

const ALL: &str = "SELECT provider, environment FROM provider_environments ORDER BY provider";

#[async_trait]
impl ProviderEnvironments for SqliteStore {
    async fn register(
        &self,
        providers: &[(ProviderId, Environment)],
    ) -> Result<Vec<ProviderId>, PortError> {
        let providers = providers.to_vec();
        self.writer
            .alone(move |writer| Box::pin(writer.register_providers(providers)))
            .await?
    }

    async fn registered(&self) -> Result<Vec<(ProviderId, Environment)>, PortError> {
        let rows: Vec<(String, String)> = sqlx::query_as(ALL)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read the environments of providers"))?;
        rows.into_iter().map(provider_environment).collect()
    }
}

impl SqliteWriter {
    async fn register_providers(
        &mut self,
        providers: Vec<(ProviderId, Environment)>,
    ) -> Result<Vec<ProviderId>, PortError> {
        let mut step = self.step().await?;
        for (provider, environment) in &providers {
            sqlx::query(REGISTER)
                .bind(provider.as_str())
                .bind(environment.code())
                .execute(&mut *step)
                .await
                .map_err(failed("register a provider"))?;
        }
        let rows: Vec<(String, String)> = sqlx::query_as(ALL)
            .fetch_all(&mut *step)
            .await
            .map_err(failed("read the environments of providers"))?;
        let elsewhere = registered_elsewhere(&providers, rows)?;
        if elsewhere.is_empty() {
            step.commit().await.map_err(failed("commit providers"))?;
        }
        Ok(elsewhere)
    }
}
