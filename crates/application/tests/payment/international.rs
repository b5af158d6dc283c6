//! Transfers abroad: a quote is honoured at its price until it expires, by the provider that made
//! it, and what a provider says beside the quote is not believed.

use super::support::request::{keyed, once};
use super::support::{BALANCE, World, attempt, merchant, seconds};
use application::international::{QUOTE_LASTS_MAX, QUOTE_MARGIN, SealedQuote};
use application::providers::Providers;
use application::request_error::QuoteRefusal;
use application::{Gateway, PaymentResult, ReplayMark, RequestError};
use domain::country::CountryCode;
use domain::international::{
    AmountAsked, BeneficiaryAccount, DestinationAmount, DestinationCurrency, ExchangeRate, Iban,
    InternationalTransfer, ProviderQuote, QuoteRequest, Remittance, TransferPurpose,
};
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::provider::{AbsencePolicy, Fulfilment, Receipt, RefusalKind, SubmitOutcome};
use domain::quote_identifier::QuoteIdentifier;
use domain::transaction::{State, Status};
use ports::provider::{LookupFailure, Provider as _};
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{beneficiary, cedis, naira, provider_quote, reference};
use testkit::provider::{ScriptedProvider, ScriptedReply};

fn request() -> QuoteRequest {
    QuoteRequest {
        country: CountryCode::parse("288").unwrap(),
        currency: cedis("1.00").currency(),
        amount: AmountAsked::Source(naira("5,000.00")),
    }
}

async fn quote(gateway: &Gateway) -> SealedQuote {
    let (shop, asked) = (merchant("shop"), request());
    gateway.quote_international(&shop, &asked).await.unwrap()
}

fn transfer(quote: &QuoteIdentifier) -> InternationalTransfer {
    InternationalTransfer {
        reference: reference("order-1"),
        quote: quote.clone(),
        beneficiary: beneficiary("1441000126789"),
        purpose: TransferPurpose::Goods,
    }
}

async fn pay(gateway: &Gateway, quote: &QuoteIdentifier) -> Result<PaymentResult, RequestError> {
    let command = once(transfer(quote));
    gateway.pay_international(&merchant("shop"), command).await
}

async fn nothing_happened(world: &World) {
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions(), []);
}

#[tokio::test]
async fn a_transfer_is_made_at_the_price_and_rate_of_its_quote() {
    let world = World::new().await;
    let gateway = world.gateway();
    let quoted = quote(&gateway).await;
    // 1 % and 500.00, and 7.5 % on both.
    assert_eq!(quoted.quote.price.price, naira("5,591.25"));
    assert_eq!(quoted.quote.offer.destination, cedis("42.50"));
    let paid = pay(&gateway, &quoted.identifier).await.unwrap().transaction;
    assert_eq!(paid.status(), Status::Successful);
    assert_eq!(paid.quote.price, naira("5,591.25"));
    let Order::International(order) = &paid.order else {
        panic!("{:?}", paid.order);
    };
    assert_eq!(order.quote, provider_quote().id);
    assert_eq!(order.quoted_by, *world.provider.id());
    let kept = (order.source, order.destination, order.rate);
    let offer = &quoted.quote.offer;
    assert_eq!(kept, (offer.source, offer.destination, offer.rate));
    world.is_right().await;
}

#[tokio::test]
async fn a_quote_is_honoured_to_its_last_moment_and_never_after() {
    for (later, is_honoured) in [(Duration::from_millis(1), true), (Duration::ZERO, false)] {
        let world = World::new().await;
        let gateway = world.gateway();
        let quoted = quote(&gateway).await;
        let lasts = quoted.quote.expires_at.since(world.now());
        assert_eq!(lasts, provider_quote().lasts.saturating_sub(QUOTE_MARGIN));
        world.pass(lasts.saturating_sub(later)).await;
        let paid = pay(&gateway, &quoted.identifier).await;
        if is_honoured {
            assert_eq!(
                paid.unwrap().transaction.quote.price,
                quoted.quote.price.price
            );
        } else {
            let refused = matches!(paid, Err(RequestError::Quote(QuoteRefusal::Expired)));
            assert!(refused, "{paid:?}");
            nothing_happened(&world).await;
        }
    }
}

#[tokio::test]
async fn a_quote_lasts_no_longer_than_the_gateway_honours_any() {
    let world = World::new().await;
    let lasts = Duration::from_hours(48);
    let provider = world.provider.id().clone();
    let offer = ProviderQuote {
        lasts,
        source: naira("5,000.00"),
        destination: cedis("42.50"),
        provider,
        ..provider_quote()
    };
    world.provider.on_quote(Ok(offer));
    let quoted = quote(&world.gateway()).await;
    assert_eq!(quoted.quote.expires_at, world.now().plus(QUOTE_LASTS_MAX));
}

#[tokio::test]
async fn a_quote_of_another_account_or_a_changed_one_is_none() {
    let world = World::new().await;
    let gateway = world.gateway();
    let quoted = quote(&gateway).await;
    let changed = format!("{}A", quoted.identifier.as_str());
    let changed = QuoteIdentifier::parse(&changed).unwrap();
    let paid = pay(&gateway, &changed).await;
    let is_none =
        |paid: &Result<_, _>| matches!(paid, Err(RequestError::Quote(QuoteRefusal::Unknown)));
    assert!(is_none(&paid), "{paid:?}");
    let command = once(transfer(&quoted.identifier));
    let paid = gateway.pay_international(&merchant("other"), command).await;
    assert!(is_none(&paid), "{paid:?}");
    nothing_happened(&world).await;
}

