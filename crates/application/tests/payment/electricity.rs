//! Meters: looked up before anything is priced, and refused by name where they cannot be paid for.

use super::support::request::{Request, meter_payment, once, pay};
use super::support::{BALANCE, World, merchant, seconds};
use application::{Gateway, PaymentResult, RequestError};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode, Meter, MeterPayment, MeterQuery};
use domain::ledger::TransferKind;
use domain::money::Money;
use domain::order::Service;
use domain::retrieve::Retrieve;
use ports::provider::LookupFailure;
use std::sync::atomic::Ordering;
use testkit::builders::{meter, naira};

async fn ask(gateway: &Gateway, payment: MeterPayment) -> Result<PaymentResult, RequestError> {
    let shop = merchant("shop");
    gateway.pay_electricity(&shop, once(payment)).await
}

fn worth(amount: Money) -> MeterPayment {
    MeterPayment {
        amount,
        ..meter_payment("order-1")
    }
}

fn at(disco: &str) -> MeterPayment {
    let payment = meter_payment("order-1");
    let meter = MeterQuery {
        disco: DiscoCode::parse(disco).unwrap(),
        ..payment.meter
    };
    MeterPayment { meter, ..payment }
}

async fn nothing_happened(world: &World) {
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions(), []);
}

#[tokio::test]
async fn a_failed_look_up_is_reported_as_it_is_and_stores_nothing() {
    let failures = [
        LookupFailure::Unknown,
        LookupFailure::Unreachable,
        LookupFailure::Unusable,
    ];
    for failure in failures {
        let world = World::new().await;
        let gateway = world.gateway();
        world.provider.on_meter(Err(failure)).on_meter(Err(failure));
        let answer = pay(&gateway, "order-1").await;
        let reported = matches!(
            &answer,
            Err(RequestError::Lookup(Service::Electricity, reported)) if *reported == failure
        );
        assert!(reported, "{answer:?}");
        let looked_up = gateway
            .meter(&merchant("shop"), &meter_payment("order-1").meter)
            .await;
        let reported = matches!(
            &looked_up,
            Err(RequestError::Lookup(Service::Electricity, reported)) if *reported == failure
        );
        assert!(reported, "{looked_up:?}");
        nothing_happened(&world).await;
    }
}

#[tokio::test]
async fn a_look_up_that_hangs_is_unreachable_after_ten_seconds() {
    let world = World::new().await;
    world.network.meters_hang.store(true, Ordering::SeqCst);
    let gateway = world.gateway();
    let mut request = Request::pay(&gateway, "order-1");
    world.pass(seconds(9)).await;
    assert!(request.answered().is_none());
    world.pass(seconds(1)).await;
    let answer = request.answer().await;
    let unreachable = matches!(
        answer,
        Err(RequestError::Lookup(
            Service::Electricity,
            LookupFailure::Unreachable
        ))
    );
    assert!(unreachable, "{answer:?}");
    nothing_happened(&world).await;
}

#[tokio::test]
async fn an_answer_about_another_meter_is_unusable() {
    let others = [
        meter("04123456788"),
        Meter {
            billing: Billing::Postpaid,
            ..meter("04123456789")
        },
        Meter {
            disco: DiscoCode::parse("102").unwrap(),
            ..meter("04123456789")
        },
    ];
    for other in others {
        let world = World::new().await;
        world.provider.on_meter(Ok(other));
        let answer = pay(&world.gateway(), "order-1").await;
        let unusable = matches!(
            answer,
            Err(RequestError::Lookup(
                Service::Electricity,
                LookupFailure::Unusable
            ))
        );
        assert!(unusable, "{answer:?}");
        nothing_happened(&world).await;
    }
}

