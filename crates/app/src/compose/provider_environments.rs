//! Where providers belong, as the store remembers it. A server must not work where the settings say
//! otherwise, and nothing is remembered of settings that it does not work by.

use domain::environment::Environment;
use domain::provider::ProviderId;
use ports::provider_environments::ProviderEnvironments;

use crate::config::Config;

/// Refuses providers that are registered in the other environment; nothing is registered.
pub(super) async fn check(
    config: &Config,
    environments: &dyn ProviderEnvironments,
) -> anyhow::Result<()> {
    let registered = environments.registered().await?;
    let configured = configured(config);
    let moved = registered.iter().filter(|(id, environment)| {
        let mut configured = configured.iter();
        configured.any(|(name, is)| name == id && is != environment)
    });
    unless_moved(moved.map(|(id, _)| id))
}

/// Registers providers that are not known yet.
pub(super) async fn register(
    config: &Config,
    environments: &dyn ProviderEnvironments,
) -> anyhow::Result<()> {
    let moved = environments.register(&configured(config)).await?;
    unless_moved(moved.iter())
}

fn configured(config: &Config) -> Vec<(ProviderId, Environment)> {
    let accounts = config.accounts.iter();
    accounts.map(|it| (it.id.clone(), it.environment)).collect()
}

/// A provider that moved would have its attempts counted in both environments.
fn unless_moved<'a>(moved: impl Iterator<Item = &'a ProviderId>) -> anyhow::Result<()> {
    let moved: Vec<String> = moved.map(|id| format!("[provider.{id}]")).collect();
    if moved.is_empty() {
        return Ok(());
    }
    anyhow::bail!(
        "{} is registered in the other environment, where its attempts are counted; set its \
         `environment` back, or give the account in the new environment another name",
        moved.join(", ")
    )
}
