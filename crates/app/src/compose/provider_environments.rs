//! Where providers belong, as the store remembers it. A server must not work where the settings say
//! otherwise, and nothing is remembered of settings that it does not work by.

use domain::environment::Environment;
use domain::provider::ProviderId;
use ports::provider_environments::ProviderEnvironments;
use ports::reconciliation::Reconciliation;

use super::store_ports::Ports;
use crate::config::Config;

/// Refuses settings that do not fit what is stored of providers.
pub(super) async fn must_fit(config: &Config, ports: &Ports) -> anyhow::Result<()> {
    check(config, &*ports.environments).await?;
    keep_recognised(config, &*ports.reconciliation).await
}

/// Refuses providers that are registered in the other environment; nothing is registered.
async fn check(config: &Config, environments: &dyn ProviderEnvironments) -> anyhow::Result<()> {
    let registered = environments.registered().await?;
    let configured = configured(config);
    let moved = registered.iter().filter(|(id, environment)| {
        let mut configured = configured.iter();
        configured.any(|(name, is)| name == id && is != environment)
    });
    unless_moved(moved.map(|(id, _)| id))
}

/// Refuses settings without a provider whose references are recognised by its form alone: what it
/// delivered under them would be bought again.
async fn keep_recognised(
    config: &Config,
    reconciliation: &dyn Reconciliation,
) -> anyhow::Result<()> {
    let recognised = reconciliation.recognised_by_form().await?;
    let is_missing = |id: &&ProviderId| config.accounts.iter().all(|it| it.id != **id);
    let missing: Vec<String> = recognised
        .iter()
        .filter(is_missing)
        .map(|id| format!("[provider.{id}]"))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    anyhow::bail!(
        "{} must stay in the configuration, without routes if nothing more is to be sent there: it \
         delivered under references that the database lacks, and only its adapter recognises them \
         (see `manilla reconcile`)",
        missing.join(", ")
    )
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
