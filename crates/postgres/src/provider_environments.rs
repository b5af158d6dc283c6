//! Environments of providers. A row must never be changed: attempts are counted by it.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::environment::Environment;
use domain::provider::ProviderId;
use ports::PortError;
use ports::provider_environments::ProviderEnvironments;
use storage_sql::record::{provider_environment, registered_elsewhere};

const REGISTER: &str = "
    INSERT INTO provider_environments (provider, environment)
    SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING";

const ALL: &str = "SELECT provider, environment FROM provider_environments ORDER BY provider";

/// The writer that registers providers is found by a name, as that of an account is.
const WRITER: &str = "provider_environments";

#[async_trait]
impl ProviderEnvironments for PostgresStore {
    async fn register(
        &self,
        providers: &[(ProviderId, Environment)],
    ) -> Result<Vec<ProviderId>, PortError> {
        let providers = providers.to_vec();
        let writer = AccountId::parse(WRITER);
        let writer = writer.map_err(|error| PortError::caused("postgres", WRITER, error))?;
        self.alone(&writer, move |writer| {
            Box::pin(writer.register_providers(providers))
        })
        .await
    }

    async fn registered(&self) -> Result<Vec<(ProviderId, Environment)>, PortError> {
        let rows: Vec<(String, String)> = sqlx::query_as(ALL)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the environments of providers"))?;
        rows.into_iter().map(provider_environment).collect()
    }
}

impl PostgresWriter {
    async fn register_providers(
        &mut self,
        providers: Vec<(ProviderId, Environment)>,
    ) -> Result<Vec<ProviderId>, PortError> {
        let ids = providers.iter().map(|(id, _)| id.as_str());
        let words = providers.iter().map(|(_, environment)| environment.code());
        let mut step = self.step().await?;
        sqlx::query(REGISTER)
            .bind(ids.collect::<Vec<_>>())
            .bind(words.collect::<Vec<_>>())
            .execute(&mut *step)
            .await
            .map_err(failed("register providers"))?;
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
