//! The gateway: the ports it works through and what all use cases share. Use cases are `impl
//! Gateway` blocks in the modules of their families; this one must hold none.

use crate::access::KeyGrant;
use crate::collections::CollectionTerms;
use crate::credential_cache::CredentialCache;
use crate::lookups::Lookups;
use crate::opening_references::OpeningReferences;
use crate::payment::batch::BatchPlace;
use crate::pepper::Pepper;
use crate::price_overrides::PriceOverrides;
use crate::providers::Providers;
use crate::request_log::WaitingRequests;
use crate::request_signing::SignedNonces;
use crate::service_traffic::SettledPayments;
use crate::settings::Settings;
use crate::tasks::Tasks;
use crate::under_way::UnderWay;
use arc_swap::ArcSwap;
use domain::account::Account;
use domain::bank::charges::ChargeRules;
use domain::environment::ByEnvironment;
use domain::freeze::ActiveFreezes;
use domain::provider::ProviderId;
use domain::spending::ActiveLimits;
use domain::time::Timestamp;
use domain::top_up::ReceivingAccount;
use domain::wallet::CreditPrices;
use ports::access_keys::AccessKeys;
use ports::account_changes::AccountChanges;
use ports::account_users::AccountUsers;
use ports::accounts::Accounts;
use ports::allowlists::Allowlists;
use ports::banks::BankDirectory;
use ports::batches::Batches;
use ports::bookings::Bookings;
use ports::catalogue::{Catalogue, CatalogueSource};
use ports::changes::ProviderChanges;
use ports::clock::Clock;
use ports::collections::Collections;
use ports::fault_point::FaultPoint;
use ports::freezes::Freezes;
use ports::geolocation::{Geolocation, ReverseNames, Transmitters};
use ports::groups::Groups;
use ports::ids::Ids;
use ports::incoming_messages::IncomingMessages;
use ports::invoices::Invoices;
use ports::journal::Journal;
use ports::ledger_store::LedgerStore;
use ports::measurements::Measurements;
use ports::messaging_library::MessagingLibrary;
use ports::numbering::NumberingPlan;
use ports::peers::Peers;
use ports::provider::Provider;
use ports::receipts::MessageIds;
use ports::reconciliation::Reconciliation;
use ports::recurring::RecurringPayments;
use ports::refunds::Refunds;
use ports::report_runs::ReportRuns;
use ports::reports::Reports;
use ports::request_log::RequestLog;
use ports::senders::Senders;
use ports::spending_limits::SpendingLimits;
use ports::top_ups::TopUps;
use ports::transactions::{Leases, Transactions};
use ports::vouchers::Vouchers;
use ports::webhooks::{Endpoints, Outbox, WebhookUrlPolicy};
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Everything a gateway is made of.
#[derive(Debug)]
pub struct Parts {
    /// Durable writes.
    pub ledger: Arc<dyn LedgerStore>,
    /// Reads.
    pub transactions: Arc<dyn Transactions>,
    /// Reads of batches.
    pub batches: Arc<dyn Batches>,
    /// Reads for reports.
    pub reports: Arc<dyn Reports>,
    /// Files of reports.
    pub report_runs: Arc<dyn ReportRuns>,
    /// Groups of bank accounts.
    pub groups: Arc<dyn Groups>,
    /// Templates and flows that merchants keep.
    pub library: Arc<dyn MessagingLibrary>,
    /// Keys that merchants make.
    pub access_keys: Arc<dyn AccessKeys>,
    /// Limits on what accounts spend.
    pub spending_limits: Arc<dyn SpendingLimits>,
    /// Freezes of accounts, keys and services.
    pub freezes: Arc<dyn Freezes>,
    /// What was changed of accounts.
    pub account_changes: Arc<dyn AccountChanges>,
    /// Requests of accounts as they were answered.
    pub request_log: Arc<dyn RequestLog>,
    /// Messages that people sent to senders of accounts.
    pub incoming: Arc<dyn IncomingMessages>,
    /// Allowlists of keys.
    pub allowlists: Arc<dyn Allowlists>,
    /// Users of accounts.
    pub users: Arc<dyn AccountUsers>,
    /// Refunds that merchants ask for.
    pub refunds: Arc<dyn Refunds>,
    /// Top-ups that merchants announce.
    pub top_ups: Arc<dyn TopUps>,
    /// Collections of merchants.
    pub collections: Arc<dyn Collections>,
    /// How they are made, and what is charged for what is paid to them.
    pub collection_terms: CollectionTerms,
    /// Invoices of merchants.
    pub invoices: Arc<dyn Invoices>,
    /// Services that can be booked, and appointments.
    pub bookings: Arc<dyn Bookings>,
    /// Subscriptions of merchants.
    pub recurring: Arc<dyn RecurringPayments>,
    /// Codes of merchants.
    pub vouchers: Arc<dyn Vouchers>,
    /// The bank account that merchants pay to.
    pub receiving_account: Option<ReceivingAccount>,
    /// Claims on unresolved transactions.
    pub leases: Arc<dyn Leases>,
    /// What is written before it is sent.
    pub journal: Arc<dyn Journal>,
    /// Suspensions of payments.
    pub reconciliation: Arc<dyn Reconciliation>,
    /// How far providers' changes were read, and those that could not be applied.
    pub changes: Arc<dyn ProviderChanges>,
    /// What providers call messages.
    pub message_ids: Arc<dyn MessageIds>,
    /// Accounts and keys.
    pub accounts: Arc<dyn Accounts>,
    /// The other instances over the same store.
    pub peers: Arc<dyn Peers>,
    /// The providers of each family, until others replace them.
    pub providers: Providers,
    /// Lookups at billers and banks, for the accounts of each environment.
    pub lookups: ByEnvironment<Lookups>,
    /// Which banks there are.
    pub banks: Arc<dyn BankDirectory>,
    /// The registered sender names.
    pub senders: Arc<dyn Senders>,
    /// Webhook endpoints of merchants.
    pub endpoints: Arc<dyn Endpoints>,
    /// Webhook events and their deliveries.
    pub outbox: Arc<dyn Outbox>,
    /// Which addresses webhooks may be delivered to.
    pub targets: Arc<dyn WebhookUrlPolicy>,
    /// What is sold, from moment to moment.
    pub catalogue: Arc<dyn CatalogueSource>,
    /// Numbering plans.
    pub numbering: Arc<dyn NumberingPlan>,
    /// Where addresses are.
    pub geolocation: Arc<dyn Geolocation>,
    /// What addresses are called.
    pub reverse_names: Arc<dyn ReverseNames>,
    /// Where cells and access points stand.
    pub transmitters: Arc<dyn Transmitters>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Fresh numbers.
    pub ids: Arc<dyn Ids>,
    /// Called at every step of a payment.
    pub probe: Arc<dyn FaultPoint>,
    /// Counts and times what is done.
    pub measurements: Arc<dyn Measurements>,
    /// Accounts' own terms.
    pub price_overrides: PriceOverrides,
    /// What payouts are charged.
    pub charges: ChargeRules,
    /// What message credits cost.
    pub credit_prices: CreditPrices,
    /// Limits.
    pub settings: Settings,
    /// The secret keys and meanings are hashed under.
    pub pepper: Pepper,
}

