//! What administrative commands work with, beside a running server or without one. It must open no
//! account at a provider unless a command asks providers.

use std::path::PathBuf;
use std::sync::Arc;

use application::credentials::{self, Pepper};
use application::operators::Operators;
use application::operators::change_requests::ChangeRequests;
use application::providers::Providers;
use application::{Gateway, Parts};
use domain::account::AccountId;
use domain::credential::{KeyId, KeyRecord};
use domain::environment::Environment;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::access_keys::AccessKeys;
use ports::accounts::Accounts;
use ports::audit::{Audit, Serving};
use ports::backlog::Backlog;
use ports::balance_readings::BalanceReadings;
use ports::catalogue_versions::CatalogueVersions;
use ports::changes::ProviderChanges;
use ports::clock::Clock as _;
use ports::fault_point::NoFaultPoints;
use ports::float::ProviderFloats;
use ports::ledger_store::LedgerStore;
use ports::operators::OperatorLog;
use ports::provider_environments::ProviderEnvironments;
use ports::reconciliation::Reconciliation;
use ports::senders::Senders;
use ports::transactions::Transactions;
use ports::webhooks::{Endpoints, Outbox};

use super::storage::{self, DataFolder, Storage};
use super::store_secrets::AcceptedSecrets;
use super::{OpenedAccounts, parts, sandbox};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::{entropy, files};

/// What administrative commands work with, beside a running server or without one.
#[derive(Debug)]
pub(crate) struct AdminContext {
    pub(crate) accounts: Arc<dyn Accounts>,
    pub(crate) ledger: Arc<dyn LedgerStore>,
    pub(crate) transactions: Arc<dyn Transactions>,
    pub(crate) audit: Arc<dyn Audit>,
    pub(crate) changes: Arc<dyn ProviderChanges>,
    pub(crate) senders: Arc<dyn Senders>,
    pub(crate) endpoints: Arc<dyn Endpoints>,
    pub(crate) outbox: Arc<dyn Outbox>,
    /// What waits, in numbers.
    pub(crate) backlog: Arc<dyn Backlog>,
    pub(crate) reconciliation: Arc<dyn Reconciliation>,
    pub(crate) environments: Arc<dyn ProviderEnvironments>,
    pub(crate) operator_log: Arc<dyn OperatorLog>,
    /// Keys that merchants made.
    pub(crate) access_keys: Arc<dyn AccessKeys>,
    /// Versions of the catalogue.
    pub(crate) catalogue: Arc<dyn CatalogueVersions>,
    pub(crate) floats: Arc<dyn ProviderFloats>,
    /// Balances at providers as they were read.
    pub(crate) readings: Arc<dyn BalanceReadings>,
    /// The same, for those who sign.
    pub(crate) operators: Operators,
    /// What operators ask for over HTTP.
    pub(crate) change_requests: ChangeRequests,
    /// The use cases, without any provider.
    pub(crate) gateway: Gateway,
    /// The accounts that are at sandboxes within this program.
    pub(super) sandboxes: Vec<ProviderId>,
    /// The other accounts: their records are not within reach of the audit.
    pub(super) elsewhere: Vec<ProviderId>,
    pub(super) data: PathBuf,
    pepper: Pepper,
    clock: SystemClock,
    pub(crate) storage: Storage,
}

impl AdminContext {
    pub(crate) async fn open(config: &Config, folder: DataFolder) -> anyhow::Result<Self> {
        let opened = storage::open(config, folder).await?;
        Ok(Self::over(config, opened.storage, opened.pepper))
    }

    /// Opens a store whose secrets may be others than ours, for an operator to accept ours.
    pub(crate) async fn open_to_accept(config: &Config) -> anyhow::Result<(Self, AcceptedSecrets)> {
        let opened = storage::open_to_accept(config).await?;
        let secrets = AcceptedSecrets::new(opened.storage.clone(), opened.proofs);
        Ok((Self::over(config, opened.storage, opened.pepper), secrets))
    }

    pub(super) fn over(config: &Config, storage: Storage, pepper: Pepper) -> Self {
        let gateway = Gateway::new(Parts {
            providers: Providers::default(),
            probe: Arc::new(NoFaultPoints),
            ..parts(config, &storage, &pepper)
        });
        let ports = storage.ports();
        let operators = Operators::new(Arc::clone(&ports.operators), Arc::new(SystemClock));
        Self {
            accounts: ports.accounts,
            ledger: ports.ledger,
            transactions: ports.transactions,
            audit: ports.audit,
            changes: ports.changes,
            senders: ports.senders,
            endpoints: ports.endpoints,
            outbox: ports.outbox,
            backlog: ports.backlog,
            reconciliation: ports.reconciliation,
            environments: ports.environments,
            change_requests: ChangeRequests::new(operators.clone(), ports.change_requests),
            operators,
            operator_log: ports.operators,
            access_keys: ports.access_keys,
            catalogue: ports.catalogue,
            floats: ports.floats,
            readings: ports.readings,
            gateway,
            sandboxes: sandbox::accounts(config),
            elsewhere: sandbox::other_accounts(config),
            data: config.data.clone(),
            pepper,
            clock: SystemClock,
            storage,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new API key of an account: what is shown once, and what is stored of it.
    pub(crate) fn new_key(
        &self,
        (account, environment): (&AccountId, Environment),
    ) -> anyhow::Result<(String, KeyRecord)> {
        let key = credentials::mint_key(environment, entropy::bytes()?);
        let id = KeyId(i64::from_le_bytes(entropy::bytes()?));
        let record = KeyRecord {
            id,
            hint: credentials::key_hint(&key),
            hash: credentials::hash_key(&self.pepper, account, id, &key),
            created_at: self.now(),
        };
        Ok((key, record))
    }

    /// Refuses where the books are a file in a folder of another user.
    pub(crate) fn is_of_this_user(&self) -> anyhow::Result<()> {
        let Storage::Embedded(_) = self.storage else {
            return Ok(());
        };
        let owner = files::owner(&self.data)?;
        if owner == rustix::process::geteuid().as_raw() {
            return Ok(());
        }
        anyhow::bail!(
            "the first operator is added by the owner of {}, user {owner}; nothing was changed",
            self.data.display()
        )
    }

    /// Whether a server works on these books.
    pub(crate) async fn serving(&self) -> anyhow::Result<Serving> {
        self.storage.serving(&self.data).await
    }

    /// The kind of store.
    pub(crate) const fn store_kind(&self) -> &'static str {
        match self.storage {
            Storage::Embedded(_) => "embedded",
            Storage::Shared(_) => "postgresql",
        }
    }

    /// The use cases with the providers, for commands that ask them.
    pub(crate) fn asking(&self, config: &Config) -> anyhow::Result<Gateway> {
        Ok(Gateway::new(Parts {
            providers: OpenedAccounts::open(config)?.providers(),
            probe: Arc::new(NoFaultPoints),
            ..parts(config, &self.storage, &self.pepper)
        }))
    }

    /// Checks the file of an embedded store, to its end.
    pub(crate) fn integrity(&self) -> impl Future<Output = ()> + Send + 'static {
        let (storage, data) = (self.storage.clone(), self.data.clone());
        async move { storage.check_integrity(&data).await }
    }

    pub(crate) async fn close(self) {
        self.storage.close().await;
    }
}
