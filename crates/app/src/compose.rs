//! The composition root: the only place that names adapters. It must not decide anything about
//! money; it puts together what does.

mod accounts;
mod admin_context;
mod administration;
mod books;
mod catalogue;
mod edge;
mod fault_probe;
mod floats;
mod inspection;
mod journal;
mod kept_secrets;
mod logos;
mod lookup;
mod monitoring;
mod pepper;
mod provider_environments;
mod reload;
mod routed_lookups;
mod row_codes;
mod sandbox;
mod sandbox_clock;
mod storage;
mod store_ports;
mod store_secrets;
mod webhooks;

use std::sync::Arc;

use ::catalogue::LiveCatalogue;
use ::monitoring::Instruments;
use anyhow::Context as _;
use application::QueueWorker;
use application::availability_reader::AvailabilityReader;
use application::credentials::Pepper;
use application::journals::Journals;
use application::lookups::Lookups;
use application::operators::Operators;
use application::price_overrides::PriceOverrides;
use application::providers::Providers;
use application::recovery::Recovery;
use application::reports::files::ReportWriter;
use application::retention::Retention;
use application::{Gateway, Parts};
use bank_directory::JoinedBankDirectory;
use domain::environment::ByEnvironment;
use http_server::{AccountLimits, CsvReports, HttpServer};
use numbering_plan::NumberingPlans;
use ports::catalogue::{CatalogueSource, FixedCatalogue};
use ports::clock::Clock;
use ports::fault_point::NoFaultPoints;
use ports::geolocation::{NoGeolocation, NoReverseDns, NoTransmitters};
use ports::journal::Unjournalled;
use ports::measurements::Unmeasured;
use webhook_dispatch::dispatcher::Dispatcher;

pub(crate) use self::accounts::{
    OpenedAccounts, ring_in_use, route_table, settings as account_settings,
};
pub(crate) use self::admin_context::AdminContext;
pub(crate) use self::catalogue::built_in_catalogue;
use self::catalogue::live_catalogue;
use self::edge::bound;
pub(crate) use self::edge::{certificate, usable};
pub(crate) use self::floats::FloatWorkers;
pub(crate) use self::inspection::{open_to_inspect, stored_keys, stored_pepper};
pub(crate) use self::kept_secrets::{KeptSecrets, kept_secrets};
pub(crate) use self::monitoring::Monitoring;
pub(crate) use self::reload::{LiveAccounts, ReloadReport};
use self::routed_lookups::RoutedLookups;
pub(crate) use self::sandbox::built_in;
pub(crate) use self::storage::{BOOKS_FILE, DataFolder, ServeGuard};
use self::storage::{OpenedStorage, Storage};
pub(crate) use self::store_secrets::{AcceptedSecrets, RowCodes};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::ids::ClockIds;
use crate::offline::Offline;

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
            proofs,
            serve_guard: seat,
        } = storage::open_to_serve(config, Arc::new(instruments.clone())).await?;
        let accounts = OpenedAccounts::open(config)?;
        let environments = storage.ports().environments;
        provider_environments::must_fit(config, &storage.ports()).await?;
        let lookups = Arc::new(RoutedLookups::new(accounts.lookups()));
        let availability = availability(&storage, &accounts).await?;
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
        let own_limits = Arc::new(AccountLimits::new(config.http_limits.own.clone()));
        let server = bound(config, &gateway, (operators, Arc::clone(&own_limits))).await?;
        store_secrets::keep(&*storage.ports().secret_proofs, &proofs, config).await?;
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
            live: LiveAccounts::new((&gateway, own_limits), (lookups, environments), accounts),
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

/// What operators said, read once before the first payment is let in.
async fn availability(
    storage: &Storage,
    accounts: &OpenedAccounts,
) -> anyhow::Result<AvailabilityReader> {
    let operators = Operators::new(storage.ports().operators, Arc::new(SystemClock));
    let mut reader = AvailabilityReader::new(operators, accounts.availability());
    let read = reader.read().await;
    read.context("what operators said of providers and payments cannot be read")?;
    Ok(reader)
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
