//! Replaces the accounts, routes, maintenance windows and limits of a running server, also those of
//! single merchants. It must open and check everything before it replaces anything, and never touch
//! an account that stays as it was.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use application::Gateway;
use domain::environment::Environment;
use domain::provider::ProviderId;
use http_server::AccountLimits;
use ports::adapter::AccountSettings;
use ports::provider::Provider;
use ports::provider_environments::ProviderEnvironments;
use tokio::time::timeout;

use super::accounts::{OpenedAccount, floats, guards, open_with, registers, route_table, settings};
use super::{OpenedAccounts, RoutedLookups, provider_environments};
use crate::config::{AccountConfig, Config, OwnLimits};

/// How long an account may take to be ready with its new secrets: longer than one question of an
/// adapter, and short enough for a person to wait for the line in the log.
const READY_WITHIN: Duration = Duration::from_secs(15);

/// The accounts and routes of a running server.
#[derive(Debug, Clone)]
pub(crate) struct LiveAccounts {
    gateway: Gateway,
    lookups: Arc<RoutedLookups>,
    environments: Arc<dyn ProviderEnvironments>,
    /// How often single accounts may ask.
    own_limits: Arc<AccountLimits>,
    opened: OpenedAccounts,
}

/// What takes their place, open and ready.
#[derive(Debug)]
pub(crate) struct NextAccounts {
    opened: OpenedAccounts,
    own_limits: Vec<OwnLimits>,
    report: ReloadReport,
}

/// What a reload changes, by names alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReloadReport {
    /// How many routes there were, and are.
    pub(crate) routes: (usize, usize),
    /// How many maintenance windows there were, and are.
    pub(crate) maintenance: (usize, usize),
    /// How many merchants had limits of their own, and have.
    pub(crate) own_limits: (usize, usize),
    /// Accounts with other secrets.
    pub(crate) secrets: Vec<ProviderId>,
    /// Accounts with other limits, or another watch over our money there.
    pub(crate) limits: Vec<ProviderId>,
    /// Accounts that were not there.
    pub(crate) added: Vec<ProviderId>,
}

impl LiveAccounts {
    pub(super) fn new(
        (gateway, own_limits): (&Gateway, Arc<AccountLimits>),
        (lookups, environments): (Arc<RoutedLookups>, Arc<dyn ProviderEnvironments>),
        opened: OpenedAccounts,
    ) -> Self {
        Self {
            gateway: gateway.clone(),
            lookups,
            environments,
            own_limits,
            opened,
        }
    }

    /// Reads every secret again, opens the accounts that are new or have other secrets, and waits
    /// until these are ready. Nothing is replaced yet.
    pub(crate) async fn prepare(
        &self,
        before: &Config,
        after: &Config,
    ) -> anyhow::Result<NextAccounts> {
        let mut report = ReloadReport {
            routes: (before.routes.len(), after.routes.len()),
            maintenance: (before.maintenance.len(), after.maintenance.len()),
            own_limits: (before.http_limits.own.len(), after.http_limits.own.len()),
            ..ReloadReport::default()
        };
        let (mut accounts, mut wrong) = (Vec::new(), Vec::new());
        for account in &after.accounts {
            match settings(after, account) {
                Ok(settings) => match self.account(after, (account, settings), &mut report) {
                    Ok(account) => accounts.push(account),
                    Err(reason) => wrong.push(reason),
                },
                Err(reasons) => wrong.extend(reasons),
            }
        }
        if !wrong.is_empty() {
            bail!(
                "accounts at providers cannot be opened\n  {}",
                wrong.join("\n  ")
            );
        }
        let opened = OpenedAccounts {
            accounts,
            table: Arc::new(route_table(after)?),
            availability: Arc::new(
                self.opened
                    .availability
                    .with_windows(after.maintenance.clone()),
            ),
            guards: guards(after),
            floats: floats(after),
            registers: registers(after),
        };
        opened.check_registers()?;
        opened.check_environments(after)?;
        report.limits = self.other_limits(&opened);
        opened.be_ready(&report).await?;
        // Those that stay were registered, and need no database now.
        if !report.added.is_empty() {
            provider_environments::register(after, &*self.environments).await?;
        }
        Ok(NextAccounts {
            opened,
            own_limits: after.http_limits.own.clone(),
            report,
        })
    }

    /// The account that is open, where its settings are the same; else another one.
    fn account(
        &self,
        config: &Config,
        (account, settings): (&AccountConfig, AccountSettings),
        report: &mut ReloadReport,
    ) -> Result<OpenedAccount, String> {
        let mut known = self.opened.accounts.iter();
        let known = known.find(|it| it.id == account.id);
        if let Some(known) = known.filter(|it| it.settings == settings) {
            return Ok(known.clone());
        }
        let opened = open_with(config, account, settings)?;
        let id = account.id.clone();
        // Its sessions begin and end with the process.
        if opened.account.provider.receipts().is_some() {
            return Err(format!(
                "[provider.{id}]: it keeps sessions, so a new account and new secrets need a \
                 restart"
            ));
        }
        match known {
            Some(_) => report.secrets.push(id),
            None => report.added.push(id),
        }
        Ok(opened)
    }

    fn other_limits(&self, after: &OpenedAccounts) -> Vec<ProviderId> {
        let before = &self.opened;
        let differs = |id: &&ProviderId| {
            before.guards.contains_key(*id)
                && (before.guards.get(*id) != after.guards.get(*id)
                    || before.floats.get(*id) != after.floats.get(*id)
                    || before.is_register(id) != after.is_register(id))
        };
        let changed = after.guards.keys().filter(differs);
        changed.cloned().collect()
    }

    /// Replaces everything at once. Requests that began before keep the routes they began with.
    pub(crate) fn replace(&mut self, next: NextAccounts) -> ReloadReport {
        let before = self.gateway.providers_in_force();
        let providers = next.opened.providers_after(&before);
        self.lookups.replace(next.opened.lookups());
        self.gateway.replace_providers(providers);
        self.own_limits.replace(next.own_limits);
        self.opened = next.opened;
        next.report
    }
}

impl OpenedAccounts {
    /// Whether an account is asked who serves a number.
    fn is_register(&self, id: &ProviderId) -> bool {
        let registers = Environment::ALL.map(|it| self.registers.of(it).as_ref());
        registers.contains(&Some(id))
    }

    /// Waits until the accounts that were opened can be sent to. One with other secrets must be:
    /// it takes the place of one that is. One that is new may be away, as at a start.
    async fn be_ready(&self, report: &ReloadReport) -> anyhow::Result<()> {
        for OpenedAccount { id, account, .. } in &self.accounts {
            if report.secrets.contains(id) {
                ready(account.provider.as_ref())
                    .await
                    .with_context(|| format!("[provider.{id}] cannot be used with its secrets"))?;
            } else if report.added.contains(id)
                && let Err(error) = ready(account.provider.as_ref()).await
            {
                let cause = format!("{error:#}");
                tracing::warn!(provider = %id, cause, "a new account is not ready yet");
            }
        }
        Ok(())
    }
}

async fn ready(provider: &dyn Provider) -> anyhow::Result<()> {
    let made = timeout(READY_WITHIN, provider.make_ready()).await;
    Ok(made.context("it did not answer in time")??)
}
