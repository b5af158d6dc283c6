//! Prices asked for beforehand: a quote is honoured at its price until it expires, for the product
//! and the amount it was made for, and for nothing else.

use super::support::request::once;
use super::support::{BALANCE, World, merchant};
use application::fees::{FEES_QUOTE_LASTS, SealedFees};
use application::payment::Purchase;
use application::price_overrides::{PriceOverride, PriceOverrides};
use application::request_error::QuoteRefusal;
use application::{Gateway, PaymentResult, RequestError};
use domain::airtime::TopUp;
use domain::bank::{Narration, Payout};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::fees::{FeeRequest, PayoutService};
use domain::idempotency::IdempotencyKey;
use domain::money::Money;
use domain::percent::Percent;
use domain::quote_identifier::QuoteIdentifier;
use std::time::Duration;
use testkit::builders::{account_id, bank_account, naira, phone, reference};
use testkit::clock::ManualClock;

fn top_up(amount: Money) -> TopUp {
    TopUp {
        reference: reference("order-1"),
        country: CountryCode::NIGERIA,
        number: phone("2348031234567"),
        network: Some("MTN".to_owned()),
        named_network: None,
        amount,
        billing: Billing::Prepaid,
    }
}

fn quoted(gateway: &Gateway) -> SealedFees {
    let mtn = "MTN".to_owned();
    let asked = FeeRequest::Airtime(CountryCode::NIGERIA, mtn, naira("1,000.00"));
    gateway.quote_fees(&merchant("shop"), &asked).unwrap()
}

async fn buy(
    gateway: &Gateway,
    amount: &str,
    quote: &QuoteIdentifier,
) -> Result<PaymentResult, RequestError> {
    let purchase = Purchase {
        quote: Some(quote.clone()),
        ..once(top_up(naira(amount)))
    };
    gateway.buy_airtime(&merchant("shop"), purchase).await
}

/// The same world with another commission, as after a restart with another configuration.
fn dearer(world: &World) -> Gateway {
    world.gateway_with(|parts| {
        parts.price_overrides = PriceOverrides::new(vec![PriceOverride {
            account: account_id("shop"),
            product: "airtime.mtn".to_owned(),
            commission: Percent::parse("1").unwrap(),
            fee: None,
        }]);
    })
}

