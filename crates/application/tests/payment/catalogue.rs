//! Versions of the catalogue: a request is priced by one of them, and its number stays with the
//! transaction.

use super::support::request::{buy, once};
use super::support::shelf::shelf;
use super::support::{BALANCE, World, merchant};
use application::price_overrides::catalogue_of_rule;
use application::{Gateway, RequestError};
use domain::internet::BundlePurchase;
use domain::order::Service;
use domain::percent::Percent;
use ports::catalogue::{
    AccountTerms, Catalogue, CatalogueOffer, CatalogueSource, FixedCatalogue, ProductTerms,
};
use ports::provider::Provider;
use std::sync::{Arc, Mutex};
use testkit::builders::{account_id, naira, phone, plan_code, provider_code, reference};
use testkit::catalogue::{TestCatalogue, TestVersion};

/// A catalogue that a test replaces.
#[derive(Debug)]
struct Replaced(Mutex<Arc<dyn Catalogue>>);

impl Replaced {
    fn new(first: TestCatalogue) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Arc::new(first))))
    }

    fn put(&self, next: TestCatalogue) {
        *self.0.lock().unwrap() = Arc::new(next);
    }
}

impl CatalogueSource for Replaced {
    fn in_force(&self) -> Arc<dyn Catalogue> {
        self.0.lock().unwrap().clone()
    }
}

/// The shelf as version `number` has it: airtime at another commission.
fn version(number: u32, commission: &str) -> TestCatalogue {
    let terms = ProductTerms {
        commission: Some(Percent::parse(commission).unwrap()),
        ..ProductTerms::default()
    };
    let mut shelf = shelf();
    shelf.published = TestVersion {
        number,
        terms: vec![("airtime.mtn".to_owned(), terms)],
        ..TestVersion::default()
    };
    shelf
}

fn selling(world: &World, published: TestVersion) -> Gateway {
    let mut shelf = shelf();
    shelf.published = published;
    world.gateway_with(|parts| parts.catalogue = Arc::new(FixedCatalogue::new(shelf)))
}

#[tokio::test]
async fn a_request_in_flight_across_a_switch_keeps_the_version_that_it_began_with() {
    let world = World::new().await;
    let source = Replaced::new(shelf());
    let gateway = world.gateway_with(|parts| parts.catalogue = source.clone());
    let in_flight = gateway.for_request();
    source.put(version(7, "10"));
    let old = buy(&in_flight, "old").await.unwrap().transaction;
    assert_eq!(old.quote.price, naira("970.00"));
    assert_eq!(old.quote.rule, "catalogue:airtime.mtn");
    let new = buy(&gateway.for_request(), "new")
        .await
        .unwrap()
        .transaction;
    assert_eq!(new.quote.price, naira("900.00"));
    assert_eq!(new.quote.rule, "catalogue@7:airtime.mtn");
    let stored = world.stored("new").await;
    assert_eq!(catalogue_of_rule(&stored.quote.rule), 7);
    assert_eq!(world.stored("old").await.quote, old.quote);
    world.is_right().await;
}

#[tokio::test]
async fn a_published_override_goes_before_every_other_price_of_its_account() {
    let world = World::new().await;
    let mut sold = version(3, "10");
    let own = AccountTerms {
        commission: Percent::parse("20").unwrap(),
        fee: Some(naira("1.00")),
    };
    let product = "airtime.mtn".to_owned();
    sold.published.overrides = vec![(account_id("shop"), product, own)];
    let gateway = world.gateway_with(|parts| parts.catalogue = Arc::new(FixedCatalogue::new(sold)));
    let tx = buy(&gateway, "order-1").await.unwrap().transaction;
    assert_eq!(tx.quote.price, naira("801.00"));
    assert_eq!(tx.quote.rule, "price_override@3:airtime.mtn");
    world.is_right().await;
}

#[tokio::test]
async fn what_this_instance_may_not_sell_is_refused_and_a_repeated_request_is_answered() {
    let world = World::new().await;
    let bought = buy(&world.gateway(), "order-1").await.unwrap().transaction;
    let withheld = TestVersion {
        withheld: vec!["airtime.mtn".to_owned()],
        ..TestVersion::default()
    };
    let gateway = selling(&world, withheld);
    let refused = buy(&gateway, "order-2").await;
    let unavailable = RequestError::ProviderUnavailable(Service::Airtime);
    assert_eq!(
        format!("{:?}", refused.unwrap_err()),
        format!("{unavailable:?}")
    );
    assert_eq!(world.stores.read("shop", "order-2").await, None);
    let again = buy(&gateway, "order-1").await;
    assert!(matches!(
        again,
        Err(RequestError::ReferenceTaken { reference, .. }) if reference == bought.reference
    ));
    world.is_right().await;
}

#[tokio::test]
async fn a_withdrawn_plan_is_refused_with_what_there_is() {
    let world = World::new().await;
    let withdrawn = TestVersion {
        withdrawn: vec![(Service::Internet, plan_code("107"), provider_code("1"))],
        ..TestVersion::default()
    };
    let gateway = selling(&world, withdrawn);
    let command = BundlePurchase {
        reference: reference("order-1"),
        plan: plan_code("107"),
        number: phone("2348031234567"),
    };
    let refused = gateway.buy_data(&merchant("shop"), once(command)).await;
    let Err(RequestError::PlanWithdrawn(left)) = refused else {
        panic!("{refused:?}");
    };
    // 106 cannot be bought now.
    let left: Vec<_> = left.iter().map(|it| (it.code.as_str(), it.price)).collect();
    assert_eq!(left, [("105", naira("1,164.00"))]);
    assert_eq!(world.wallet().await, (BALANCE, 0));
}

#[tokio::test]
async fn an_order_that_a_provider_does_not_offer_goes_to_no_route_of_its() {
    let world = World::new().await;
    let offer = |product: &str, code: Option<&str>| CatalogueOffer {
        provider: world.network.id().clone(),
        product: product.to_owned(),
        plan: None,
        code: code.map(str::to_owned),
        cost: None,
        available: true,
        minimum: None,
        maximum: None,
    };
    let offers = |offers: Vec<CatalogueOffer>| TestVersion {
        offers,
        ..TestVersion::default()
    };
    let without = selling(&world, offers(vec![offer("cabletv.2", None)]));
    let refused = buy(&without, "order-1").await;
    assert!(
        matches!(refused, Err(RequestError::ProviderUnavailable(_))),
        "{refused:?}"
    );
    // The scripted adapter knows no codes.
    let coded = selling(&world, offers(vec![offer("airtime.mtn", Some("x"))]));
    let refused = buy(&coded, "order-1").await;
    assert!(
        matches!(refused, Err(RequestError::ProviderUnavailable(_))),
        "{refused:?}"
    );
    let with = selling(&world, offers(vec![offer("airtime.mtn", None)]));
    buy(&with, "order-1").await.unwrap();
    world.is_right().await;
}
