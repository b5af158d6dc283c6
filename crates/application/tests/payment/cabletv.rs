//! Subscriptions: cards are looked up before anything is priced, plans belong to their provider.

use super::support::request::once;
use super::support::{BALANCE, World, merchant};
use application::price_overrides::{PriceOverride, PriceOverrides};
use application::providers::Providers;
use application::routes::{ProviderRoute, RouteTable};
use application::{Gateway, PaymentResult, RequestError};
use domain::cabletv::{RequestedPlan, Smartcard, SmartcardNumber, SmartcardQuery, Subscribe};
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::percent::Percent;
use ports::provider::{LookupFailure, Provider};
use std::sync::Arc;
use testkit::builders::{
    account_id, naira, plan_code, provider_code, provider_id, reference, smartcard,
};

fn wants(provider: &str, wanted: RequestedPlan) -> Subscribe {
    Subscribe {
        reference: reference("order-1"),
        card: SmartcardQuery {
            provider: provider_code(provider),
            number: SmartcardNumber::parse("0201234567").unwrap(),
        },
        requested: wanted,
        customer_phone: None,
    }
}

fn plan(code: &str, duration: u8) -> RequestedPlan {
    RequestedPlan::Plan {
        plan: plan_code(code),
        duration,
    }
}

async fn ask(gateway: &Gateway, command: Subscribe) -> Result<PaymentResult, RequestError> {
    let shop = merchant("shop");
    gateway.subscribe_cable(&shop, once(command)).await
}

async fn nothing_happened(world: &World) {
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions(), []);
}

#[tokio::test]
async fn a_plan_costs_its_periods_and_is_frozen_with_the_name_it_had() {
    let world = World::new().await;
    let paid = ask(&world.gateway(), wants("2", plan("202", 3)))
        .await
        .unwrap();
    // 2 % of 3,000.00 are the merchant's.
    assert_eq!(paid.transaction.quote.price, naira("2,940.00"));
    let Order::CableTv(order) = &paid.transaction.order else {
        panic!("{:?}", paid.transaction.order);
    };
    assert_eq!(order.amount, naira("3,000.00"));
    assert_eq!(order.customer_name, smartcard("0201234567").customer_name);
    let subscription = order.subscription.as_ref().unwrap();
    assert_eq!(
        (subscription.name.as_str(), subscription.duration),
        ("Plan 02", 3)
    );
    world.is_right().await;
}

#[tokio::test]
async fn an_amount_is_credited_within_the_limits_of_the_provider() {
    let world = World::new().await;
    let gateway = world.gateway();
    let little = ask(&gateway, wants("2", RequestedPlan::TopUp(naira("499.99")))).await;
    let least = naira("500.00");
    let reported = matches!(
        little,
        Err(RequestError::BelowMinimum(Service::CableTv, reported)) if reported == least
    );
    assert!(reported, "{little:?}");
    let much = ask(
        &gateway,
        wants("2", RequestedPlan::TopUp(naira("9,000.01"))),
    )
    .await;
    assert!(
        matches!(much, Err(RequestError::AboveMaximum(Service::CableTv, _))),
        "{much:?}"
    );
    nothing_happened(&world).await;
    let paid = ask(&gateway, wants("2", RequestedPlan::TopUp(naira("500.00"))))
        .await
        .unwrap();
    let Order::CableTv(order) = &paid.transaction.order else {
        panic!("{:?}", paid.transaction.order);
    };
    assert_eq!(order.subscription, None);
}

#[tokio::test]
async fn a_plan_of_another_provider_is_no_plan() {
    let world = World::new().await;
    let gateway = world.gateway();
    for code in ["301", "299"] {
        let answer = ask(&gateway, wants("2", plan(code, 1))).await;
        assert!(
            matches!(answer, Err(RequestError::PlanUnknown(Service::CableTv))),
            "{answer:?}"
        );
    }
    let unknown = ask(&gateway, wants("9", plan("201", 1))).await;
    assert!(
        matches!(
            unknown,
            Err(RequestError::ProviderUnknown(Service::CableTv))
        ),
        "{unknown:?}"
    );
    let closed = ask(&gateway, wants("3", plan("301", 1))).await;
    assert!(
        matches!(
            closed,
            Err(RequestError::ProviderUnavailable(Service::CableTv))
        ),
        "{closed:?}"
    );
    nothing_happened(&world).await;
}

