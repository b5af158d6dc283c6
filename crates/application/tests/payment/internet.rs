//! Data bundles: the plan and not the number decides whose data it is.

use super::support::request::once;
use super::support::{BALANCE, World, merchant};
use application::{Gateway, PaymentResult, RequestError};
use domain::country::CountryCode;
use domain::internet::BundlePurchase;
use domain::order::{Order, Service};
use domain::retrieve::Retrieve;
use testkit::builders::{naira, phone, plan_code, provider_code, reference};

fn bundle(plan: &str, number: &str) -> BundlePurchase {
    BundlePurchase {
        reference: reference("order-1"),
        plan: plan_code(plan),
        number: phone(number),
    }
}

async fn ask(gateway: &Gateway, command: BundlePurchase) -> Result<PaymentResult, RequestError> {
    gateway.buy_data(&merchant("shop"), once(command)).await
}

#[tokio::test]
async fn a_bundle_is_bought_for_a_number_of_another_network_too() {
    let world = World::new().await;
    // The number's block is another network's: it may have been ported to this one.
    let paid = ask(&world.gateway(), bundle("105", "2348091234567"))
        .await
        .unwrap();
    assert_eq!(paid.transaction.quote.price, naira("1,164.00"));
    let Order::Internet(order) = &paid.transaction.order else {
        panic!("{:?}", paid.transaction.order);
    };
    assert_eq!(
        (order.brandname.as_str(), order.name.as_str()),
        ("MTN", "Bundle 05")
    );
    world.is_right().await;
}

#[tokio::test]
async fn what_cannot_be_bought_is_refused_by_name() {
    let world = World::new().await;
    let gateway = world.gateway();
    let unknown = ask(&gateway, bundle("999", "2348031234567")).await;
    assert!(
        matches!(unknown, Err(RequestError::PlanUnknown(Service::Internet))),
        "{unknown:?}"
    );
    let nowhere = ask(&gateway, bundle("105", "2347001234567")).await;
    assert!(
        matches!(nowhere, Err(RequestError::NumberNotInPlan)),
        "{nowhere:?}"
    );
    for closed in ["106", "405"] {
        let answer = ask(&gateway, bundle(closed, "2348031234567")).await;
        let reported = matches!(
            answer,
            Err(RequestError::ProviderUnavailable(Service::Internet))
        );
        assert!(reported, "{answer:?}");
    }
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
}

#[tokio::test]
async fn a_number_is_the_block_holders_where_its_data_is_sold() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let of = async |number: &str| {
        let number = phone(number);
        gateway
            .data_provider_of(&shop, &number, CountryCode::NIGERIA)
            .await
    };
    assert_eq!(of("2348031234567").await.unwrap().code, provider_code("1"));
    let nobodys = of("2348001234567").await;
    assert!(
        matches!(nobodys, Err(RequestError::NetworkNotServed)),
        "{nobodys:?}"
    );
    let nowhere = of("2347001234567").await;
    assert!(
        matches!(nowhere, Err(RequestError::NumberNotInPlan)),
        "{nowhere:?}"
    );
    let abroad = CountryCode::parse("826").unwrap();
    let number = phone("2348031234567");
    let answer = gateway.data_provider_of(&shop, &number, abroad).await;
    assert!(
        matches!(answer, Err(RequestError::CountryNotServed(_))),
        "{answer:?}"
    );
}

#[tokio::test]
async fn everything_active_is_listed_only_where_it_is_asked_for() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let providers = |which| {
        let listed = gateway.data_providers(&shop, CountryCode::NIGERIA, which);
        let listed = listed.unwrap();
        assert_eq!(listed.total, 2);
        listed.found.len()
    };
    assert_eq!(
        (providers(Retrieve::Buyable), providers(Retrieve::All)),
        (1, 2)
    );
    let plans = |which| {
        let (_, plans) = gateway
            .data_plans(&shop, &provider_code("1"), which)
            .unwrap();
        assert_eq!(plans.total, 2);
        plans.found.len()
    };
    assert_eq!((plans(Retrieve::Buyable), plans(Retrieve::All)), (1, 2));
    let unknown = gateway.data_plans(&shop, &provider_code("9"), Retrieve::All);
    let reported = matches!(
        unknown,
        Err(RequestError::ProviderUnknown(Service::Internet))
    );
    assert!(reported, "{unknown:?}");
}
