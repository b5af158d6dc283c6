//! Accounts at providers that operators paused. A paused one is given nothing new at any instance,
//! is asked about what is open, and no unsigned entry of the log pauses or resumes anything.

use super::bulk::{ask, bulk, payouts};
use super::support::provider::ExposedProvider;
use super::support::request::Request;
use super::support::{World, attempt, seconds};
use application::announced_maintenance::MaintenanceNotice;
use application::availability::Availability;
use application::availability_reader::AvailabilityReader;
use application::operators::{Operators, Signer};
use application::payment_freeze::PaymentFreeze;
use application::provider_pauses::ProviderPause;
use application::providers::Providers;
use application::recovery::Recovery;
use application::{Gateway, QueueWorker, RequestError};
use domain::freeze::{FreezeBreach, FreezeReason};
use domain::operations::maintenance::{AnnouncedMaintenance, MaintenanceScope};
use domain::operator::{Act, OperatorEntry, OperatorName, OperatorOrder, PublicKey};
use domain::order::Service;
use domain::provider::{AbsencePolicy, QueryOutcome, RefusalKind, UnknownCause};
use domain::transaction::{AttemptNumber, PassedOverReason, Status};
use operator_keys::SigningKey;
use ports::clock::Clock as _;
use ports::operators::OperatorLog;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{provider_id, receipt_of};
use testkit::memory::MemoryStore;
use testkit::provider::{ScriptedProvider, ScriptedReply};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Two instances over one store, each with the same two providers, and an operator.
struct PausedWorld {
    world: World,
    other: Arc<ScriptedProvider>,
    instances: [Gateway; 2],
    store: Arc<MemoryStore>,
    operators: Operators,
    alpha: Signer,
    stop: CancellationToken,
}

impl PausedWorld {
    async fn new() -> Self {
        let world = World::new().await;
        let store = world.exposed.store.clone();
        let clock = world.clock.clone();
        let other = ScriptedProvider::named("other", AbsencePolicy::CAUTIOUS, clock.clone());
        let other = Arc::new(other);
        let exposed = (store.clone(), clock.clone());
        let second = ExposedProvider::new(other.clone(), world.faults.clone(), exposed);
        let operators = Operators::new(store.clone(), clock);
        let alpha = Signer {
            name: OperatorName::parse("alpha").unwrap(),
            key: SigningKey::from_seed([1; 32]).unwrap(),
        };
        let add = OperatorOrder::new(Act::OperatorAdd).under(&alpha.name);
        let add = add.with(PublicKey(alpha.key.public()));
        operators.sign(&alpha, &add).await.unwrap();
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let instance = || {
            let availability = Arc::new(Availability::default());
            let reader = AvailabilityReader::new(operators.clone(), availability.clone());
            tasks.spawn(reader.run(stop.clone()));
            world.gateway_with(|parts| {
                let first = world.network.clone();
                let routes = Service::delivered().flat_map(|service| {
                    [
                        (service, first.clone() as _),
                        (service, second.clone() as _),
                    ]
                });
                parts.providers = Providers::new(routes.collect()).available_by(availability);
            })
        };
        let instances = [instance(), instance()];
        Self {
            world,
            other,
            instances,
            store,
            operators,
            alpha,
            stop,
        }
    }

    /// Has an operator pause an account, or end that, and lets the instances read it.
    async fn signed(&self, order: &OperatorOrder) {
        self.operators.sign(&self.alpha, order).await.unwrap();
        self.world.pass(seconds(2)).await;
    }

    /// Adds an entry that no operator signed, and lets the instances read it.
    async fn forge(&self, order: OperatorOrder) {
        let last = self.store.last().await.unwrap().unwrap();
        let number = last.number + 1;
        let forged = OperatorEntry {
            number,
            order,
            ..last
        };
        self.store.append(&forged).await.unwrap();
        self.world.pass(seconds(2)).await;
    }

    async fn paused(&self, name: &str) {
        self.signed(&ProviderPause::order(&provider_id(name), "float is spent"))
            .await;
    }

    async fn resumed(&self, name: &str) {
        self.signed(&ProviderPause::end(&provider_id(name))).await;
    }

    /// What a purchase at an instance comes to.
    async fn buy(&self, instance: usize, reference: &str) -> Result<Status, RequestError> {
        let request = Request::buy(&self.instances[instance], reference);
        self.world.pass(seconds(25)).await;
        let answer = request.answer().await;
        answer.map(|result| result.transaction.status())
    }

    /// How many orders each provider was given.
    fn given(&self) -> [usize; 2] {
        [&self.world.provider, &self.other].map(|it| it.submissions().len())
    }
}

