//! How the products are doing: what keeps orders from every provider of a product, and what became
//! of payments. What is wrong with an order, and with the other environment, counts for nothing.

use super::support::provider::ExposedProvider;
use super::support::request::Request;
use super::support::{World, seconds};
use application::Gateway;
use application::availability::Availability;
use application::maintenance::{MaintenanceTime, MaintenanceWindow};
use application::providers::Providers;
use application::submission_guard::{BreakerLimits, GuardSettings};
use domain::environment::Environment;
use domain::order::Service;
use domain::provider::{AbsencePolicy, RefusalKind, UnknownCause};
use domain::service_status::{ServiceHealth, ServiceStatus, ServiceTraffic};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{at, provider_id};
use testkit::provider::{ScriptedProvider, ScriptedReply};

const BREAKER: GuardSettings = GuardSettings {
    limits: ports::provider_limits::ProviderLimits::NONE,
    breaker: Some(BreakerLimits {
        failures: 2,
        of_last: 2,
        open_for: Duration::from_mins(5),
        trials: 1,
    }),
    tranche: None,
};

/// A gateway of these providers, of which the first is guarded by a breaker.
fn gateway(world: &World, second: Option<&Arc<ExposedProvider>>, windows: &[&str]) -> Gateway {
    let window = |provider: &&str| MaintenanceWindow {
        provider: provider_id(provider),
        product: Some(Service::Airtime),
        time: MaintenanceTime::Once(at(0), at(60)),
    };
    let availability = Availability::new(windows.iter().map(window).collect());
    world.gateway_with(|parts| {
        let mut routes: Vec<(Service, Arc<dyn ports::provider::Provider>)> = Vec::new();
        for service in Service::delivered() {
            routes.push((service, world.network.clone()));
            if let Some(second) = second {
                routes.push((service, second.clone()));
            }
        }
        let guards = BTreeMap::from([(provider_id("sandbox"), BREAKER)]);
        parts.providers = Providers::new(routes)
            .available_by(Arc::new(availability))
            .guarded_by(guards);
    })
}

fn second(world: &World) -> (Arc<ScriptedProvider>, Arc<ExposedProvider>) {
    let clock = world.clock.clone();
    let other = ScriptedProvider::named("other", AbsencePolicy::CAUTIOUS, clock.clone());
    let other = Arc::new(other);
    let exposed = (world.exposed.store.clone(), clock);
    let second = ExposedProvider::new(other.clone(), world.faults.clone(), exposed);
    (other, second)
}

fn statuses(gateway: &Gateway, service: Service) -> Vec<ServiceStatus> {
    let gateway = gateway.for_request();
    gateway.service_statuses(Environment::Test, service)
}

/// The health of airtime as a whole, and of the network that orders are for.
fn airtime(gateway: &Gateway) -> [ServiceHealth; 2] {
    let statuses = statuses(gateway, Service::Airtime);
    let of = |biller| statuses.iter().find(|it| it.biller.as_deref() == biller);
    [None, Some("MTN")].map(|biller| of(biller).unwrap().health)
}

async fn buys(world: &World, gateway: &Gateway, orders: std::ops::Range<usize>) {
    for number in orders {
        let request = Request::buy(gateway, &format!("order-{number}"));
        world.pass(seconds(25)).await;
        let _ = request.answer().await;
    }
}

#[tokio::test]
async fn maintenance_is_shown_with_its_end_where_no_other_provider_delivers() {
    let world = World::new().await;
    let (_, second) = second(&world);
    let alone = gateway(&world, None, &["sandbox"]);
    assert_eq!(airtime(&alone), [ServiceHealth::Maintenance; 2]);
    let [airtime_itself, ..] = &statuses(&alone, Service::Airtime)[..] else {
        panic!("airtime is sold");
    };
    assert_eq!(airtime_itself.until, Some(at(60)));
    let sms = statuses(&alone, Service::Sms);
    assert_eq!((sms[0].health, sms[0].until), (ServiceHealth::Up, None));
    let beside = gateway(&world, Some(&second), &["sandbox"]);
    assert_eq!(airtime(&beside), [ServiceHealth::Up; 2]);
    let neither = gateway(&world, Some(&second), &["sandbox", "other"]);
    assert_eq!(airtime(&neither), [ServiceHealth::Maintenance; 2]);
}

#[tokio::test]
async fn an_open_breaker_is_down_for_its_product_alone() {
    let world = World::new().await;
    let gateway = gateway(&world, None, &[]);
    for _ in 0..2 {
        world
            .provider
            .on_submit(ScriptedReply::decline_for(RefusalKind::Account));
    }
    buys(&world, &gateway, 0..2).await;
    // One network is sold, so that nothing of airtime is delivered.
    assert_eq!(airtime(&gateway), [ServiceHealth::Down; 2]);
    let sms = statuses(&gateway, Service::Sms);
    assert_eq!(sms[0].health, ServiceHealth::Up);
}

#[tokio::test]
async fn the_fault_of_an_order_is_not_that_of_its_product() {
    let world = World::new().await;
    let gateway = world.gateway();
    let least = ServiceTraffic::FINALS_MIN;
    let refuse = |kind, times| {
        for _ in 0..times {
            world.provider.on_submit(ScriptedReply::decline_for(kind));
        }
    };
    refuse(RefusalKind::Order, least);
    buys(&world, &gateway, 0..least).await;
    let whole = || statuses(&gateway, Service::Airtime).remove(0);
    assert_eq!(whole().traffic, ServiceTraffic::default());
    assert_eq!(whole().health, ServiceHealth::Up);
    refuse(RefusalKind::Account, least - 5);
    buys(&world, &gateway, least..least + least).await;
    assert_eq!(whole().traffic.success_rate, Some(25));
    assert_eq!(whole().health, ServiceHealth::Degraded);
}

#[tokio::test]
async fn a_payment_in_doubt_waits_until_it_is_settled_or_no_longer_asked_about() {
    let world = World::new().await;
    let gateway = world.gateway();
    let pending = || {
        let rows = statuses(&gateway, Service::Airtime);
        rows[0].traffic.pending
    };
    let mut requests = Vec::new();
    for number in 0..ServiceTraffic::PENDING_STEP {
        let lost = ScriptedReply::request_lost(UnknownCause::Timeout);
        world.provider.on_submit(lost);
        requests.push(Request::buy(&gateway, &format!("order-{number}")));
        assert_eq!(pending(), 0);
        world.pass(Duration::from_millis(1)).await;
    }
    assert_eq!(pending(), ServiceTraffic::PENDING_STEP);
    // Another instance goes on with them.
    world.pass(seconds(150)).await;
    for request in requests {
        let _ = request.answer().await;
    }
    assert_eq!(pending(), 0);
}

#[tokio::test]
async fn what_no_route_leads_to_is_not_listed() {
    let world = World::new().await;
    let gateway = gateway(&world, None, &[]);
    let test = gateway.services_sold(Environment::Test);
    assert_eq!(test, Service::delivered().collect::<Vec<_>>());
    assert!(gateway.services_sold(Environment::Live).is_empty());
}
