//! Where providers belong, as the store remembers it. A server must not start where the settings
//! say otherwise.

use ports::provider_environments::ProviderEnvironments;

use crate::config::Config;

/// Has the store know where each provider belongs. One that moved would have its attempts counted
/// in both environments.
pub(super) async fn register(
    config: &Config,
    environments: &dyn ProviderEnvironments,
) -> anyhow::Result<()> {
    let providers = config
        .accounts
        .iter()
        .map(|it| (it.id.clone(), it.environment));
    let providers: Vec<_> = providers.collect();
    let moved = environments.register(&providers).await?;
    if moved.is_empty() {
        return Ok(());
    }
    let moved: Vec<String> = moved.iter().map(|id| format!("[provider.{id}]")).collect();
    anyhow::bail!(
        "{} was used in the other environment before, and its attempts stay there; set its \
         `environment` back, or give the account in the new environment another name",
        moved.join(", ")
    )
}