/// The gateway; clones share everything. Each sells by one snapshot of the catalogue and of the
/// routes, which never change under it.
#[derive(Debug, Clone)]
pub struct Gateway(Arc<Inner>, Arc<dyn Catalogue>, Arc<Providers>);

#[derive(Debug)]
struct Inner {
    parts: Parts,
    /// The providers in force. A request reads them without a lock.
    providers: ArcSwap<Providers>,
    remembered: CredentialCache,
    tasks: Tasks,
    under_way: UnderWay,
    opening: OpeningReferences,
    batch: BatchPlace,
    queue_changed: Notify,
    report_begun: Notify,
    settled: SettledPayments,
    requests: WaitingRequests,
    signed: SignedNonces,
}

/// An account that was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merchant {
    /// The account.
    pub account: Account,
    /// What the key that opened it allows.
    pub grant: KeyGrant,
    /// What it may spend.
    pub limits: ActiveLimits,
    /// What of it is frozen.
    pub freezes: ActiveFreezes,
    /// The request that it was let in with; none where the gateway acts for it.
    pub request: Option<ClientRequest>,
}

/// A request of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientRequest {
    /// The address of the client.
    pub address: IpAddr,
    /// By what the request is found in the log.
    pub id: String,
}

impl Gateway {
    /// A gateway out of its parts.
    pub fn new(mut parts: Parts) -> Self {
        let providers = Arc::new(std::mem::take(&mut parts.providers));
        let tasks = Tasks::new(parts.settings.payments_max);
        let catalogue = parts.catalogue.in_force();
        let inner = Inner {
            remembered: CredentialCache::new(Arc::clone(&parts.clock), &parts.settings),
            providers: ArcSwap::new(Arc::clone(&providers)),
            under_way: UnderWay::new(Arc::clone(&parts.clock), parts.settings.lease),
            opening: OpeningReferences::default(),
            batch: BatchPlace::default(),
            queue_changed: Notify::new(),
            report_begun: Notify::new(),
            settled: SettledPayments::new(parts.settings.longest_pause()),
            requests: WaitingRequests::default(),
            signed: SignedNonces::default(),
            parts,
            tasks,
        };
        Self(Arc::new(inner), catalogue, providers)
    }

