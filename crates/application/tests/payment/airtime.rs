//! Top-ups: which number, which network, which amounts.

use super::support::request::{once, top_up};
use super::support::{BALANCE, World, merchant};
use application::providers::Providers;
use application::routes::RouteTable;
use application::{Gateway, PaymentResult, RequestError};
use domain::airtime::TopUp;
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::provider::ProviderId;
use std::sync::Arc;
use testkit::builders::naira;

async fn ask(gateway: &Gateway, command: TopUp) -> Result<PaymentResult, RequestError> {
    gateway.buy_airtime(&merchant("shop"), once(command)).await
}

fn status(gateway: &Gateway, number: &str, country: &str) -> NumberStatus {
    let number = PhoneNumber::parse(number).unwrap();
    gateway.number_status(&number, CountryCode::parse(country).unwrap())
}

fn worth(amount: &str) -> TopUp {
    TopUp {
        amount: naira(amount),
        ..top_up("order-1")
    }
}

#[tokio::test]
async fn a_number_without_airtime_for_sale_is_refused_by_name() {
    let world = World::new().await;
    let gateway = world.gateway();
    let abroad = status(&gateway, "2348031234567", "826");
    assert_eq!(abroad, NumberStatus::CountryNotServed);
    let unlisted = status(&gateway, "2347001234567", "566");
    assert_eq!(unlisted, NumberStatus::NotInPlan);
    for number in ["2348091234567", "2348001234567"] {
        let NumberStatus::Exists(network) = status(&gateway, number, "566") else {
            panic!("{number} is in the plan");
        };
        let command = TopUp {
            number: PhoneNumber::parse(number).unwrap(),
            network,
            ..top_up("order-1")
        };
        let answer = ask(&gateway, command).await;
        assert!(
            matches!(answer, Err(RequestError::NetworkNotServed)),
            "{answer:?}"
        );
    }
    let idle = world.gateway_with(|parts| parts.providers = Providers::default());
    let answer = ask(&idle, top_up("order-1")).await;
    assert!(
        matches!(answer, Err(RequestError::NetworkNotServed)),
        "{answer:?}"
    );
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
}

#[tokio::test]
async fn a_route_whose_provider_serves_nothing_now_is_unavailable_and_not_unknown() {
    let world = World::new().await;
    let away = RouteTable::everything_to(&ProviderId::parse("away").unwrap());
    let gateway = world.gateway_with(|parts| {
        parts.providers = Providers::routed(Vec::new(), Arc::new(away));
    });
    let answer = ask(&gateway, top_up("order-1")).await;
    assert!(
        matches!(
            answer,
            Err(RequestError::ProviderUnavailable(Service::Airtime))
        ),
        "{answer:?}"
    );
    assert_eq!(world.wallet().await, (BALANCE, 0));
}

#[tokio::test]
async fn amounts_are_bought_from_the_smallest_to_the_largest() {
    let world = World::new().await;
    let gateway = world.gateway();
    let little = ask(&gateway, worth("49.99")).await;
    let reported =
        matches!(little, Err(RequestError::BelowMinimum(_, least)) if least == naira("50.00"));
    assert!(reported, "{little:?}");
    let much = ask(&gateway, worth("5,000.01")).await;
    let reported =
        matches!(much, Err(RequestError::AboveMaximum(_, most)) if most == naira("5,000.00"));
    assert!(reported, "{much:?}");
    assert!(ask(&gateway, worth("50.00")).await.is_ok());
    let largest = TopUp {
        amount: naira("5,000.00"),
        ..top_up("order-2")
    };
    assert!(ask(&gateway, largest).await.is_ok());
}

#[tokio::test]
async fn the_network_that_holds_the_number_is_frozen_on_the_order() {
    let world = World::new().await;
    let paid = ask(&world.gateway(), top_up("order-1")).await.unwrap();
    let Order::Airtime(order) = &paid.transaction.order else {
        panic!("{:?}", paid.transaction.order);
    };
    assert_eq!(order.network_code, "mtn");
    assert_eq!(order.network_brandname, "MTN");
    let sent = world.provider.submissions();
    assert_eq!(sent[0].order, paid.transaction.order);
    assert_eq!(sent[0].deadline, super::support::seconds(30));
}
