//! What a dispatcher works with in these tests. Receivers must take time of the clock only.

use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use domain::webhook::{
    Attempt, Delivery, DeliveryFailure, Endpoint, EndpointAnswer, EndpointId, EventPayload, Secret,
    SecretVersion, WebhookEvent, WebhookEventId,
};
use ports::PortError;
use ports::clock::Clock;
use ports::webhooks::{
    AttemptResult, Claimed, DeliveryClaim, DeliveryPage, DeliveryQuery, EndpointDisabled,
    EndpointRegistration, Endpoints, LatestDue, Outbox, Replay, Replayed, Secrets, StorageExcess,
};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::{account_id, delivery_query, disabled_event, endpoint, endpoint_id, ping};
use testkit::clock::{ManualClock, settle};
use testkit::contract::storage::Stores;
use testkit::ids::SeededIds;
use testkit::memory::MemoryStore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use webhook_dispatch::dispatcher::{Dispatcher, DispatcherParts};
use webhook_dispatch::transport::{DeliveryRequest, Transport};

/// The account that owns the endpoints.
pub(crate) const SHOP: &str = "shop";

/// The endpoint that the events are about: none of those that receive them.
const ABOUT: u64 = 999_999;

/// Whether this is an event of [`DispatchWorld::new_events`].
pub(crate) fn is_new(event: &WebhookEvent) -> bool {
    event.subject == EventPayload::Endpoint(endpoint_id(ABOUT))
}

/// What a receiver does with a request.
#[derive(Debug, Clone)]
pub(crate) enum ScriptedAnswer {
    /// Answers at once.
    Says(u16),
    /// Answers after a while.
    SaysAfter(Duration, u16),
    /// Says that it is busy for a while.
    IsBusy(Duration),
    /// Is given up after fifteen seconds.
    Hangs,
}

/// An attempt that began.
#[derive(Debug, Clone)]
pub(crate) struct StartedAttempt {
    pub(crate) at: Timestamp,
    pub(crate) request: DeliveryRequest,
}

/// Receivers by their address.
#[derive(Debug)]
pub(crate) struct Receivers {
    clock: Arc<ManualClock>,
    does: Mutex<BTreeMap<String, ScriptedAnswer>>,
    begun: Mutex<Vec<StartedAttempt>>,
    /// How many are under way to each, and the most that ever were; in all under no name.
    under_way: Mutex<BTreeMap<String, (usize, usize)>>,
}

impl Receivers {
    fn count(&self, to: &str, change: impl Fn(usize) -> usize) {
        let mut counts = self.under_way.lock().unwrap();
        for name in [to, ""] {
            let (now, most) = counts.entry(name.into()).or_default();
            *now = change(*now);
            *most = (*most).max(*now);
        }
    }
}

#[async_trait]
impl Transport for Receivers {
    async fn send(&self, request: DeliveryRequest) -> Result<EndpointAnswer, DeliveryFailure> {
        let to = request.target.as_str().to_owned();
        let at = self.clock.now();
        self.begun
            .lock()
            .unwrap()
            .push(StartedAttempt { at, request });
        let does = self.does.lock().unwrap().get(&to).cloned();
        self.count(&to, |n| n + 1);
        let answer = |status, retry_after| {
            Ok(EndpointAnswer {
                status,
                retry_after,
                excerpt: String::new(),
            })
        };
        let result = match does.unwrap_or(ScriptedAnswer::Says(200)) {
            ScriptedAnswer::Says(status) => answer(status, None),
            ScriptedAnswer::SaysAfter(pause, status) => {
                self.clock.sleep(pause).await;
                answer(status, None)
            }
            ScriptedAnswer::IsBusy(pause) => answer(429, Some(pause)),
            ScriptedAnswer::Hangs => {
                self.clock.sleep(Duration::from_secs(15)).await;
                Err(DeliveryFailure::TimedOut)
            }
        };
        self.count(&to, |n| n - 1);
        result
    }
}

/// An outbox that fails as scripted.
#[derive(Debug)]
pub(crate) struct Troubled {
    outbox: Arc<MemoryStore>,
    /// How many more claims fail.
    pub(crate) claims: AtomicUsize,
    /// How many more times recording fails before anything is recorded.
    pub(crate) records: AtomicUsize,
    /// How many more times it fails after everything was recorded.
    pub(crate) answers: AtomicUsize,
    /// How many claims were made.
    pub(crate) claimed: AtomicUsize,
    /// How many records were made.
    pub(crate) recorded: AtomicUsize,
}

fn fails(left: &AtomicUsize) -> Result<(), PortError> {
    let one_less = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
    match one_less {
        Ok(_) => Err(PortError::new("memory", "fail as scripted")),
        Err(_) => Ok(()),
    }
}

