//! A small world: one gateway over the reference store, a scripted provider, a clock that stands
//! still, and faults. Everything in it outlives the gateway, so that a test can start it anew.

pub(crate) mod clock;
pub(crate) mod fault_injector;
pub(crate) mod process;
pub(crate) mod provider;
pub(crate) mod recurring;
pub(crate) mod request;
pub(crate) mod seeded_rng;
pub(crate) mod shelf;
pub(crate) mod store;

use application::access::KeyGrant;
use application::collections::CollectionTerms;
use application::lookups::Lookups;
use application::price_overrides::PriceOverrides;
use application::providers::Providers;
use application::recovery::Recovery;
use application::settings::Settings;
use application::{Gateway, Merchant, Parts};
use async_trait::async_trait;
use clock::WallClock;
use domain::bank::charges::ChargeRules;
use domain::credential::KeyId;
use domain::environment::ByEnvironment;
use domain::event::EventKind;
use domain::freeze::ActiveFreezes;
use domain::ledger::TransferKind;
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::spending::ActiveLimits;
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, Transaction};
use domain::wallet::CreditPrices;
use fault_injector::FaultInjector;
use ports::catalogue::FixedCatalogue;
use ports::clock::Clock;
use ports::fault_point::{FaultPoint, FaultStep};
use ports::ids::Ids;
use ports::peers::SingleInstance;
use provider::ExposedProvider;
use shelf::{StubNumberingPlan, banks, shelf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::ExposedStore;
use testkit::builders::{account, account_id, receiving_account, reference};
use testkit::clock::ManualClock;
use testkit::contract::storage::Stores;
use testkit::faults::FaultyBooks;
use testkit::ids::SeededIds;
use testkit::journal::MemoryJournal;
use testkit::memory::MemoryStore;
use testkit::provider::ScriptedProvider;
use testkit::targets::HttpsTargets;
use tokio::sync::Notify;

/// What `shop` and `other` begin with, in minor units.
pub(crate) const BALANCE: i64 = 1_000_000;

/// The secret of the installation.
pub(crate) const PEPPER: application::credentials::Pepper =
    application::credentials::Pepper::new([42; 32]);

/// Everything around a gateway.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) wall: Arc<WallClock>,
    /// The store itself, where the sun always shines.
    pub(crate) stores: Stores,
    pub(crate) exposed: Arc<ExposedStore>,
    pub(crate) ledger: Arc<FaultyBooks>,
    pub(crate) faults: Arc<FaultInjector>,
    pub(crate) provider: Arc<ScriptedProvider>,
    pub(crate) network: Arc<ExposedProvider>,
    pub(crate) halt: Arc<Halt>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) journal: Arc<MemoryJournal>,
}

impl World {
    /// A world with the accounts `shop` and `other`, each with 10,000.00.
    pub(crate) async fn new() -> Self {
        let clock = ManualClock::start();
        let store = MemoryStore::with_clock(clock.clone());
        let stores = Stores::of(store.clone());
        stores.has_account("shop", "10,000.00").await;
        stores.has_account("other", "10,000.00").await;
        let faults = Arc::new(FaultInjector::default());
        let provider = ScriptedProvider::new(clock.clone());
        let network = ExposedProvider::new(
            provider.clone(),
            faults.clone(),
            (store.clone(), clock.clone()),
        );
        let exposed = Arc::new(ExposedStore {
            store,
            faults: faults.clone(),
            clock: clock.clone(),
        });
        let mut outside = stores.clone();
        outside.books = exposed.clone();
        Self {
            wall: WallClock::over(clock.clone()),
            ledger: FaultyBooks::over(&outside, clock.clone()),
            ids: Arc::new(SeededIds::new(7)),
            journal: MemoryJournal::new(),
            halt: Arc::default(),
            stores,
            exposed,
            faults,
            provider,
            network,
            clock,
        }
    }

    /// A gateway in this world.
    pub(crate) fn gateway(&self) -> Gateway {
        self.gateway_with(|_| ())
    }

