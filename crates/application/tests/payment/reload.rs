//! Providers and routes that are replaced while payments are under way. A request keeps the routes
//! it began with, a question goes to the provider in force, and a guard goes on with what it saw.

use super::support::provider::ExposedProvider;
use super::support::request::Request;
use super::support::{World, seconds};
use application::availability::Availability;
use application::maintenance::{MaintenanceTime, MaintenanceWindow};
use application::providers::Providers;
use application::recovery::Recovery;
use application::routes::{ProviderRoute, RouteTable};
use application::submission_guard::{BreakerLimits, GuardSettings};
use application::{Gateway, RequestError};
use domain::order::Service;
use domain::provider::{AbsencePolicy, RefusalKind, UnknownCause};
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, PassedOverReason, Status};
use ports::provider::Provider;
use ports::provider_limits::ProviderLimits;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::provider_id;
use testkit::provider::{ScriptedProvider, ScriptedReply};

const BREAKER: GuardSettings = GuardSettings {
    limits: ProviderLimits::NONE,
    breaker: Some(BreakerLimits {
        failures: 2,
        of_last: 5,
        open_for: Duration::from_mins(5),
        trials: 1,
    }),
    tranche: None,
};

/// A gateway with two providers, of which the first delivers everything.
struct ReloadedWorld {
    world: World,
    second: Arc<ScriptedProvider>,
    accounts: Vec<Arc<dyn Provider>>,
    gateway: Gateway,
}

fn exposed(world: &World, name: &str) -> (Arc<ScriptedProvider>, Arc<dyn Provider>) {
    let clock = world.clock.clone();
    let scripted = ScriptedProvider::named(name, AbsencePolicy::CAUTIOUS, clock.clone());
    let scripted = Arc::new(scripted);
    let store = (world.exposed.store.clone(), clock);
    let provider = ExposedProvider::new(scripted.clone(), world.faults.clone(), store);
    (scripted, provider)
}

fn routed(accounts: &[Arc<dyn Provider>], names: &[&str]) -> Providers {
    let mut routes = Vec::new();
    for (name, priority) in names.iter().zip(0..) {
        routes.push(ProviderRoute {
            priority,
            ..ProviderRoute::of(Service::Airtime, provider_id(name))
        });
    }
    Providers::routed(accounts.to_vec(), Arc::new(RouteTable::new(routes)))
}

impl ReloadedWorld {
    async fn new() -> Self {
        let world = World::new().await;
        let (second, other) = exposed(&world, "other");
        let accounts = vec![world.network.clone() as Arc<dyn Provider>, other];
        let gateway = world.gateway_with(|parts| parts.providers = routed(&accounts, &["sandbox"]));
        Self {
            world,
            second,
            accounts,
            gateway,
        }
    }

    /// What a purchase comes to while the merchant waits.
    async fn buy(&self, gateway: &Gateway, reference: &str) -> Result<Status, RequestError> {
        let request = Request::buy(gateway, reference);
        self.world.pass(seconds(25)).await;
        let answer = request.answer().await;
        answer.map(|result| result.transaction.status())
    }

    fn given(&self) -> [usize; 2] {
        [&self.world.provider, &self.second].map(|it| it.submissions().len())
    }
}

#[tokio::test]
async fn a_request_in_flight_keeps_the_routes_it_began_with_and_the_next_has_the_new_ones() {
    let it = ReloadedWorld::new().await;
    let in_flight = it.gateway.for_request();
    it.gateway
        .replace_providers(routed(&it.accounts, &["other"]));
    assert_eq!(it.buy(&in_flight, "old").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 0]);
    let next = it.gateway.for_request();
    assert_eq!(it.buy(&next, "new").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 1]);
    it.world.is_right().await;
}

#[tokio::test]
async fn recovery_asks_the_provider_that_is_in_force_about_what_another_was_given() {
    let it = ReloadedWorld::new().await;
    it.world
        .provider
        .on_submit(ScriptedReply::request_lost(UnknownCause::Timeout));
    let bought = it.buy(&it.gateway.for_request(), "order-1").await.unwrap();
    assert_eq!(bought, Status::Pending);
    let asked_before = it.world.provider.queries().len();
    // The same account, opened again with another secret.
    let (again, opened) = exposed(&it.world, "sandbox");
    let mut recovery = Recovery::new(&it.gateway);
    let accounts = [opened, it.accounts[1].clone()];
    it.gateway.replace_providers(routed(&accounts, &["other"]));
    it.world.pass(seconds(600)).await;
    recovery.sweep().await.unwrap();
    assert!(!again.queries().is_empty());
    assert_eq!(it.world.provider.queries().len(), asked_before);
}

#[tokio::test]
async fn a_breaker_that_is_open_stays_open_and_other_limits_hold_from_then_on() {
    let it = ReloadedWorld::new().await;
    let guards = BTreeMap::from([(provider_id("sandbox"), BREAKER)]);
    let both = routed(&it.accounts, &["sandbox", "other"]).guarded_by(guards.clone());
    it.gateway.replace_providers(both);
    for number in 0..2 {
        let refused = ScriptedReply::decline_for(RefusalKind::Account);
        it.world.provider.on_submit(refused);
        let gateway = it.gateway.for_request();
        it.buy(&gateway, &format!("failing-{number}"))
            .await
            .unwrap();
    }
    assert_eq!(it.given(), [2, 2]);
    let before = it.gateway.providers_in_force();
    let again = routed(&it.accounts, &["sandbox", "other"]).guarded_after(&before, guards);
    it.gateway.replace_providers(again);
    it.buy(&it.gateway.for_request(), "order-1").await.unwrap();
    assert_eq!(it.given(), [2, 3]);
    let route = it.world.stored("order-1").await;
    let route = route.prepared.route_of(AttemptNumber::FIRST).unwrap();
    assert_eq!(route.passed_over[0].reason, PassedOverReason::BreakerOpen);

    let before = it.gateway.providers_in_force();
    let without = BTreeMap::from([(provider_id("sandbox"), GuardSettings::default())]);
    let again = routed(&it.accounts, &["sandbox", "other"]).guarded_after(&before, without);
    it.gateway.replace_providers(again);
    it.buy(&it.gateway.for_request(), "order-2").await.unwrap();
    assert_eq!(it.given(), [3, 3]);
}

#[tokio::test]
async fn a_maintenance_window_holds_from_the_request_after_it_was_taken_up() {
    let it = ReloadedWorld::new().await;
    let window = MaintenanceWindow {
        provider: provider_id("sandbox"),
        product: None,
        time: MaintenanceTime::Once(Timestamp::from_millis(0), Timestamp::from_millis(i64::MAX)),
    };
    let away = Availability::default().with_windows(vec![window]);
    let both = routed(&it.accounts, &["sandbox", "other"]).available_by(Arc::new(away));
    it.gateway.replace_providers(both);
    it.buy(&it.gateway.for_request(), "order-1").await.unwrap();
    assert_eq!(it.given(), [0, 1]);
}
