//! The sandbox as an adapter: the one that is within the program, and others beside it. It must
//! give each account a journal of its own: two over one would be one provider with two names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use domain::provider::ProviderId;
use ports::adapter::{AccountLookups, AccountSettings, ProviderAccount};
use provider_sim::{Faults, LatencyRange, SandboxFloat, SimSettings, Simulator};

use super::sandbox_clock::SandboxClock;
use crate::config::{Config, Sandbox};
use crate::registry::KnownAdapter;
use crate::sandbox_declaration::{FORCED_OUTCOMES, SEED, float, forced_outcomes, seed};

/// The accounts of a configuration that are at the sandbox.
pub(super) fn accounts(config: &Config) -> Vec<ProviderId> {
    let sandboxes = config
        .accounts
        .iter()
        .filter(|it| matches!(it.adapter, KnownAdapter::Sandbox));
    sandboxes.map(|it| it.id.clone()).collect()
}

/// The accounts of a configuration that are anywhere else.
pub(super) fn other_accounts(config: &Config) -> Vec<ProviderId> {
    let others = config
        .accounts
        .iter()
        .filter(|it| !matches!(it.adapter, KnownAdapter::Sandbox));
    others.map(|it| it.id.clone()).collect()
}

/// The journal of an account at the sandbox within the data folder.
pub(super) fn journal_path(data: &Path, id: &ProviderId) -> PathBuf {
    data.join(format!("{id}.journal"))
}

/// An account at the sandbox over its journal; all processes of a data folder are one provider.
pub(super) fn open(
    config: &Config,
    id: &ProviderId,
    settings: &AccountSettings,
) -> anyhow::Result<ProviderAccount> {
    let settings = sandbox_settings(&config.sandbox, settings)?;
    let sandbox = simulator(config, id, settings)?;
    Ok(
        ProviderAccount::new(Arc::clone(&sandbox) as _).with_lookups(AccountLookups {
            meters: Some(Arc::clone(&sandbox) as _),
            smartcards: Some(Arc::clone(&sandbox) as _),
            bill_accounts: Some(Arc::clone(&sandbox) as _),
            bank_accounts: Some(Arc::clone(&sandbox) as _),
            mobile_wallets: Some(Arc::clone(&sandbox) as _),
            cards: Some(Arc::clone(&sandbox) as _),
            exchange_quotes: Some(Arc::clone(&sandbox) as _),
            number_operators: Some(sandbox),
        }),
    )
}

/// The sandbox alone, as a process of its own serves it.
pub(crate) fn built_in(
    config: &Config,
    float: Option<SandboxFloat>,
) -> anyhow::Result<Arc<Simulator>> {
    let id = ProviderId::parse(provider_sim::PROVIDER_ID)?;
    let settings = sandbox_settings(&config.sandbox, &AccountSettings::default())?;
    simulator(config, &id, SimSettings { float, ..settings })
}

fn simulator(
    config: &Config,
    id: &ProviderId,
    settings: SimSettings,
) -> anyhow::Result<Arc<Simulator>> {
    let path = journal_path(&config.data, id);
    let clock = SandboxClock::open(&config.data)
        .context("the clock of the sandbox provider cannot be kept in the data folder")?;
    let sandbox = Simulator::open(&path, settings, Arc::new(clock))?;
    let sandbox = sandbox
        .with_billers(config.billers.clone())
        .with_lookups(config.paid_lookups.clone());
    Ok(Arc::new(sandbox.with_id(id.clone())))
}

fn sandbox_settings(sandbox: &Sandbox, account: &AccountSettings) -> anyhow::Result<SimSettings> {
    let read = |wrong: String| anyhow::anyhow!(wrong);
    let own_seed = account.get(SEED).map(seed).transpose().map_err(read)?;
    let forced = account.get(FORCED_OUTCOMES).map(forced_outcomes);
    Ok(SimSettings {
        seed: own_seed.unwrap_or(sandbox.seed),
        later: sandbox.later,
        slow: sandbox.slow,
        profile: sandbox.profile,
        latency: LatencyRange {
            min: *sandbox.latency.start(),
            max: *sandbox.latency.end(),
        },
        faults: Faults {
            answer_lost_per_mille: sandbox.answer_lost_per_mille,
            request_lost_per_mille: sandbox.request_lost_per_mille,
            not_sent_per_mille: sandbox.not_sent_per_mille,
        },
        sync: sandbox.sync,
        forced: forced.transpose().map_err(read)?.unwrap_or_default(),
        float: float(account).map_err(read)?,
    })
}
