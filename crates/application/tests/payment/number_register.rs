//! Who serves a number today: when a register is asked, what its answer is worth, and that a
//! repeated request never depends on it.

use super::support::request::{Request, keyed, once, top_up};
use super::support::shelf::shelf;
use super::support::{BALANCE, World, merchant, seconds};
use application::number_register::{NumberRegister, NumberRegisters};
use application::providers::Providers;
use application::submission_guard::GuardSettings;
use application::{Gateway, PaymentResult, Purchase, ReplayMark, RequestError};
use domain::airtime::{Network, TopUp};
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::{PhoneNumber, ServedNumber, ServingOperator};
use domain::transaction::Status;
use ports::catalogue::FixedCatalogue;
use ports::provider::LookupFailure;
use ports::provider_limits::ProviderLimits;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{naira, provider_code, provider_id};
use testkit::catalogue::TestCatalogue;
use testkit::clock::settle;
use tokio::task::JoinSet;

const NUMBER: &str = "2348031234567";

fn named(name: &str) -> ServedNumber {
    served(NUMBER, ServingOperator::Named(name.to_owned()))
}

fn served(number: &str, operator: ServingOperator) -> ServedNumber {
    ServedNumber {
        number: PhoneNumber::parse(number).unwrap(),
        operator,
    }
}

/// A shelf with Airtel beside MTN, from 100.00 to 2,000.00.
fn two_networks() -> TestCatalogue {
    let shelf = shelf();
    let airtel = Network {
        code: "airtel".into(),
        brandname: "Airtel".into(),
        minimum: naira("100.00"),
        maximum: naira("2,000.00"),
        ..shelf.network.clone()
    };
    TestCatalogue {
        other_networks: vec![airtel],
        ..shelf
    }
}

/// A gateway that asks the scripted provider who serves a number, within limits of its account.
fn asking_within(world: &World, limits: ProviderLimits) -> Gateway {
    let register = NumberRegister::new(provider_id("sandbox"), world.provider.clone());
    let settings = GuardSettings {
        limits,
        ..GuardSettings::default()
    };
    let guards = BTreeMap::from([(provider_id("sandbox"), settings)]);
    world.gateway_with(|parts| {
        let routes = Service::delivered().map(|service| (service, world.network.clone() as _));
        parts.catalogue = Arc::new(FixedCatalogue::new(two_networks()));
        parts.providers = Providers::new(routes.collect())
            .guarded_by(guards)
            .with_number_registers(NumberRegisters {
                test: Some(register),
                live: None,
            });
    })
}

fn asking(world: &World) -> Gateway {
    asking_within(world, ProviderLimits::NONE)
}

async fn buy(gateway: &Gateway, purchase: Purchase<TopUp>) -> Result<PaymentResult, RequestError> {
    gateway.buy_airtime(&merchant("shop"), purchase).await
}

/// The network that a top-up was ordered from.
fn network(paid: &PaymentResult) -> &str {
    let Order::Airtime(order) = &paid.transaction.order else {
        panic!("{:?}", paid.transaction.order);
    };
    &order.network_code
}

#[tokio::test]
async fn a_ported_number_is_topped_up_by_the_network_that_serves_it() {
    for name in ["airtel", "AIRTEL", "Airtel"] {
        let world = World::new().await;
        world.provider.on_number(Ok(named(name)), Duration::ZERO);
        let paid = buy(&asking(&world), once(top_up("order-1"))).await.unwrap();
        assert_eq!(network(&paid), "airtel", "{name}");
        assert_eq!(paid.transaction.status(), Status::Successful);
        assert_eq!(
            world.provider.submissions()[0].order,
            paid.transaction.order
        );
        world.is_right().await;
    }
}

#[tokio::test]
async fn without_an_answer_the_holder_of_the_block_counts() {
    let stranger = ServingOperator::Named("airtel".to_owned());
    for answer in [
        Err(LookupFailure::Unknown),
        Err(LookupFailure::Unreachable),
        Err(LookupFailure::Unusable),
        // A network that is not sold, and an answer about another number.
        Ok(named("vodafone")),
        Ok(served("2348031234568", stranger)),
    ] {
        let world = World::new().await;
        world.provider.on_number(answer.clone(), Duration::ZERO);
        let paid = buy(&asking(&world), once(top_up("order-1"))).await.unwrap();
        assert_eq!(network(&paid), "mtn", "{answer:?}");
        assert_eq!(world.provider.numbers_asked(), 1);
        world.is_right().await;
    }
}