    /// The same gateway with the catalogue and the routes that are in force now: for one request,
    /// from its first lookup to the commit that opens its transaction, and for its later attempts.
    #[must_use]
    pub fn for_request(&self) -> Self {
        let catalogue = self.0.parts.catalogue.in_force();
        Self(Arc::clone(&self.0), catalogue, self.providers_in_force())
    }

    /// Replaces providers, routes and limits at once, for every request that begins from now on.
    /// Each provider that was there must be there still: attempts may be open at it.
    pub fn replace_providers(&self, providers: Providers) {
        self.0.providers.store(Arc::new(providers));
    }

    /// The providers that are in force now.
    pub fn providers_in_force(&self) -> Arc<Providers> {
        self.0.providers.load_full()
    }

    /// The providers and routes of this request.
    pub(crate) fn providers(&self) -> &Providers {
        &self.2
    }

    /// A provider by its identity, as a stored attempt names it. It is the one that is in force now
    /// also for a request that began before: its secrets are those that the provider takes.
    pub(crate) fn provider(&self, id: &ProviderId) -> Option<Arc<dyn Provider>> {
        let now = self.0.providers.load().named(id);
        now.or_else(|| self.2.named(id))
    }

    /// What this gateway sells.
    pub(crate) fn catalogue(&self) -> &dyn Catalogue {
        &*self.1
    }

    /// Refuses new payments, waits for those under way, and ends the sessions of providers.
    pub async fn drain(&self) {
        self.0.tasks.drain().await;
        self.close_receipts().await;
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0.parts
    }

    pub(crate) fn remembered(&self) -> &CredentialCache {
        &self.0.remembered
    }

    pub(crate) fn report_begun(&self) -> &Notify {
        &self.0.report_begun
    }

    /// The payments that this process settled of late.
    pub(crate) fn settled_payments(&self) -> &SettledPayments {
        &self.0.settled
    }

    /// The answered requests that are to be written.
    pub(crate) fn waiting_requests(&self) -> &WaitingRequests {
        &self.0.requests
    }

    /// The nonces that signed requests used.
    pub(crate) fn signed_nonces(&self) -> &SignedNonces {
        &self.0.signed
    }

    pub(crate) fn tasks(&self) -> &Tasks {
        &self.0.tasks
    }

    pub(crate) fn under_way(&self) -> &UnderWay {
        &self.0.under_way
    }

    /// The batch that this process prepares.
    pub(crate) fn batch_place(&self) -> &BatchPlace {
        &self.0.batch
    }

    /// Notified when this process has queued something.
    pub(crate) fn queue_changed(&self) -> &Notify {
        &self.0.queue_changed
    }

    /// The references under which this process may still open a transaction.
    pub(crate) fn opening(&self) -> &OpeningReferences {
        &self.0.opening
    }

    /// The present moment, as everything here sees it.
    pub fn now(&self) -> Timestamp {
        self.0.parts.clock.now()
    }

    /// The time since a fixed moment, which no setting of the clock changes: for whatever lasts a
    /// while and is stored nowhere.
    pub fn uptime(&self) -> Duration {
        self.0.parts.clock.uptime()
    }

    /// What a call answers within a time; an answer that comes at the very end still counts. `None`
    /// where it took longer: whether it was done is then unknown.
    pub(crate) async fn within<T>(
        &self,
        time: Duration,
        call: impl Future<Output = T>,
    ) -> Option<T> {
        tokio::select! {
            biased;
            answer = call => Some(answer),
            () = self.0.parts.clock.sleep(time) => None,
        }
    }

    /// Waits.
    pub async fn wait(&self, time: Duration) {
        self.0.parts.clock.sleep(time).await;
    }

    /// Waits for the next round of a worker, or until it is stopped.
    pub(crate) async fn pause(&self, time: Duration, stop: &CancellationToken) {
        tokio::select! {
            () = self.0.parts.clock.sleep(time) => {}
            () = stop.cancelled() => {}
        }
    }
}
