//! What accounts have agreed, and that a price once quoted stays.

use super::support::process::Process;
use super::support::process::outside;
use super::support::request::{Request, Worker, buy, once, top_up};
use super::support::{BALANCE, World, merchant, minutes, seconds};
use application::price_overrides::{PriceOverride, PriceOverrides};
use application::{Parts, RequestError};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::ledger::TransferKind;
use domain::percent::Percent;
use domain::retrieve::Retrieve;
use domain::transaction::Status;
use testkit::builders::{account_id, current_attempt, naira};
use testkit::provider::ScriptedReply;

fn price(product: &str, commission: &str, fee: Option<&str>) -> impl FnOnce(&mut Parts) {
    let price = PriceOverride {
        account: account_id("shop"),
        product: product.into(),
        commission: Percent::parse(commission).unwrap(),
        fee: fee.map(naira),
    };
    move |parts| parts.price_overrides = PriceOverrides::new(vec![price])
}

#[tokio::test]
async fn a_deal_prices_its_account_and_no_other() {
    let world = World::new().await;
    let gateway = world.gateway_with(price("airtime.mtn", "3.5", Some("2.00")));
    let mine = buy(&gateway, "order-1").await.unwrap().transaction;
    assert_eq!(mine.quote.price, naira("967.00"));
    assert_eq!(mine.quote.rule, "price_override:airtime.mtn");
    assert_eq!(world.wallet().await, (BALANCE - 96_700, 0));
    assert!(world.transfers(&mine).await.contains(&TransferKind::Charge));
    let other = merchant("other");
    let theirs = gateway.buy_airtime(&other, once(top_up("order-1")));
    let theirs = theirs.await.unwrap().transaction;
    assert_eq!(theirs.quote.price, naira("970.00"));
    assert_eq!(theirs.quote.rule, "catalogue:airtime.mtn");
    world.is_right().await;
}

#[tokio::test]
async fn a_deal_that_costs_us_money_is_honoured_and_balances() {
    let world = World::new().await;
    let gateway = world.gateway_with(price("airtime.mtn", "7", None));
    let tx = buy(&gateway, "order-1").await.unwrap().transaction;
    assert_eq!(tx.quote.price, naira("930.00"));
    assert_eq!(
        tx.quote.margin(),
        Some(naira("0.00").checked_sub(naira("30.00")).unwrap())
    );
    world.is_right().await;
}

#[tokio::test]
async fn terms_that_leave_nothing_to_charge_are_refused() {
    let world = World::new().await;
    let gateway = world.gateway_with(price("airtime.mtn", "100", None));
    let answer = buy(&gateway, "order-1").await;
    assert!(
        matches!(answer, Err(RequestError::Unpriceable)),
        "{answer:?}"
    );
    assert_eq!(world.stores.read("shop", "order-1").await, None);
}

#[tokio::test]
async fn a_listed_biller_shows_the_terms_of_the_merchant() {
    let world = World::new().await;
    let gateway = world.gateway_with(price("electricity.101.prepaid", "2", None));
    let shown = |id: &str| {
        let country = CountryCode::NIGERIA;
        let listed = gateway
            .discos(&merchant(id), country, Retrieve::Buyable)
            .unwrap();
        let commission = |billing| listed.found[0].terms(billing).commission;
        [Billing::Prepaid, Billing::Postpaid].map(commission)
    };
    let percent = |text| Percent::parse(text).unwrap();
    assert_eq!(shown("shop"), [percent("2"), percent("1")]);
    assert_eq!(shown("other"), [percent("3"), percent("1")]);
}

#[test]
fn a_price_that_was_quoted_outlives_a_change_of_terms() {
    let world = outside(World::new());
    world.provider.on_submit(ScriptedReply::accept());
    let process = Process::start(&world);
    process.run(async {
        let request = Request::buy(&process.gateway, "order-1");
        world.pass(seconds(1)).await;
        request.hang_up();
    });
    process.crash();
    let process = Process::start_with(&world, price("airtime.mtn", "50", None));
    process.run(async {
        let tx = world.stored("order-1").await;
        world
            .provider
            .finish(&tx.provider_reference(current_attempt(&tx)));
        let worker = Worker::start(&process.gateway);
        world.pass(minutes(2)).await;
        worker.stop().await;
        assert_eq!(world.stored("order-1").await.status(), Status::Successful);
        assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
        world.is_right().await;
    });
}