impl Drop for PausedWorld {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

#[tokio::test]
async fn a_paused_provider_is_given_nothing_at_any_instance_until_it_is_resumed() {
    let it = PausedWorld::new().await;
    it.paused("sandbox").await;
    for (at, reference) in [(0, "order-1"), (1, "order-2")] {
        assert_eq!(it.buy(at, reference).await.unwrap(), Status::Successful);
        let tx = it.world.stored(reference).await;
        assert_eq!(*tx.provider(), provider_id("other"));
        let route = tx.prepared.route_of(AttemptNumber::FIRST).unwrap();
        assert_eq!(route.passed_over[0].provider, provider_id("sandbox"));
        assert_eq!(route.passed_over[0].reason, PassedOverReason::Paused);
        assert_eq!(route.place, 1);
    }
    assert_eq!(it.given(), [0, 2]);
    it.resumed("sandbox").await;
    assert_eq!(it.buy(1, "order-3").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 2]);
    it.world.is_right().await;
}

#[tokio::test]
async fn what_is_announced_to_be_away_is_given_nothing_from_its_first_moment_to_its_last() {
    let it = PausedWorld::new().await;
    let now = it.world.clock.now();
    let later = |minutes: i64| now.plus(Duration::from_mins(minutes.unsigned_abs()));
    let announced = |scope, from, until| {
        AnnouncedMaintenance::announce(scope, (later(from), later(until)), now).unwrap()
    };
    let airtime = Service::Airtime;
    let other_biller = MaintenanceScope::biller(airtime, "none").unwrap();
    let provider = MaintenanceScope::Provider(provider_id("sandbox"));
    let away = announced(provider, 10, 20);
    let none = announced(other_biller, 0, 60);
    it.signed(&MaintenanceNotice::order(&away, "new switch"))
        .await;
    it.signed(&MaintenanceNotice::order(&none, "new switch"))
        .await;
    assert_eq!(it.instances[1].announced_maintenance().len(), 2);
    assert_eq!(it.buy(0, "before").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 0]);
    it.world.pass(Duration::from_mins(10)).await;
    assert_eq!(it.buy(1, "within").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 1]);
    let tx = it.world.stored("within").await;
    let route = tx.prepared.route_of(AttemptNumber::FIRST).unwrap();
    assert_eq!(route.passed_over[0].reason, PassedOverReason::Maintenance);
    it.signed(&MaintenanceNotice::end(&away, "done early"))
        .await;
    assert_eq!(it.buy(0, "ended").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [2, 1]);
    let service = announced(MaintenanceScope::Service(airtime), 0, 30);
    it.signed(&MaintenanceNotice::order(&service, "new switch"))
        .await;
    let refused = it.buy(1, "all").await.unwrap_err();
    let expected = RequestError::ProviderUnavailable(airtime);
    assert_eq!(format!("{refused:?}"), format!("{expected:?}"));
    it.world.pass(Duration::from_hours(1)).await;
    assert_eq!(it.buy(1, "after").await.unwrap(), Status::Successful);
    assert!(it.instances[1].announced_maintenance().is_empty());
    it.world.is_right().await;
}

#[tokio::test]
async fn a_biller_that_is_away_is_sold_nothing_and_the_others_are() {
    let it = PausedWorld::new().await;
    let now = it.world.clock.now();
    let times = (now, now.plus(Duration::from_mins(10)));
    let airtime = Service::Airtime;
    for (code, reference, is_refused) in [("glo", "order-1", false), ("mtn", "order-2", true)] {
        let scope = MaintenanceScope::biller(airtime, code).unwrap();
        let away = AnnouncedMaintenance::announce(scope, times, now).unwrap();
        it.signed(&MaintenanceNotice::order(&away, "new switch"))
            .await;
        let bought = it.buy(0, reference).await;
        assert_eq!(bought.is_err(), is_refused, "{code}: {bought:?}");
    }
    it.world.pass(Duration::from_mins(10)).await;
    assert_eq!(it.buy(1, "after").await.unwrap(), Status::Successful);
    it.world.is_right().await;
}

#[tokio::test]
async fn with_every_provider_paused_nothing_is_opened_and_the_error_is_that_none_is_available() {
    let it = PausedWorld::new().await;
    it.paused("sandbox").await;
    it.paused("other").await;
    for at in [0, 1] {
        let refused = it.buy(at, "order-1").await.unwrap_err();
        let expected = RequestError::ProviderUnavailable(Service::Airtime);
        assert_eq!(format!("{refused:?}"), format!("{expected:?}"));
    }
    assert_eq!(it.given(), [0, 0]);
    assert!(it.world.stores.read("shop", "order-1").await.is_none());
    it.resumed("other").await;
    // The reference was never used.
    assert_eq!(it.buy(0, "order-1").await.unwrap(), Status::Successful);
    it.world.is_right().await;
}