#[async_trait]
impl Outbox for Troubled {
    async fn claim_deliveries(&self, claim: &DeliveryClaim) -> Result<Vec<Claimed>, PortError> {
        self.claimed.fetch_add(1, Ordering::SeqCst);
        fails(&self.claims)?;
        self.outbox.claim_deliveries(claim).await
    }

    async fn record_attempts(
        &self,
        ended: &[AttemptResult],
    ) -> Result<Vec<EndpointDisabled>, PortError> {
        fails(&self.records)?;
        self.recorded.fetch_add(1, Ordering::SeqCst);
        let given_up = self.outbox.record_attempts(ended).await;
        fails(&self.answers)?;
        given_up
    }

    async fn announce(
        &self,
        account: &AccountId,
        endpoint: Option<EndpointId>,
        event: &WebhookEvent,
    ) -> Result<u64, PortError> {
        self.outbox.announce(account, endpoint, event).await
    }

    async fn announced_to(
        &self,
        account: &AccountId,
        event: &WebhookEventId,
    ) -> Result<Option<EndpointId>, PortError> {
        self.outbox.announced_to(account, event).await
    }

    async fn deliveries(
        &self,
        account: &AccountId,
        query: &DeliveryQuery,
    ) -> Result<DeliveryPage, PortError> {
        self.outbox.deliveries(account, query).await
    }

    async fn deliveries_of(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<(Delivery, Vec<Attempt>)>, PortError> {
        self.outbox.deliveries_of(account, number).await
    }

    async fn replay(&self, account: &AccountId, replay: &Replay) -> Result<Replayed, PortError> {
        self.outbox.replay(account, replay).await
    }

    async fn forget_delivered(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        self.outbox.forget_delivered(before, most).await
    }

    async fn excess(&self, kept: NonZeroU32) -> Result<Vec<StorageExcess>, PortError> {
        self.outbox.excess(kept).await
    }

    async fn forget_excess(&self, excess: &StorageExcess, most: u32) -> Result<u64, PortError> {
        self.outbox.forget_excess(excess, most).await
    }

    async fn bound_due(&self, latest: LatestDue, most: u32) -> Result<u64, PortError> {
        self.outbox.bound_due(latest, most).await
    }
}

/// Secrets that are easy to distinguish.
#[derive(Debug)]
struct PlainSecrets;

impl Secrets for PlainSecrets {
    fn secret(
        &self,
        _: &AccountId,
        endpoint: EndpointId,
        generation: SecretVersion,
    ) -> Option<Secret> {
        Some(secret(endpoint.get(), generation.number()))
    }
}

/// The secret of an endpoint.
pub(crate) fn secret(endpoint: u64, generation: u32) -> Secret {
    let byte = |number: u64| u8::try_from(number).unwrap();
    let mut key = [byte(endpoint); 32];
    key[0] = byte(generation.into());
    Secret(key)
}

/// A dispatcher, and all that it works with.
pub(crate) struct DispatchWorld {
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) stores: Stores,
    pub(crate) outbox: Arc<Troubled>,
    pub(crate) receivers: Arc<Receivers>,
    pub(crate) stop: CancellationToken,
    /// How many deliveries an account may store.
    pub(crate) deliveries_max: NonZeroU32,
    running: JoinSet<()>,
}

impl DispatchWorld {
    /// A shop with so many endpoints.
    pub(crate) async fn with(endpoints: u64) -> Self {
        let (clock, store) = (ManualClock::start(), MemoryStore::new());
        let stores = Stores::of(store.clone());
        stores.has_account(SHOP, "100,000.00").await;
        let world = Self {
            outbox: Arc::new(Troubled {
                outbox: store.clone(),
                claims: AtomicUsize::default(),
                records: AtomicUsize::default(),
                answers: AtomicUsize::default(),
                claimed: AtomicUsize::default(),
                recorded: AtomicUsize::default(),
            }),
            receivers: Arc::new(Receivers {
                clock: clock.clone(),
                does: Mutex::default(),
                begun: Mutex::default(),
                under_way: Mutex::default(),
            }),
            stop: CancellationToken::new(),
            deliveries_max: NonZeroU32::MAX,
            running: JoinSet::new(),
            clock,
            store,
            stores,
        };
        for id in 1..=endpoints {
            world.has(endpoint(SHOP, id)).await;
        }
        world
    }

    /// Stores an endpoint, and has its account opened where it is not.
    pub(crate) async fn has(&self, endpoint: Endpoint) {
        let registered = self
            .store
            .register(&endpoint, &testkit::builders::noted_change("shop"))
            .await
            .unwrap();
        assert_eq!(registered, EndpointRegistration::Done);
    }

    /// The parts of a dispatcher here.
    fn parts(&self) -> DispatcherParts {
        DispatcherParts {
            outbox: self.outbox.clone(),
            endpoints: self.store.clone(),
            secrets: Arc::new(PlainSecrets),
            post: self.receivers.clone(),
            clock: self.clock.clone(),
            ids: Arc::new(SeededIds::new(7)),
            measurements: Arc::new(ports::measurements::Unmeasured),
            remembered: Duration::from_hours(30 * 24),
            deliveries_max: self.deliveries_max,
        }
    }