#[tokio::test]
async fn an_order_is_charged_the_price_of_its_quote_whatever_the_terms_are_by_then() {
    let world = World::new().await;
    let named = quoted(&world.gateway());
    assert_eq!(named.quote.price.price, naira("970.00"));
    let gateway = dearer(&world);
    let paid = buy(&gateway, "1,000.00", &named.identifier).await.unwrap();
    let paid = paid.transaction.quote;
    assert_eq!(paid.price, naira("970.00"));
    assert_eq!(paid.rule, named.quote.price.rule);
    // What the provider takes is no promise of ours.
    assert_eq!(paid.cost, naira("960.00"));
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_quote_is_honoured_to_its_last_moment_and_never_after() {
    for (later, is_honoured) in [(Duration::from_millis(1), true), (Duration::ZERO, false)] {
        let world = World::new().await;
        let named = quoted(&world.gateway());
        assert_eq!(named.quote.expires_at, world.now().plus(FEES_QUOTE_LASTS));
        world.pass(FEES_QUOTE_LASTS.saturating_sub(later)).await;
        let paid = buy(&dearer(&world), "1,000.00", &named.identifier).await;
        if is_honoured {
            assert_eq!(paid.unwrap().transaction.quote.price, naira("970.00"));
        } else {
            let refused = matches!(paid, Err(RequestError::Quote(QuoteRefusal::Expired)));
            assert!(refused, "{paid:?}");
            assert_eq!(world.stores.read("shop", "order-1").await, None);
            assert_eq!(world.wallet().await, (BALANCE, 0));
        }
    }
}

#[tokio::test]
async fn a_quote_of_another_amount_product_or_account_is_not_taken() {
    let world = World::new().await;
    let gateway = world.gateway();
    let named = quoted(&gateway);
    let other = |paid: &Result<PaymentResult, RequestError>| {
        matches!(paid, Err(RequestError::Quote(QuoteRefusal::OfAnother)))
    };
    let paid = buy(&gateway, "999.00", &named.identifier).await;
    assert!(other(&paid), "{paid:?}");
    let payout = FeeRequest::Payout(PayoutService::Bank, naira("1,000.00"));
    let payout = gateway.quote_fees(&merchant("shop"), &payout).unwrap();
    let paid = buy(&gateway, "1,000.00", &payout.identifier).await;
    assert!(other(&paid), "{paid:?}");
    let mtn = "MTN".to_owned();
    let asked = FeeRequest::Airtime(CountryCode::NIGERIA, mtn, naira("1,000.00"));
    let theirs = gateway.quote_fees(&merchant("other"), &asked).unwrap();
    let paid = buy(&gateway, "1,000.00", &theirs.identifier).await;
    let unknown = matches!(paid, Err(RequestError::Quote(QuoteRefusal::Unknown)));
    assert!(unknown, "{paid:?}");
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
}

#[tokio::test]
async fn a_payout_is_charged_the_price_of_its_quote() {
    let world = World::new().await;
    let gateway = world.gateway();
    let asked = FeeRequest::Payout(PayoutService::Bank, naira("5,000.00"));
    let named = gateway.quote_fees(&merchant("shop"), &asked).unwrap();
    let account = bank_account("NGNIP000013", "0100044567");
    let command = Payout {
        reference: reference("order-1"),
        bank: account.bank,
        number: account.number,
        amount: naira("5,000.00"),
        narration: Narration::parse("Rent").unwrap(),
        salary: None,
    };
    let purchase = Purchase {
        quote: Some(named.identifier),
        ..once(command)
    };
    let paid = gateway.pay_out(&merchant("shop"), purchase).await.unwrap();
    assert_eq!(paid.transaction.quote.price, named.quote.price.price);
    world.is_right().await;
}

#[tokio::test]
async fn the_same_request_with_another_quote_has_another_meaning() {
    let world = World::new().await;
    let gateway = world.gateway();
    let first = quoted(&gateway);
    world.pass(Duration::from_secs(1)).await;
    let second = quoted(&gateway);
    assert_ne!(first.identifier, second.identifier);
    let keyed = |quote: &QuoteIdentifier| Purchase {
        command: top_up(naira("1,000.00")),
        retry_key: IdempotencyKey::parse("try-1").ok(),
        quote: Some(quote.clone()),
    };
    let shop = merchant("shop");
    let paid = gateway.buy_airtime(&shop, keyed(&first.identifier)).await;
    paid.unwrap();
    let again = gateway.buy_airtime(&shop, keyed(&first.identifier)).await;
    again.unwrap();
    let other = gateway.buy_airtime(&shop, keyed(&second.identifier)).await;
    assert!(matches!(other, Err(RequestError::KeyReused)), "{other:?}");
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn what_is_not_sold_has_no_price() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let airtime = |network: &str, amount| {
        FeeRequest::Airtime(CountryCode::NIGERIA, network.to_owned(), naira(amount))
    };
    let refused = gateway.quote_fees(&shop, &airtime("Glo", "1,000.00"));
    assert!(matches!(refused, Err(RequestError::NetworkNotServed)));
    let refused = gateway.quote_fees(&shop, &airtime("MTN", "49.99"));
    assert!(matches!(refused, Err(RequestError::BelowMinimum(..))));
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_its_transaction_after_the_quote_is_over() {
    let world = World::new().await;
    let gateway = world.gateway();
    let named = quoted(&gateway);
    let keyed = || Purchase {
        command: top_up(naira("1,000.00")),
        retry_key: IdempotencyKey::parse("try-1").ok(),
        quote: Some(named.identifier.clone()),
    };
    let shop = merchant("shop");
    let first = gateway.buy_airtime(&shop, keyed()).await.unwrap();
    world.pass(Duration::from_hours(1)).await;
    let again = gateway.buy_airtime(&shop, keyed()).await.unwrap();
    assert_eq!(again.transaction.number, first.transaction.number);
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_quote_made_by_a_clock_that_was_ahead_is_not_honoured() {
    let world = World::new().await;
    let ahead = ManualClock::at(world.now().plus(Duration::from_hours(1)));
    let ahead = std::sync::Arc::new(ahead);
    let named = quoted(&world.gateway_with(|parts| parts.clock = ahead.clone()));
    let paid = buy(&world.gateway(), "1,000.00", &named.identifier).await;
    let refused = matches!(paid, Err(RequestError::Quote(QuoteRefusal::Expired)));
    assert!(refused, "{paid:?}");
}