#[tokio::test]
async fn a_meter_is_paid_for_within_its_own_limits_only() {
    // The meter takes from 500.00 to 500,000.00; the wallet holds 10,000.00.
    let world = World::new().await;
    let gateway = world.gateway();
    let little = ask(&gateway, worth(naira("499.99"))).await;
    let reported =
        matches!(little, Err(RequestError::BelowMinimum(_, least)) if least == naira("500.00"));
    assert!(reported, "{little:?}");
    let much = ask(&gateway, worth(naira("500,000.01"))).await;
    let reported =
        matches!(much, Err(RequestError::AboveMaximum(_, most)) if most == naira("500,000.00"));
    assert!(reported, "{much:?}");
    let most = ask(&gateway, worth(naira("500,000.00"))).await;
    assert!(
        matches!(most, Err(RequestError::InsufficientFunds(_))),
        "{most:?}"
    );
    nothing_happened(&world).await;
    assert!(ask(&gateway, worth(naira("500.00"))).await.is_ok());
}

#[tokio::test]
async fn a_company_that_is_unknown_or_closed_is_never_asked_about_a_meter() {
    let world = World::new().await;
    let gateway = world.gateway();
    let unknown = ask(&gateway, at("999")).await;
    assert!(
        matches!(
            unknown,
            Err(RequestError::ProviderUnknown(Service::Electricity))
        ),
        "{unknown:?}"
    );
    let looked_up = gateway.meter(&merchant("shop"), &at("999").meter).await;
    assert!(matches!(
        looked_up,
        Err(RequestError::ProviderUnknown(Service::Electricity))
    ));
    let closed = ask(&gateway, at("102")).await;
    assert!(
        matches!(
            closed,
            Err(RequestError::ProviderUnavailable(Service::Electricity))
        ),
        "{closed:?}"
    );
    // A closed company can still say whose meter it is.
    assert_eq!(
        gateway
            .meter(&merchant("shop"), &at("102").meter)
            .await
            .unwrap()
            .disco,
        at("102").meter.disco
    );
    nothing_happened(&world).await;
}

#[tokio::test]
async fn a_family_without_a_provider_cannot_be_paid() {
    let world = World::new().await;
    let gateway =
        world.gateway_with(|parts| parts.providers = application::providers::Providers::default());
    let answer = pay(&gateway, "order-1").await;
    assert!(
        matches!(
            answer,
            Err(RequestError::ProviderUnavailable(Service::Electricity))
        ),
        "{answer:?}"
    );
}

#[tokio::test]
async fn postpaid_is_priced_by_its_own_terms_and_needs_no_token() {
    let world = World::new().await;
    let payment = meter_payment("order-1");
    let meter = MeterQuery {
        billing: Billing::Postpaid,
        ..payment.meter
    };
    let payment = MeterPayment { meter, ..payment };
    let paid = ask(&world.gateway(), payment).await.unwrap();
    assert_eq!(paid.transaction.quote.price, naira("4,950.00"));
    assert_eq!(
        paid.transaction.quote.rule,
        "catalogue:electricity.101.postpaid"
    );
    let moved = world.transfers(&paid.transaction).await;
    assert!(moved.contains(&TransferKind::Capture));
    world.is_right().await;
}

#[tokio::test]
async fn companies_are_listed_with_those_that_are_closed_only_on_request() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let codes = |discos: Vec<Disco>| {
        discos
            .iter()
            .map(|it| it.code.to_string())
            .collect::<Vec<_>>()
    };
    let nigeria = CountryCode::NIGERIA;
    let buyable = gateway.discos(&shop, nigeria, Retrieve::Buyable).unwrap();
    assert_eq!(buyable.total, 2);
    assert_eq!(codes(buyable.found), ["101"]);
    let all = gateway.discos(&shop, nigeria, Retrieve::All).unwrap();
    assert_eq!(codes(all.found), ["101", "102"]);
    let elsewhere = CountryCode::parse("826").unwrap();
    let none = gateway.discos(&shop, elsewhere, Retrieve::All);
    assert!(
        matches!(none, Err(RequestError::CountryNotServed(_))),
        "{none:?}"
    );
}