#[tokio::test]
async fn a_quote_that_contradicts_itself_or_the_question_is_not_passed_on() {
    let good = || ProviderQuote {
        source: naira("5,000.00"),
        destination: cedis("42.50"),
        ..provider_quote()
    };
    let dollars = DestinationCurrency::from_code("USD").unwrap();
    let rate = |text| ExchangeRate::parse(text).unwrap();
    let lies = [
        ProviderQuote {
            destination: cedis("42.60"),
            ..good()
        },
        ProviderQuote {
            source: naira("5,000.01"),
            ..good()
        },
        ProviderQuote {
            rate: rate("0.0095"),
            ..good()
        },
        ProviderQuote {
            destination: DestinationAmount::from_minor(4_250, dollars).unwrap(),
            ..good()
        },
        ProviderQuote {
            lasts: QUOTE_MARGIN,
            ..good()
        },
        ProviderQuote {
            source: Money::from_minor(500_000, Currency::Crd),
            ..good()
        },
    ];
    for lie in lies {
        let world = World::new().await;
        world.provider.on_quote(Ok(lie));
        let asked = world.gateway();
        let refused = asked
            .quote_international(&merchant("shop"), &request())
            .await;
        let is_it = matches!(
            &refused,
            Err(RequestError::Lookup(
                Service::International,
                LookupFailure::Unusable
            ))
        );
        assert!(is_it, "{refused:?}");
    }
}

#[tokio::test]
async fn an_account_in_another_country_is_not_paid() {
    let world = World::new().await;
    let gateway = world.gateway();
    let quoted = quote(&gateway).await;
    let mut command = transfer(&quoted.identifier);
    let iban = Iban::parse("DE89370400440532013000").unwrap();
    command.beneficiary.account = BeneficiaryAccount::Iban(iban);
    let paid = gateway
        .pay_international(&merchant("shop"), once(command))
        .await;
    let refused = matches!(
        paid,
        Err(RequestError::BeneficiaryElsewhere { has_iban: true, .. })
    );
    assert!(refused, "{paid:?}");
    nothing_happened(&world).await;
}

#[tokio::test]
async fn another_amount_that_arrived_is_for_a_person_and_moves_no_money() {
    let world = World::new().await;
    let gateway = world.gateway();
    let quoted = quote(&gateway).await;
    let less = Remittance {
        credited: cedis("42.49"),
    };
    let receipt = Receipt {
        reference: attempt("order-1", 1),
        amount: naira("5,000.00"),
        fulfilment: Fulfilment::International(less),
    };
    let said = SubmitOutcome::Delivered(receipt);
    world
        .provider
        .on_submit(ScriptedReply::deliver_but_say(said));
    let paid = pay(&gateway, &quoted.identifier).await.unwrap().transaction;
    assert_eq!(paid.status(), Status::Pending);
    let stored = world.stored("order-1").await;
    assert!(matches!(stored.state, State::Review(_)), "{stored:?}");
    assert_eq!(world.wallet().await, (BALANCE - 559_125, 559_125));
    world.is_right().await;
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_its_transfer_after_the_quote_is_over() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let quoted = quote(&gateway).await;
    let order = || keyed(transfer(&quoted.identifier), "try-1");
    let first = gateway.pay_international(&shop, order()).await.unwrap();
    world.pass(Duration::from_hours(1)).await;
    let again = gateway.pay_international(&shop, order()).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction.number, first.transaction.number);
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn what_one_provider_quoted_goes_to_no_other() {
    let world = World::new().await;
    let clock = world.clock.clone();
    let other = ScriptedProvider::named("other", AbsencePolicy::CAUTIOUS, clock);
    let other = Arc::new(other);
    let gateway = world.gateway_with(|parts| {
        let first = world.network.clone();
        let routes = Service::delivered().flat_map(|service| {
            // The other is the first choice.
            [(service, other.clone() as _), (service, first.clone() as _)]
        });
        parts.providers = Providers::new(routes.collect());
    });
    let quoted = quote(&gateway).await;
    world
        .provider
        .on_submit(ScriptedReply::decline_for(RefusalKind::Account));
    let paid = pay(&gateway, &quoted.identifier).await.unwrap().transaction;
    world.pass(seconds(1)).await;
    assert_eq!(paid.status(), Status::Failed);
    assert_eq!(world.provider.submissions().len(), 1);
    assert_eq!(other.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn no_attempt_begins_after_the_provider_keeps_its_quote_no_more() {
    let world = World::new().await;
    let gateway = world.gateway();
    let quoted = quote(&gateway).await;
    let lasts = quoted.quote.expires_at.since(world.now());
    world.pass(lasts.saturating_sub(seconds(1))).await;
    // The first attempt is not sent, and that is known only after the quote is over.
    let late = QUOTE_MARGIN.saturating_add(seconds(2));
    world
        .provider
        .on_submit(ScriptedReply::not_sent().after(late));
    let asked = gateway.clone();
    let mut asking = tokio::task::JoinSet::new();
    asking.spawn(async move { pay(&asked, &quoted.identifier).await });
    world.pass(late.saturating_add(seconds(5))).await;
    let _ = asking.join_next().await.unwrap().unwrap().unwrap();
    assert!(world.provider.submissions().len() <= 1);
    world.is_right().await;
}
