//! Opens the accounts at providers, and puts them together with the routes. It must say everything
//! that is wrong with accounts at once, and never a secret.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use application::availability::Availability;
use application::float_watch::FloatSettings;
use application::number_register::{NumberRegister, NumberRegisters};
use application::providers::Providers;
use application::routes::RouteTable;
use application::submission_guard::GuardSettings;
use domain::environment::{ByEnvironment, Environment};
use domain::provider::ProviderId;
use key_ring::KeyRing;
use ports::adapter::{AccountOpening, AccountSettings, ProviderAccount};
use ports::clock::Clock;

use super::routed_lookups::LookupTable;
use super::sandbox;
use crate::clock::SystemClock;
use crate::config::{AccountConfig, Config, NumberLookupUse, SANDBOX, SecretSource, are_one};
use crate::registry::KnownAdapter;
use crate::secret_files;
use crate::secrets::{self, sealed};

/// Every account, open, and the routes to them.
#[derive(Debug, Clone)]
pub(crate) struct OpenedAccounts {
    pub(super) accounts: Vec<OpenedAccount>,
    pub(super) table: Arc<RouteTable>,
    pub(super) availability: Arc<Availability>,
    pub(super) guards: BTreeMap<ProviderId, GuardSettings>,
    pub(super) floats: BTreeMap<ProviderId, FloatSettings>,
    pub(super) registers: ByEnvironment<Option<ProviderId>>,
}

/// An account and what it was opened with.
#[derive(Debug, Clone)]
pub(super) struct OpenedAccount {
    pub(super) id: ProviderId,
    pub(super) settings: AccountSettings,
    pub(super) account: ProviderAccount,
}

impl OpenedAccounts {
    /// Opens every account of a configuration.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Self> {
        let mut accounts = Vec::new();
        let mut wrong = Vec::new();
        for account in &config.accounts {
            match open(config, account) {
                Ok(opened) => accounts.push(opened),
                Err(reasons) => wrong.extend(reasons),
            }
        }
        if wrong.is_empty() {
            let table = Arc::new(route_table(config)?);
            let opened = Self {
                guards: guards(config),
                floats: floats(config),
                registers: registers(config),
                accounts,
                table,
                availability: Arc::new(Availability::new(config.maintenance.clone())),
            };
            opened.check_registers()?;
            opened.check_environments(config)?;
            return Ok(opened);
        }
        anyhow::bail!(
            "accounts at providers cannot be opened\n  {}",
            wrong.join("\n  ")
        )
    }

    /// Opens the account of this name alone.
    pub(crate) fn open_one(config: &Config, name: &str) -> anyhow::Result<Option<ProviderAccount>> {
        let account = config.accounts.iter().find(|it| it.id.as_str() == name);
        let Some(account) = account else {
            return Ok(None);
        };
        let opened = open(config, account).map_err(|wrong| anyhow::anyhow!(wrong.join("\n  ")));
        Ok(Some(opened?.account))
    }

    /// The providers, as the use cases know them.
    pub(super) fn providers(&self) -> Providers {
        let accounts = self.accounts.iter();
        let providers = accounts.map(|it| Arc::clone(&it.account.provider));
        Providers::routed(providers.collect(), Arc::clone(&self.table))
            .available_by(Arc::clone(&self.availability))
            .guarded_by(self.guards.clone())
            .with_floats(self.floats.clone())
            .with_number_registers(self.number_registers())
    }

    /// Refuses an account that is to be asked who serves a number, and cannot be.
    pub(super) fn check_registers(&self) -> anyhow::Result<()> {
        let asked = Environment::ALL.map(|it| self.registers.of(it).as_ref());
        for id in asked.into_iter().flatten() {
            let mut accounts = self.accounts.iter();
            let account = accounts.find(|it| it.id == *id);
            let register = account.and_then(|it| it.account.lookups.number_operators.as_ref());
            anyhow::ensure!(
                register.is_some(),
                "`provider.{id}.number_lookup` is on, and its adapter cannot be asked who serves a \
                 number: leave it out"
            );
        }
        Ok(())
    }

    /// Refuses a live account and a test one that are one at the provider. Sealed secrets differ as
    /// they are written, and are the same once they are opened.
    pub(super) fn check_environments(&self, config: &Config) -> anyhow::Result<()> {
        let of = |environment| {
            let accounts = config.accounts.iter();
            let accounts = accounts.filter(move |it| it.environment == environment);
            accounts.filter_map(|account| {
                let mut opened = self.accounts.iter();
                let opened = opened.find(|it| it.id == account.id)?;
                Some((account, &opened.settings))
            })
        };
        for (live, settings) in of(Environment::Live) {
            let same = of(Environment::Test).find(|(test, others)| {
                let adapters = [live, test].map(|it| it.adapter.declaration().name);
                adapters[0] == adapters[1] && settings == *others
            });
            if let Some((test, _)) = same {
                anyhow::bail!(are_one(live, test));
            }
        }
        Ok(())
    }

    /// The register of ported numbers of each environment, where one is configured.
    fn number_registers(&self) -> NumberRegisters {
        NumberRegisters::from_fn(|environment| {
            let id = self.registers.of(environment).as_ref()?;
            let mut accounts = self.accounts.iter();
            let account = accounts.find(|it| it.id == *id)?;
            let register = account.account.lookups.number_operators.clone()?;
            Some(NumberRegister::new(id.clone(), register))
        })
    }

    /// The same, after others that they replace.
    pub(super) fn providers_after(&self, before: &Providers) -> Providers {
        self.providers().guarded_after(before, self.guards.clone())
    }

    /// What operators say of the accounts, once it is read.
    pub(super) fn availability(&self) -> Arc<Availability> {
        Arc::clone(&self.availability)
    }

    /// The lookups that they bring.
    pub(super) fn lookups(&self) -> LookupTable {
        let accounts = self.accounts.iter();
        let lookups = accounts.map(|it| (it.id.clone(), it.account.lookups.clone()));
        LookupTable {
            accounts: lookups.collect(),
            table: Arc::clone(&self.table),
            availability: Arc::clone(&self.availability),
        }
    }
}