    /// Starts a dispatcher and lets it look around.
    pub(crate) async fn start(&mut self) {
        let dispatcher = Dispatcher::new(self.parts());
        self.running.spawn(dispatcher.run(self.stop.clone()));
        settle().await;
    }

    /// Ends every dispatcher where it stands.
    pub(crate) async fn kill(&mut self) {
        self.running.shutdown().await;
    }

    /// Whether every dispatcher ended.
    pub(crate) fn ended(&mut self) -> bool {
        while self.running.try_join_next().is_some() {}
        self.running.is_empty()
    }

    /// What the receiver of an endpoint does from now on.
    pub(crate) fn does(&self, endpoint: u64, does: ScriptedAnswer) {
        self.does_at(address(SHOP, endpoint), does);
    }

    /// What a receiver does from now on.
    pub(crate) fn does_at(&self, address: String, does: ScriptedAnswer) {
        self.receivers.does.lock().unwrap().insert(address, does);
    }

    /// Has the first endpoint notified as by a clock that shows this moment.
    pub(crate) async fn observation_at(&self, at: Timestamp, numbers: Range<u64>) {
        for n in numbers {
            let (shop, to) = (account_id(SHOP), Some(endpoint_id(1)));
            let event = disabled_event(n, ABOUT, at);
            assert_eq!(self.store.announce(&shop, to, &event).await.unwrap(), 1);
        }
    }

    /// Records an event under each of these numbers for an endpoint, none of them requested.
    pub(crate) async fn new_events(&self, endpoint: u64, numbers: Range<u64>) {
        self.observation_of(SHOP, endpoint, numbers).await;
    }

    /// The same of any account.
    pub(crate) async fn observation_of(&self, account: &str, endpoint: u64, numbers: Range<u64>) {
        for n in numbers {
            let event = disabled_event(n, ABOUT, self.clock.now());
            let to = Some(endpoint_id(endpoint));
            let reported = self.store.announce(&account_id(account), to, &event).await;
            assert_eq!(reported.unwrap(), 1);
        }
    }

    /// Records a trial for an endpoint of the shop.
    pub(crate) async fn trial(&self, endpoint: u64, number: u64) {
        let event = ping(number, self.clock.now());
        let to = Some(endpoint_id(endpoint));
        let reported = self.store.announce(&account_id(SHOP), to, &event).await;
        assert_eq!(reported.unwrap(), 1);
    }

    /// The attempts that began, in their order.
    pub(crate) fn begun(&self) -> Vec<StartedAttempt> {
        self.receivers.begun.lock().unwrap().clone()
    }

    /// Those to one endpoint.
    pub(crate) fn begun_to(&self, endpoint: u64) -> Vec<StartedAttempt> {
        let to = address(SHOP, endpoint);
        let mut begun = self.begun();
        begun.retain(|begun| begun.request.target.as_str() == to);
        begun
    }

    /// The events of the attempts to one endpoint.
    pub(crate) fn reported(&self, endpoint: u64) -> Vec<String> {
        let begun = self.begun_to(endpoint);
        begun.into_iter().map(|begun| begun.request.id).collect()
    }

    /// The most attempts that ever were under way to an endpoint.
    pub(crate) fn most_under_way(&self, endpoint: u64) -> usize {
        self.most_under_way_to(&address(SHOP, endpoint))
    }

    /// The same of all of them.
    pub(crate) fn most_under_way_in_all(&self) -> usize {
        self.most_under_way_to("")
    }

    fn most_under_way_to(&self, to: &str) -> usize {
        let counts = self.receivers.under_way.lock().unwrap();
        counts.get(to).map_or(0, |(_, most)| *most)
    }

    /// Forgets how many ever were under way.
    pub(crate) fn forget_most(&self) {
        let mut counts = self.receivers.under_way.lock().unwrap();
        for (now, most) in counts.values_mut() {
            *most = *now;
        }
    }

    /// Every delivery with its attempts.
    pub(crate) async fn deliveries(&self) -> Vec<(Delivery, Vec<Attempt>)> {
        let query = DeliveryQuery {
            length: 10_000,
            ..delivery_query()
        };
        let page = self.store.deliveries(&account_id(SHOP), &query).await;
        page.unwrap().deliveries
    }

    /// The present moment.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Moves time on.
    pub(crate) async fn pass(&self, duration: Duration) {
        self.clock.advance(duration).await;
    }
}

/// Where the builder puts an endpoint.
pub(crate) fn address(account: &str, endpoint: u64) -> String {
    testkit::builders::endpoint(account, endpoint)
        .target
        .to_string()
}
