//! Transfers to cards: the card is looked up and frozen before any money is set aside, and silence
//! never gives a transfer back.

use super::support::request::{Worker, keyed, once};
use super::support::{BALANCE, World, merchant, seconds};
use application::recovery::Recovery;
use application::{Gateway, PaymentResult, ReplayMark, RequestError};
use domain::bank::Narration;
use domain::card::{CardToken, CardTransfer};
use domain::ledger::TransferKind;
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::{State, Status};
use ports::provider::LookupFailure;
use testkit::builders::{current_attempt, naira, payment_card, reference};
use testkit::provider::{QueryReply, ScriptedReply};
use tokio::task::JoinSet;

const TOKEN: &str = "tok_visa_6789";

fn transfer(amount: Money) -> CardTransfer {
    CardTransfer {
        reference: reference("order-1"),
        token: CardToken::parse(TOKEN).unwrap(),
        amount,
        narration: Narration::parse("Prize of May").unwrap(),
    }
}

async fn ask(gateway: &Gateway, command: CardTransfer) -> Result<PaymentResult, RequestError> {
    gateway.pay_card(&merchant("shop"), once(command)).await
}

async fn nothing_happened(world: &World) {
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions(), []);
}

#[tokio::test]
async fn a_transfer_costs_its_amount_and_charges_and_freezes_the_card() {
    let world = World::new().await;
    let gateway = world.gateway();
    let paid = ask(&gateway, transfer(naira("5,000.00"))).await.unwrap();
    let paid = paid.transaction;
    assert_eq!(paid.status(), Status::Successful);
    assert_eq!(paid.quote.price, naira("5,010.75"));
    let Order::Card(order) = &paid.order else {
        panic!("{:?}", paid.order);
    };
    assert_eq!((&*order.brand, order.last.as_str()), ("Visa", "6789"));
    let expected = [
        TransferKind::Hold,
        TransferKind::Capture,
        TransferKind::Charge,
        TransferKind::Vat,
    ];
    assert_eq!(world.transfers(&paid).await, expected);
    let attempt = paid.provider_reference(current_attempt(&paid));
    world.provider.take_back(&attempt);
    let worker = Worker::ready(&gateway).await;
    world.pass(seconds(5)).await;
    worker.stop().await;
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_token_that_stands_for_no_card_is_not_paid() {
    let another = payment_card("tok_visa_9999");
    for (answer, expected) in [
        (Ok(another), LookupFailure::Unusable),
        (Err(LookupFailure::Unknown), LookupFailure::Unknown),
        (Err(LookupFailure::Unreachable), LookupFailure::Unreachable),
    ] {
        let world = World::new().await;
        world.provider.on_card(answer);
        let refused = ask(&world.gateway(), transfer(naira("500.00"))).await;
        let is_it = matches!(&refused,
            Err(RequestError::Lookup(Service::Card, it)) if *it == expected);
        assert!(is_it, "{refused:?}");
        nothing_happened(&world).await;
    }
}

#[tokio::test]
async fn what_cannot_be_paid_is_refused_before_the_card_is_looked_up() {
    let world = World::new().await;
    let gateway = world.gateway();
    world.provider.on_card(Err(LookupFailure::Unreachable));
    let refused = ask(&gateway, transfer(naira("99.99"))).await;
    assert!(matches!(refused, Err(RequestError::BelowMinimum(..))));
    let refused = ask(&gateway, transfer(naira("5,000,000.01"))).await;
    assert!(matches!(refused, Err(RequestError::AboveMaximum(..))));
    let credits = Money::from_minor(50_000, Currency::Crd);
    let refused = ask(&gateway, transfer(credits)).await;
    assert!(matches!(
        refused,
        Err(RequestError::ProviderUnavailable(Service::Card))
    ));
    nothing_happened(&world).await;
    // The scripted failure is still there: the provider was never asked.
    let asked = ask(&gateway, transfer(naira("500.00"))).await;
    assert!(matches!(asked, Err(RequestError::Lookup(..))), "{asked:?}");
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_its_transfer_and_not_looked_up_again() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let order = || keyed(transfer(naira("500.00")), "try-1");
    let first = gateway.pay_card(&shop, order()).await.unwrap();
    world.provider.on_card(Err(LookupFailure::Unreachable));
    let again = gateway.pay_card(&shop, order()).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction.number, first.transaction.number);
    let other = keyed(transfer(naira("600.00")), "try-1");
    let other = gateway.pay_card(&shop, other).await;
    assert!(matches!(other, Err(RequestError::KeyReused)), "{other:?}");
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_transfer_that_its_provider_does_not_find_is_never_given_back_by_itself() {
    let world = World::new().await;
    let lost = ScriptedReply::answer_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    for _ in 0..2_000 {
        let absent = QueryReply::say(QueryOutcome::NotFound);
        world.provider.on_query(absent);
    }
    let gateway = world.gateway();
    let mut asking = JoinSet::new();
    let asked = gateway.clone();
    asking.spawn(async move { ask(&asked, transfer(naira("500.00"))).await });
    world.pass(seconds(21)).await;
    let answer = asking.join_next().await.unwrap().unwrap().unwrap();
    assert_eq!(answer.transaction.status(), Status::Pending);
    let mut recovery = Recovery::new(&gateway);
    world.follow_up_for(&mut recovery, 60 * 24 + 2).await;
    let stored = world.stored("order-1").await;
    assert!(matches!(stored.state, State::Review(_)), "{stored:?}");
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}
