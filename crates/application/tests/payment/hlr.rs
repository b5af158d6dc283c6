//! Lookups: paid for once per reference, and free where no register has to be asked.

use super::support::{BALANCE, World, merchant, seconds};
use application::hlr::{LookedUp, NotMobile};
use application::{Gateway, PaymentResult, ReplayMark, RequestError};
use domain::country::CountryCode;
use domain::hlr::HlrQuery;
use domain::order::Service;
use domain::phone::PhoneNumber;
use ports::numbering::LineKind;
use testkit::builders::{naira, phone, reference};
use testkit::faults::Fault;

fn query(number: &str, under: Option<&str>) -> HlrQuery {
    HlrQuery {
        reference: under.map(reference),
        country: CountryCode::NIGERIA,
        number: phone(number),
    }
}

async fn ask(gateway: &Gateway, query: HlrQuery) -> Result<LookedUp, RequestError> {
    gateway.look_up_number(&merchant("shop"), query).await
}

fn asked(answer: Result<LookedUp, RequestError>) -> PaymentResult {
    match answer {
        Ok(LookedUp::Queried(paid)) => *paid,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_lookup_is_paid_for_once_per_reference() {
    let world = World::new().await;
    let gateway = world.gateway();
    let first = asked(ask(&gateway, query("2348031234567", Some("look-1"))).await);
    assert_eq!(first.replay, ReplayMark::New);
    assert_eq!(first.transaction.quote.price, naira("5.00"));
    let again = asked(ask(&gateway, query("2348031234567", Some("look-1"))).await);
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction, first.transaction);
    assert_eq!(world.wallet().await, (BALANCE - 500, 0));
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn two_lookups_at_once_under_one_reference_are_paid_for_once() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::Delayed(seconds(1)));
    world.ledger.on_commit(2, Fault::Delayed(seconds(1)));
    let gateway = world.gateway();
    let look = || ask(&gateway, query("2348031234567", Some("look-1")));
    let (one, two, ()) = tokio::join!(look(), look(), world.pass(seconds(2)));
    let (one, two) = (asked(one), asked(two));
    assert_eq!(one.transaction.number, two.transaction.number);
    assert_ne!(one.replay, two.replay);
    assert_eq!(world.provider.submissions().len(), 1);
    assert_eq!(world.wallet().await, (BALANCE - 500, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_reference_belongs_to_one_number() {
    let world = World::new().await;
    let gateway = world.gateway();
    asked(ask(&gateway, query("2348031234567", Some("look-1"))).await);
    let other = ask(&gateway, query("2348031234568", Some("look-1"))).await;
    let reported = matches!(
        other,
        Err(RequestError::ReferenceTaken {
            service: Service::Hlr,
            ..
        })
    );
    assert!(reported, "{other:?}");
    // It costs nothing, and must not be reported under a reference of another request.
    let fixed = ask(&gateway, query("2341234567", Some("look-1"))).await;
    let reported = matches!(
        fixed,
        Err(RequestError::ReferenceTaken {
            service: Service::Hlr,
            ..
        })
    );
    assert!(reported, "{fixed:?}");
    super::support::request::buy(&gateway, "order-1")
        .await
        .unwrap();
    let family = ask(&gateway, query("2348031234567", Some("order-1"))).await;
    let reported = matches!(
        family,
        Err(RequestError::ReferenceTaken {
            service: Service::Airtime,
            ..
        })
    );
    assert!(reported, "{family:?}");
}

#[tokio::test]
async fn without_a_reference_each_lookup_is_one_of_its_own() {
    let world = World::new().await;
    let gateway = world.gateway();
    let first = asked(ask(&gateway, query("2348031234567", None)).await);
    let second = asked(ask(&gateway, query("2348031234567", None)).await);
    assert_ne!(first.transaction.reference, second.transaction.reference);
    assert_eq!(world.wallet().await, (BALANCE - 1_000, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_number_that_is_not_mobile_costs_nothing_and_makes_no_query() {
    let world = World::new().await;
    let gateway = world.gateway();
    for (number, kind) in [
        ("2341234567", Some(LineKind::FixedLine)),
        ("2347001234567", None),
    ] {
        let answer = ask(&gateway, query(number, Some("look-1"))).await.unwrap();
        let expected = NotMobile {
            reference: Some(reference("look-1")),
            number: PhoneNumber::parse(number).unwrap(),
            country: CountryCode::NIGERIA,
            kind,
        };
        assert_eq!(answer, LookedUp::NotMobile(expected));
    }
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.stores.read("shop", "look-1").await, None);
}