#[tokio::test]
async fn what_is_open_at_a_paused_provider_is_asked_about() {
    let it = PausedWorld::new().await;
    let lost = ScriptedReply::request_lost(UnknownCause::Timeout);
    it.world.provider.on_submit(lost);
    assert_eq!(it.buy(0, "order-1").await.unwrap(), Status::Pending);
    it.paused("sandbox").await;
    let tx = it.world.stored("order-1").await;
    let first = attempt("order-1", 1);
    let delivered = QueryOutcome::Delivered(receipt_of(&first, &tx.order));
    it.world.provider.report(&first, delivered);
    let mut recovery = Recovery::new(&it.instances[1]);
    it.world.follow_up_for(&mut recovery, 2).await;
    let tx = it.world.stored("order-1").await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(it.given(), [1, 0]);
    it.world.is_right().await;
}

#[tokio::test]
async fn a_second_attempt_goes_to_no_paused_provider_either() {
    let it = PausedWorld::new().await;
    it.paused("other").await;
    let refused = ScriptedReply::decline_for(RefusalKind::Account);
    it.world.provider.on_submit(refused);
    assert_eq!(it.buy(0, "order-1").await.unwrap(), Status::Failed);
    assert_eq!(it.given(), [1, 0]);
    it.world.is_right().await;
}

#[tokio::test]
async fn an_entry_that_no_operator_signed_neither_pauses_nor_resumes() {
    let it = PausedWorld::new().await;
    let sandbox = provider_id("sandbox");
    it.forge(ProviderPause::order(&sandbox, "forged")).await;
    assert_eq!(it.buy(0, "order-1").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 0]);
    it.paused("sandbox").await;
    it.forge(ProviderPause::end(&sandbox)).await;
    assert_eq!(it.buy(1, "order-2").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 1]);
}

#[tokio::test]
async fn while_payments_are_frozen_no_instance_opens_any_and_none_leaves_the_queue() {
    let it = PausedWorld::new().await;
    let [one, other] = &it.instances;
    ask(one, bulk(2)).await.unwrap();
    assert_eq!(it.buy(1, "before").await.unwrap(), Status::Successful);
    let reason = FreezeReason::parse("a fault in the prices").unwrap();
    it.signed(&PaymentFreeze::order(&reason)).await;
    let frozen = it.operators.frozen_payments().await.unwrap().unwrap();
    assert_eq!(frozen.by, it.alpha.name);
    assert_eq!(frozen.reason, reason.as_str());
    for (at, instance) in [one, other].into_iter().enumerate() {
        let refused = it.buy(at, "frozen").await.unwrap_err();
        let is_refused = matches!(refused, RequestError::Frozen(FreezeBreach::Everything));
        assert!(is_refused, "{refused:?}");
        // What was paid before is answered as it was.
        let again = it.buy(at, "before").await.unwrap_err();
        let is_taken = matches!(again, RequestError::ReferenceTaken { .. });
        assert!(is_taken, "{again:?}");
        let refused = ask(instance, payouts("run-2", 3..=4)).await.unwrap_err();
        let is_refused = matches!(refused, RequestError::Frozen(FreezeBreach::Everything));
        assert!(is_refused, "{refused:?}");
        assert_eq!(QueueWorker::new(instance).sweep().await.unwrap(), 0);
    }
    it.signed(&PaymentFreeze::end(&reason)).await;
    assert_eq!(it.operators.frozen_payments().await.unwrap(), None);
    assert_eq!(it.buy(0, "frozen").await.unwrap(), Status::Successful);
    assert_eq!(QueueWorker::new(other).sweep().await.unwrap(), 2);
    it.world.is_right().await;
}

/// An entry that no operator signed freezes nothing, and lets nothing go on.
#[tokio::test]
async fn a_forged_entry_freezes_no_payments_and_ends_no_freeze() {
    let it = PausedWorld::new().await;
    let reason = FreezeReason::parse("forged").unwrap();
    it.forge(PaymentFreeze::order(&reason)).await;
    assert_eq!(it.operators.frozen_payments().await.unwrap(), None);
    it.signed(&PaymentFreeze::order(&reason)).await;
    it.forge(PaymentFreeze::end(&reason)).await;
    assert!(it.instances[1].payment_freeze().is_some());
}