    /// A gateway in this world that differs in something.
    pub(crate) fn gateway_with(&self, change: impl FnOnce(&mut Parts)) -> Gateway {
        let routes = Service::delivered().map(|service| (service, self.network.clone() as _));
        let mut parts = Parts {
            ledger: self.ledger.clone(),
            transactions: self.exposed.clone(),
            batches: self.exposed.store.clone(),
            groups: self.exposed.store.clone(),
            library: self.exposed.store.clone(),
            access_keys: self.exposed.store.clone(),
            spending_limits: self.exposed.store.clone(),
            freezes: self.exposed.store.clone(),
            allowlists: self.exposed.store.clone(),
            account_changes: self.exposed.store.clone(),
            request_log: self.exposed.store.clone(),
            incoming: self.exposed.store.clone(),
            users: self.exposed.store.clone(),
            refunds: self.exposed.store.clone(),
            top_ups: self.exposed.store.clone(),
            collections: self.exposed.store.clone(),
            invoices: self.exposed.store.clone(),
            bookings: self.exposed.store.clone(),
            collection_terms: CollectionTerms::default(),
            vouchers: self.exposed.store.clone(),
            recurring: self.exposed.store.clone(),
            receiving_account: Some(receiving_account()),
            reports: self.exposed.store.clone(),
            report_runs: self.exposed.store.clone(),
            leases: self.exposed.clone(),
            journal: self.journal.clone(),
            reconciliation: self.stores.reconciliation.clone(),
            changes: self.exposed.clone(),
            message_ids: self.stores.message_ids.clone(),
            accounts: self.exposed.clone(),
            peers: Arc::new(SingleInstance),
            providers: Providers::new(routes.collect()),
            lookups: ByEnvironment::from_fn(|_| Lookups {
                meters: self.network.clone(),
                smartcards: self.provider.clone(),
                bill_accounts: self.provider.clone(),
                bank_accounts: self.provider.clone(),
                mobile_wallets: self.provider.clone(),
                cards: self.provider.clone(),
                exchange_quotes: self.provider.clone(),
            }),
            banks: Arc::new(banks()),
            senders: self.stores.senders.clone(),
            endpoints: self.exposed.store.clone(),
            outbox: self.exposed.store.clone(),
            targets: Arc::new(HttpsTargets),
            charges: ChargeRules::default_nigeria(),
            credit_prices: CreditPrices::default(),
            catalogue: Arc::new(FixedCatalogue::new(shelf())),
            numbering: Arc::new(StubNumberingPlan),
            geolocation: Arc::new(testkit::geolocation::Atlas),
            reverse_names: Arc::new(testkit::geolocation::TestNames::Known),
            transmitters: Arc::new(ports::geolocation::NoTransmitters),
            clock: self.wall.clone(),
            ids: self.ids.clone(),
            probe: self.halt.clone(),
            measurements: Arc::new(ports::measurements::Unmeasured),
            price_overrides: PriceOverrides::default(),
            settings: Settings::default(),
            pepper: PEPPER,
        };
        change(&mut parts);
        Gateway::new(parts)
    }

    /// The transaction of `shop` under a reference, which must be stored.
    pub(crate) async fn stored(&self, under: &str) -> Transaction {
        let stored = self.stores.read("shop", under).await;
        stored.unwrap_or_else(|| panic!("{under} is not stored"))
    }

    /// What `shop` can spend and what is held, in minor units.
    pub(crate) async fn wallet(&self) -> (i64, i64) {
        self.stores.balances("shop").await
    }

    pub(crate) async fn transfers(&self, tx: &Transaction) -> Vec<TransferKind> {
        let transfers = self.stores.transfers(tx).await;
        transfers.iter().map(|transfer| transfer.kind).collect()
    }

    pub(crate) async fn events(&self, tx: &Transaction) -> Vec<EventKind> {
        let events = self.stores.events(tx).await;
        events.iter().map(|event| event.kind).collect()
    }

    /// The moment it is, whatever the wall clock shows.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Moves time on; everything that is due in between happens.
    pub(crate) async fn pass(&self, duration: Duration) {
        self.clock.advance(duration).await;
    }

    /// Lets time pass in steps of a minute and follows up what is due after each: the age of what
    /// is in doubt grows with the time.
    pub(crate) async fn follow_up_for(&self, recovery: &mut Recovery, minutes: u64) {
        for _ in 0..minutes {
            self.pass(Duration::from_mins(1)).await;
            recovery.sweep().await.unwrap();
        }
    }

    /// Nothing was sent that was not committed, nothing was sent twice, and the books are right.
    pub(crate) async fn is_right(&self) {
        assert_eq!(self.network.offences(), [""; 0]);
        self.stores.must_be_clean(self.now()).await;
    }
}

/// Who buys.
pub(crate) fn merchant(id: &str) -> Merchant {
    Merchant {
        account: account(id).build(),
        grant: KeyGrant::unlimited(KeyId(1)),
        limits: ActiveLimits::default(),
        freezes: ActiveFreezes::default(),
        request: None,
    }
}

/// What the provider knows an attempt of `shop` by.
pub(crate) fn attempt(under: &str, n: u8) -> ProviderReference {
    let attempt = AttemptNumber::try_new(n).unwrap();
    ProviderReference::derive(&account_id("shop"), &reference(under), attempt)
}

pub(crate) const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

pub(crate) const fn minutes(count: u64) -> Duration {
    Duration::from_mins(count)
}

/// Stops the flow that reaches a moment, until it is resumed.
#[derive(Debug, Default)]
pub(crate) struct Halt {
    at: Mutex<Option<FaultStep>>,
    reached: Notify,
    resumed: Notify,
}

impl Halt {
    pub(crate) fn at(&self, moment: FaultStep) {
        *self.at.lock().unwrap() = Some(moment);
    }

    pub(crate) fn nowhere(&self) {
        *self.at.lock().unwrap() = None;
    }

    /// Resumes the flow that was stopped.
    pub(crate) fn resume(&self) {
        self.resumed.notify_one();
    }

    /// Returns when a task has stopped here.
    pub(crate) async fn reached(&self) {
        self.reached.notified().await;
    }
}

#[async_trait]
impl FaultPoint for Halt {
    async fn reached(&self, moment: FaultStep) {
        let here = *self.at.lock().unwrap() == Some(moment);
        if here {
            self.reached.notify_one();
            self.resumed.notified().await;
        }
    }
}
