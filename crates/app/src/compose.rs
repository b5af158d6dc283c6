//! The composition root: the only place that names adapters. It must not decide anything about
//! money; it puts together what does.

mod accounts;
mod administration;
mod books;
mod catalogue;
mod edge;
mod fault_probe;
mod floats;
mod journal;
mod logos;
mod lookup;
mod monitoring;
mod provider_environments;
mod reload;
mod routed_lookups;
mod sandbox;
mod sandbox_clock;
mod storage;
mod store_ports;
mod webhooks;

use std::path::PathBuf;
use std::sync::Arc;

use ::catalogue::LiveCatalogue;
use ::monitoring::Instruments;
use anyhow::Context as _;
use application::QueueWorker;
use application::availability_reader::AvailabilityReader;
use application::credentials::{self, Pepper};
use application::journals::Journals;
use application::lookups::Lookups;
use application::operators::Operators;
use application::operators::change_requests::ChangeRequests;
use application::price_overrides::PriceOverrides;
use application::providers::Providers;
use application::recovery::Recovery;
use application::reports::files::ReportWriter;
use application::retention::Retention;
use application::{Gateway, Parts};
use bank_directory::JoinedBankDirectory;
use domain::account::AccountId;
use domain::credential::{KeyId, KeyRecord};
use domain::environment::{ByEnvironment, Environment};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use http_server::{CsvReports, HttpServer};
use numbering_plan::NumberingPlans;
use ports::access_keys::AccessKeys;
use ports::accounts::Accounts;
use ports::audit::{Audit, Serving};
use ports::balance_readings::BalanceReadings;
use ports::catalogue::{CatalogueSource, FixedCatalogue};
use ports::catalogue_versions::CatalogueVersions;
use ports::changes::ProviderChanges;
use ports::clock::Clock;
use ports::fault_point::NoFaultPoints;
use ports::float::ProviderFloats;
use ports::geolocation::{NoGeolocation, NoReverseDns, NoTransmitters};
use ports::journal::Unjournalled;
use ports::ledger_store::LedgerStore;
use ports::measurements::Unmeasured;
use ports::operators::OperatorLog;
use ports::provider_environments::ProviderEnvironments;
use ports::reconciliation::Reconciliation;
use ports::senders::Senders;
use ports::transactions::Transactions;
use ports::webhooks::Outbox;
use webhook_dispatch::dispatcher::Dispatcher;

pub(crate) use self::accounts::{OpenedAccounts, route_table};
pub(crate) use self::catalogue::built_in_catalogue;
use self::catalogue::live_catalogue;
use self::edge::bound;
pub(crate) use self::edge::{certificate, usable};
pub(crate) use self::floats::FloatWorkers;
pub(crate) use self::monitoring::Monitoring;
pub(crate) use self::reload::{LiveAccounts, ReloadReport};
use self::routed_lookups::RoutedLookups;
pub(crate) use self::sandbox::built_in;
pub(crate) use self::storage::{DataFolder, ServeGuard};
use self::storage::{OpenedStorage, Storage};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::entropy;
use crate::files;
use crate::ids::ClockIds;
use crate::offline::Offline;

/// What administrative commands work with, beside a running server or without one.
#[derive(Debug)]
pub(crate) struct AdminContext {
    pub(crate) accounts: Arc<dyn Accounts>,
    pub(crate) ledger: Arc<dyn LedgerStore>,
    pub(crate) transactions: Arc<dyn Transactions>,
    pub(crate) audit: Arc<dyn Audit>,
    pub(crate) changes: Arc<dyn ProviderChanges>,
    pub(crate) senders: Arc<dyn Senders>,
    pub(crate) outbox: Arc<dyn Outbox>,
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
    sandboxes: Vec<ProviderId>,
    /// The other accounts: their records are not within reach of the audit.
    elsewhere: Vec<ProviderId>,
    data: PathBuf,
    pepper: Pepper,
    clock: SystemClock,
    storage: Storage,
}

impl AdminContext {
    pub(crate) async fn open(config: &Config, folder: DataFolder) -> anyhow::Result<Self> {
        let opened = storage::open(config, folder).await?;
        Ok(Self::over(config, opened.storage, opened.pepper))
    }