/// What operators set for each account.
pub(super) fn guards(config: &Config) -> BTreeMap<ProviderId, GuardSettings> {
    let accounts = config.accounts.iter();
    accounts.map(|it| (it.id.clone(), it.kept.guard)).collect()
}

/// How our money at each account is watched.
pub(super) fn floats(config: &Config) -> BTreeMap<ProviderId, FloatSettings> {
    let accounts = config.accounts.iter();
    accounts.map(|it| (it.id.clone(), it.kept.float)).collect()
}

/// The account of each environment that is asked who serves a number.
pub(super) fn registers(config: &Config) -> ByEnvironment<Option<ProviderId>> {
    ByEnvironment::from_fn(|environment| {
        let mut accounts = config.accounts.iter();
        let asked = accounts.find(|it| {
            it.environment == environment && it.kept.number_lookup == NumberLookupUse::On
        });
        asked.map(|it| it.id.clone())
    })
}

/// The routes in force. Where none leads to a test provider, the sandbox delivers everything to
/// test accounts.
pub(crate) fn route_table(config: &Config) -> anyhow::Result<RouteTable> {
    let environment = |provider: &ProviderId| {
        let mut accounts = config.accounts.iter();
        let account = accounts.find(|it| it.id == *provider);
        account.map_or(Environment::Test, |it| it.environment)
    };
    let mut routes = config.routes.clone();
    for route in &mut routes {
        route.environment = environment(&route.provider);
    }
    if routes.iter().all(|it| it.environment != Environment::Test) {
        let sandbox = RouteTable::everything_to(&ProviderId::parse(SANDBOX)?);
        routes.extend_from_slice(sandbox.routes());
    }
    Ok(RouteTable::new(routes))
}

/// Opens one account; else every reason why not.
fn open(config: &Config, account: &AccountConfig) -> Result<OpenedAccount, Vec<String>> {
    let settings = settings(config, account)?;
    open_with(config, account, settings).map_err(|reason| vec![reason])
}

/// The settings of an account, with its secrets; else every reason why not.
pub(crate) fn settings(
    config: &Config,
    account: &AccountConfig,
) -> Result<AccountSettings, Vec<String>> {
    let settings = account.settings(&StoredSecrets(config));
    settings.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

/// Opens one account with settings that were read.
pub(super) fn open_with(
    config: &Config,
    account: &AccountConfig,
    settings: AccountSettings,
) -> Result<OpenedAccount, String> {
    let id = &account.id;
    let opened = opened(config, account, &settings);
    let opened = opened.map_err(|error| format!("[provider.{id}]: {error:#}"))?;
    let other = opened.provider.id();
    if other != id {
        return Err(format!(
            "[provider.{id}]: its adapter opened an account called {other}; it must use the \
             identity that it is given"
        ));
    }
    Ok(OpenedAccount {
        id: id.clone(),
        settings,
        account: opened,
    })
}

fn opened(
    config: &Config,
    account: &AccountConfig,
    settings: &AccountSettings,
) -> anyhow::Result<ProviderAccount> {
    match &account.adapter {
        KnownAdapter::Sandbox => sandbox::open(config, &account.id, settings),
        KnownAdapter::Registered(adapter) => Ok(adapter.open(AccountOpening {
            id: account.id.clone(),
            environment: account.environment,
            settings,
            clock: Arc::new(SystemClock) as Arc<dyn Clock>,
        })?),
    }
}

/// The secrets that a configuration names files of, or holds sealed.
struct StoredSecrets<'a>(&'a Config);

impl SecretSource for StoredSecrets<'_> {
    fn in_file(&self, path: &Path) -> Result<String, String> {
        let read = secret_files::read(path)?;
        let text = secret_files::text(read.secret.reveal());
        let text = text.map_err(|wrong| format!("{} {wrong}", path.display()))?;
        if let Some(warning) = read.warning {
            tracing::warn!("{warning}");
        }
        Ok(text.to_owned())
    }

    fn sealed(&self, setting: &str, text: &str) -> Result<String, String> {
        let ring = ring_in_use(self.0).map_err(|error| format!("{error:#}"))?;
        let ring = ring.ok_or("it is sealed, and there is no key ring here that could open it")?;
        sealed::open(&ring, setting, text).map_err(|error| format!("{error:#}"))
    }
}

/// The key ring of a configuration, where there is one.
pub(crate) fn ring_in_use(config: &Config) -> anyhow::Result<Option<KeyRing>> {
    match &config.keys {
        Some(ring) => Ok(Some(ring.clone())),
        None => secrets::known_keys(&config.data),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use tempfile::TempDir;

    use super::*;

    #[tokio::test]
    async fn an_adapter_that_cannot_be_asked_who_serves_a_number_is_refused() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("manilla.toml");
        let text = "[provider.bank]\nadapter = \"paystack\"\nenvironment = \"test\"\n\
            secret_key = \"sk_test_1\"\nnumber_lookup = \"on\"\n";
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let flags = crate::config::Flags {
            config: Some(path),
            data: Some(folder.path().to_owned()),
            ..crate::config::Flags::default()
        };
        let config = crate::config::load(&flags, [], &crate::Registry::standard()).unwrap();
        let refused = OpenedAccounts::open(&config).unwrap_err().to_string();
        assert!(
            refused.starts_with("`provider.bank.number_lookup` is on"),
            "{refused}"
        );
    }
}