#[tokio::test]
async fn a_card_that_cannot_be_looked_up_is_not_paid_for() {
    for failure in [
        LookupFailure::Unknown,
        LookupFailure::Unreachable,
        LookupFailure::Unusable,
    ] {
        let world = World::new().await;
        world.provider.on_smartcard(Err(failure));
        let answer = ask(&world.gateway(), wants("2", plan("201", 1))).await;
        let reported = matches!(
            &answer,
            Err(RequestError::Lookup(Service::CableTv, reported)) if *reported == failure
        );
        assert!(reported, "{answer:?}");
        nothing_happened(&world).await;
    }
    let strangers = [
        smartcard("0201234568"),
        Smartcard {
            provider: provider_code("3"),
            ..smartcard("0201234567")
        },
    ];
    for stranger in strangers {
        let world = World::new().await;
        world.provider.on_smartcard(Ok(stranger));
        let answer = ask(&world.gateway(), wants("2", plan("201", 1))).await;
        let unusable = matches!(
            answer,
            Err(RequestError::Lookup(
                Service::CableTv,
                LookupFailure::Unusable
            ))
        );
        assert!(unusable, "{answer:?}");
        nothing_happened(&world).await;
    }
}

#[tokio::test]
async fn lists_hold_what_can_be_paid_now_and_one_can_be_asked_for_whatever_it_is() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let listed = gateway
        .cable_providers(&shop, CountryCode::NIGERIA)
        .unwrap();
    let codes: Vec<_> = listed.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["2"]);
    let closed = provider_code("3");
    let one = gateway.cable_provider(&shop, (CountryCode::NIGERIA, &closed));
    assert_eq!(one.unwrap().brandname, "Cable 3");
    let abroad = CountryCode::parse("826").unwrap();
    let elsewhere = gateway.cable_provider(&shop, (abroad, &closed));
    assert!(
        matches!(elsewhere, Err(RequestError::ProviderUnknown(_))),
        "{elsewhere:?}"
    );
    let none = gateway.cable_providers(&shop, abroad);
    assert!(
        matches!(none, Err(RequestError::CountryNotServed(_))),
        "{none:?}"
    );
    let (_, plans) = gateway.cable_plans(&shop, &provider_code("2")).unwrap();
    let prices: Vec<_> = plans.iter().map(|plan| plan.price).collect();
    assert_eq!(prices, [naira("5,684.00"), naira("980.00")]);
}

#[tokio::test]
async fn a_list_shows_the_terms_of_the_account_that_asks() {
    let world = World::new().await;
    let deal = PriceOverride {
        account: account_id("shop"),
        product: "cabletv.2".into(),
        commission: Percent::parse("3.5").unwrap(),
        fee: None,
    };
    let gateway = world.gateway_with(|parts| {
        parts.price_overrides = PriceOverrides::new(vec![deal]);
    });
    let commission = |id| {
        let listed = gateway.cable_providers(&merchant(id), CountryCode::NIGERIA);
        listed.unwrap()[0].terms.commission
    };
    assert_eq!(commission("shop"), Percent::parse("3.5").unwrap());
    assert_ne!(commission("other"), commission("shop"));
}

#[tokio::test]
async fn a_subscription_takes_no_route_of_another_country() {
    let world = World::new().await;
    let routed_in = |country| {
        let mut route = ProviderRoute::of(Service::CableTv, provider_id("sandbox"));
        route.conditions.country = Some(country);
        let accounts = vec![world.network.clone() as Arc<dyn Provider>];
        let routes = Arc::new(RouteTable::new(vec![route]));
        world.gateway_with(|parts| parts.providers = Providers::routed(accounts, routes))
    };
    let abroad = CountryCode::all().find(|it| *it != CountryCode::NIGERIA);
    let refused = ask(&routed_in(abroad.unwrap()), wants("2", plan("202", 1))).await;
    refused.unwrap_err();
    nothing_happened(&world).await;

    let at_home = routed_in(CountryCode::NIGERIA);
    ask(&at_home, wants("2", plan("202", 1))).await.unwrap();
    world.is_right().await;
}