    fn over(config: &Config, storage: Storage, pepper: Pepper) -> Self {
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
            outbox: ports.outbox,
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

/// Everything a server consists of.
#[derive(Debug)]
pub(crate) struct RunningGateway {
    pub(crate) context: AdminContext,
    pub(crate) gateway: Gateway,
    pub(crate) recovery: Recovery,
    /// Sends what is queued.
    pub(crate) queue: QueueWorker,
    /// Erases what the operator does not keep.
    pub(crate) keeping: (Retention, ReportWriter),
    pub(crate) server: HttpServer,
    /// Answers operators' tools.
    pub(crate) monitoring: Option<Monitoring>,
    /// Delivers events to merchants.
    pub(crate) dispatcher: Dispatcher,
    /// Loads versions of the catalogue before they begin.
    pub(crate) catalogue: Arc<LiveCatalogue>,
    /// Compares the attempt journals with the store.
    pub(crate) journals: Journals,
    /// Reads what operators said of providers.
    pub(crate) availability: AvailabilityReader,
    /// What watches our money at providers, and reserves it.
    pub(crate) floats: FloatWorkers,
    /// The accounts and routes, to be replaced.
    pub(crate) live: LiveAccounts,
    /// Kept until the server has stopped.
    pub(crate) serve_guard: Option<ServeGuard>,
}

impl RunningGateway {
    /// Puts a server together; it answers no request yet.
    pub(crate) async fn open(config: &Config) -> anyhow::Result<Self> {
        let instruments = Instruments::new();
        let OpenedStorage {
            storage,
            pepper,
            ring,
            serve_guard: seat,
        } = storage::open_to_serve(config, Arc::new(instruments.clone())).await?;
        let accounts = OpenedAccounts::open(config)?;
        let environments = storage.ports().environments;
        provider_environments::check(config, &*environments).await?;
        provider_environments::keep_recognised(config, &*storage.ports().reconciliation).await?;
        let lookups = Arc::new(RoutedLookups::new(accounts.lookups()));
        let mut availability = AvailabilityReader::new(
            Operators::new(storage.ports().operators, Arc::new(SystemClock)),
            accounts.availability(),
        );
        availability
            .read()
            .await
            .context("what operators said of providers cannot be read")?;
        let catalogue = live_catalogue(config, &storage).await?;
        let parts = Parts {
            catalogue: Arc::clone(&catalogue) as Arc<dyn CatalogueSource>,
            providers: accounts.providers(),
            lookups: lookups.by_environment(),
            geolocation: Arc::new(lookup::tables(&config.lookup)?),
            reverse_names: lookup::names(config),
            transmitters: Arc::new(lookup::transmitters(&config.lookup)?),
            probe: fault_probe::probe()?,
            measurements: Arc::new(instruments.clone()),
            journal: journal::open(config, ring).await?,
            ..parts(config, &storage, &pepper)
        };
        let kept = (config.webhook.remembered, config.webhook.deliveries_max);
        let delivering = webhooks::shared(&parts, kept);
        let gateway = Gateway::new(parts);
        let journals = Journals::start(&gateway).await?;
        let operators = administration::of(config, &storage, &pepper);
        let server = bound(config, &gateway, operators).await?;
        storage.keep_pepper(&pepper, config).await?;
        let context = AdminContext::over(config, storage.clone(), pepper);
        let watched = monitoring::watched(
            (&gateway, storage.ports()),
            context.change_requests.clone(),
            (config, server.certificate()),
        );
        let dispatcher = webhooks::dispatcher(config, server.local_addr(), delivering)?;
        // Of a start that fails before this nothing is remembered.
        provider_environments::register(config, &*environments).await?;
        Ok(Self {
            recovery: Recovery::new(&gateway),
            queue: QueueWorker::new(&gateway),
            floats: FloatWorkers::new(&gateway, storage.ports())?,
            keeping: (
                storage.retention(config.meter_tokens),
                ReportWriter::new(gateway.clone(), Arc::new(CsvReports), config.report_files),
            ),
            monitoring: Monitoring::bound(config, &instruments, watched).await?,
            context,
            live: LiveAccounts::new(&gateway, (lookups, environments), accounts),
            gateway,
            catalogue,
            server,
            dispatcher,
            journals,
            availability,
            serve_guard: seat,
        })
    }
}

/// The parts that do not differ between a server and a command. Both replace the providers.
fn parts(config: &Config, storage: &Storage, pepper: &Pepper) -> Parts {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let ports = storage.ports();
    Parts {
        ledger: ports.ledger,
        transactions: ports.transactions,
        batches: ports.batches,
        groups: ports.groups,
        library: ports.library,
        access_keys: ports.access_keys,
        freezes: ports.freezes,
        allowlists: ports.allowlists,
        account_changes: ports.account_changes,
        request_log: ports.request_log,
        incoming: ports.incoming,
        spending_limits: ports.spending_limits,
        users: ports.users,
        refunds: ports.refunds,
        top_ups: ports.top_ups,
        collections: ports.collections,
        invoices: ports.invoices,
        bookings: ports.bookings,
        collection_terms: config.collection.clone(),
        vouchers: ports.vouchers,
        recurring: ports.recurring,
        receiving_account: config.top_up.receiving.clone(),
        reports: ports.reports,
        report_runs: ports.report_runs,
        leases: ports.leases,
        journal: Arc::new(Unjournalled),
        reconciliation: ports.reconciliation,
        changes: ports.changes,
        message_ids: ports.message_ids,
        accounts: ports.accounts,
        peers: ports.peers,
        providers: Providers::default(),
        lookups: ByEnvironment::from_fn(|_| Lookups::all(&Arc::new(Offline))),
        banks: Arc::new(JoinedBankDirectory::new()),
        senders: ports.senders,
        endpoints: ports.endpoints,
        outbox: ports.outbox,
        targets: webhooks::guard(config, config.server.listen),
        charges: config.charges.clone(),
        credit_prices: config.credit_prices.clone(),
        catalogue: Arc::new(FixedCatalogue::new(built_in_catalogue(config))),
        numbering: Arc::new(NumberingPlans::new()),
        geolocation: Arc::new(NoGeolocation),
        reverse_names: Arc::new(NoReverseDns),
        transmitters: Arc::new(NoTransmitters),
        ids: Arc::new(ClockIds::new(Arc::clone(&clock), storage.slot())),
        clock,
        probe: Arc::new(NoFaultPoints),
        measurements: Arc::new(Unmeasured),
        price_overrides: PriceOverrides::new(config.price_overrides.clone()),
        settings: config.settings,
        pepper: pepper.clone(),
    }
}

#[cfg(test)]
mod tests;
