//! What is sold: the catalogue of the program, and the versions that are published over it.

use std::sync::Arc;

use ::catalogue::LiveCatalogue;
use provider_sim::SandboxCatalogue;

use super::storage::Storage;
use crate::clock::SystemClock;
use crate::config::Config;

/// The catalogue of the program, with the billers and lookups that the settings add.
pub(crate) fn built_in_catalogue(config: &Config) -> SandboxCatalogue {
    SandboxCatalogue::new()
        .with_billers(config.billers.clone())
        .with_lookups(config.paid_lookups.clone())
}

/// The catalogue of a server, which has read every version there is.
pub(super) async fn live_catalogue(
    config: &Config,
    storage: &Storage,
) -> anyhow::Result<Arc<LiveCatalogue>> {
    let base = Arc::new(built_in_catalogue(config));
    let versions = storage.ports().catalogue;
    let live = Arc::new(LiveCatalogue::new(base, versions, Arc::new(SystemClock)));
    live.refresh().await?;
    Ok(live)
}