#[tokio::test]
async fn a_number_that_was_ported_nobody_knows_where_to_is_refused_unless_its_network_is_named() {
    let world = World::new().await;
    let elsewhere = Ok(served(NUMBER, ServingOperator::PortedElsewhere));
    world.provider.on_number(elsewhere, Duration::ZERO);
    let gateway = asking(&world);
    let refused = buy(&gateway, once(top_up("order-1"))).await;
    assert!(
        matches!(refused, Err(RequestError::NumberPorted)),
        "{refused:?}"
    );
    assert_eq!(world.wallet().await, (BALANCE, 0));
    let command = TopUp {
        named_network: Some("Airtel".to_owned()),
        ..top_up("order-1")
    };
    let paid = buy(&gateway, once(command)).await.unwrap();
    assert_eq!(network(&paid), "airtel");
    assert_eq!(world.provider.numbers_asked(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn a_slow_register_is_waited_for_two_seconds_and_then_left_alone_for_ten() {
    let world = World::new().await;
    world.provider.on_number(Ok(named("airtel")), seconds(30));
    let gateway = asking(&world);
    let mut waiting = Request::make(&gateway, once(top_up("order-1")));
    settle().await;
    assert!(waiting.answered().is_none());
    world.pass(Duration::from_millis(1_999)).await;
    assert!(world.provider.submissions().is_empty());
    world.pass(Duration::from_millis(1)).await;
    assert_eq!(network(&waiting.answer().await.unwrap()), "mtn");
    // It is not asked again before its pause is over.
    world
        .provider
        .on_number(Ok(named("airtel")), Duration::ZERO);
    let paid = buy(&gateway, once(top_up("order-2"))).await.unwrap();
    assert_eq!((network(&paid), world.provider.numbers_asked()), ("mtn", 1));
    world.pass(seconds(10)).await;
    let paid = buy(&gateway, once(top_up("order-3"))).await.unwrap();
    assert_eq!(
        (network(&paid), world.provider.numbers_asked()),
        ("airtel", 2)
    );
    world.is_right().await;
}

#[tokio::test]
async fn a_repeated_request_is_the_same_whatever_the_register_says_by_then() {
    let world = World::new().await;
    world
        .provider
        .on_number(Ok(named("airtel")), Duration::ZERO);
    let gateway = asking(&world);
    let first = buy(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(network(&first), "airtel");
    // The answer is not kept any more, and would be another.
    world.pass(seconds(301)).await;
    world.provider.on_number(Ok(named("mtn")), Duration::ZERO);
    let again = buy(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction, first.transaction);
    assert_eq!(world.provider.numbers_asked(), 1, "a repeat asks nothing");
    // A gateway without a register takes it for the same request too.
    let plain = world.gateway();
    let again = buy(&plain, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction, first.transaction);
    // To name the network is another request.
    let command = TopUp {
        named_network: Some("Airtel".to_owned()),
        ..top_up("order-1")
    };
    let other = buy(&gateway, keyed(command, "k")).await;
    assert!(other.is_err(), "{other:?}");
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

/// Both were prepared before either was stored, and by different answers.
#[tokio::test]
async fn two_equal_requests_at_once_are_one_payment_though_the_register_changed_its_mind() {
    let world = World::new().await;
    world.provider.on_number(Ok(named("airtel")), seconds(1));
    world.provider.on_number(Ok(named("mtn")), seconds(1));
    let gateway = asking(&world);
    let one = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    let two = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    settle().await;
    assert_eq!(world.provider.numbers_asked(), 2);
    world.pass(seconds(1)).await;
    let (one, two) = (one.answer().await.unwrap(), two.answer().await.unwrap());
    assert_eq!(one.transaction.number, two.transaction.number);
    assert_ne!(one.replay, two.replay);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn an_answer_counts_for_five_minutes() {
    let world = World::new().await;
    world
        .provider
        .on_number(Ok(named("airtel")), Duration::ZERO);
    let gateway = asking(&world);
    for (under, asked) in [("order-1", 1), ("order-2", 1)] {
        let paid = buy(&gateway, once(top_up(under))).await.unwrap();
        assert_eq!(network(&paid), "airtel");
        assert_eq!(world.provider.numbers_asked(), asked);
    }
    world.pass(seconds(299)).await;
    buy(&gateway, once(top_up("order-3"))).await.unwrap();
    assert_eq!(world.provider.numbers_asked(), 1);
    world.pass(seconds(1)).await;
    let paid = buy(&gateway, once(top_up("order-4"))).await.unwrap();
    assert_eq!((network(&paid), world.provider.numbers_asked()), ("mtn", 2));
    // That nothing is known of a number is kept as well.
    buy(&gateway, once(top_up("order-5"))).await.unwrap();
    assert_eq!(world.provider.numbers_asked(), 2);
    world.is_right().await;
}

#[tokio::test]
async fn nothing_is_asked_for_what_is_refused_anyway_or_names_its_network() {
    let world = World::new().await;
    let gateway = asking(&world);
    for amount in ["49.99", "5,000.01"] {
        let command = TopUp {
            amount: naira(amount),
            ..top_up("order-1")
        };
        let refused = buy(&gateway, once(command)).await;
        assert!(
            matches!(
                refused,
                Err(RequestError::BelowMinimum(..) | RequestError::AboveMaximum(..))
            ),
            "{refused:?}"
        );
    }
    let idle = world.gateway_with(|parts| {
        let register = NumberRegister::new(provider_id("sandbox"), world.provider.clone());
        parts.providers = Providers::default().with_number_registers(NumberRegisters {
            test: Some(register),
            live: None,
        });
    });
    let refused = buy(&idle, once(top_up("order-1"))).await;
    assert!(
        matches!(refused, Err(RequestError::NetworkNotServed)),
        "{refused:?}"
    );
    let command = TopUp {
        named_network: Some("MTN".to_owned()),
        ..top_up("order-1")
    };
    buy(&gateway, once(command)).await.unwrap();
    assert_eq!(world.provider.numbers_asked(), 0);
    world.is_right().await;
}

/// The amount fits MTN, which holds the block, and not Airtel.
#[tokio::test]
async fn the_limits_are_those_of_the_network_that_serves_the_number() {
    let world = World::new().await;
    world
        .provider
        .on_number(Ok(named("airtel")), Duration::ZERO);
    let command = TopUp {
        amount: naira("2,000.01"),
        ..top_up("order-1")
    };
    let refused = buy(&asking(&world), once(command)).await;
    assert!(
        matches!(refused, Err(RequestError::AboveMaximum(_, most)) if most == naira("2,000.00")),
        "{refused:?}"
    );
    assert_eq!(world.wallet().await, (BALANCE, 0));
}

#[tokio::test]
async fn a_lookup_counts_against_the_rate_of_its_provider() {
    let world = World::new().await;
    world
        .provider
        .on_number(Ok(named("airtel")), Duration::ZERO);
    let gateway = asking_within(
        &world,
        ProviderLimits {
            per_second: NonZeroU32::new(3),
            ..ProviderLimits::NONE
        },
    );
    // A question and an order, then an order by the answer that was kept: the second is full.
    for under in ["order-1", "order-2"] {
        let paid = buy(&gateway, once(top_up(under))).await.unwrap();
        assert_eq!(network(&paid), "airtel");
    }
    let refused = buy(&gateway, once(top_up("order-3"))).await;
    assert!(
        matches!(
            refused,
            Err(RequestError::ProviderUnavailable(Service::Airtime))
        ),
        "{refused:?}"
    );
    world.pass(seconds(1)).await;
    assert!(buy(&gateway, once(top_up("order-3"))).await.is_ok());
    world.is_right().await;
}

/// Where a lookup finds no place, the order goes on without it.
#[tokio::test]
async fn a_register_without_a_place_is_not_asked() {
    let world = World::new().await;
    world.provider.on_number(Ok(named("airtel")), seconds(1));
    let gateway = asking_within(
        &world,
        ProviderLimits {
            max_concurrent: NonZeroU32::new(1),
            ..ProviderLimits::NONE
        },
    );
    let shop = merchant("shop");
    let number = PhoneNumber::parse(NUMBER).unwrap();
    let country = CountryCode::NIGERIA;
    let mut asked = JoinSet::new();
    asked.spawn({
        let (gateway, shop) = (gateway.clone(), shop.clone());
        async move { gateway.data_provider_of(&shop, &number, country).await }
    });
    settle().await;
    let other = PhoneNumber::parse("2348031234568").unwrap();
    let holder = gateway.data_provider_of(&shop, &other, country).await;
    assert_eq!(holder.unwrap().code, provider_code("1"));
    assert_eq!(world.provider.numbers_asked(), 1);
    world.pass(seconds(1)).await;
    // No data is sold for Airtel.
    let answer = asked.join_next().await.unwrap().unwrap();
    assert!(
        matches!(answer, Err(RequestError::NetworkNotServed)),
        "{answer:?}"
    );
}

#[tokio::test]
async fn data_of_a_ported_number_is_the_operators_that_serves_it() {
    let world = World::new().await;
    world
        .provider
        .on_number(Ok(named("9MOBILE")), Duration::ZERO);
    let gateway = asking(&world);
    let shop = merchant("shop");
    let number = PhoneNumber::parse(NUMBER).unwrap();
    let found = gateway
        .data_provider_of(&shop, &number, CountryCode::NIGERIA)
        .await;
    assert_eq!(found.unwrap().code, provider_code("4"));
    let abroad = CountryCode::parse("826").unwrap();
    let refused = gateway.data_provider_of(&shop, &number, abroad).await;
    assert!(matches!(refused, Err(RequestError::CountryNotServed(_))));
    let nowhere = PhoneNumber::parse("2347001234567").unwrap();
    let refused = gateway
        .data_provider_of(&shop, &nowhere, CountryCode::NIGERIA)
        .await;
    assert!(matches!(refused, Err(RequestError::NumberNotInPlan)));
    assert_eq!(world.provider.numbers_asked(), 1);
}
