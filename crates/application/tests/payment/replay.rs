//! Repeated requests: by their reference, by their key, by both, and at every stage of the first.
//! Nothing is ever executed twice, and nothing of another request is revealed.

use super::support::fault_injector::Reads;
use super::support::request::{Request, buy, keyed, meter_payment, once, top_up};
use super::support::{BALANCE, World, merchant, minutes, seconds};
use application::{Gateway, PaymentResult, Purchase, ReplayMark, RequestError};
use domain::airtime::TopUp;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::Status;
use ports::provider::LookupFailure;
use std::time::Duration;
use testkit::builders::{naira, reference};
use testkit::clock::settle;
use testkit::faults::Fault;
use testkit::provider::{QueryReply, ScriptedReply};

async fn ask(gateway: &Gateway, purchase: Purchase<TopUp>) -> Result<PaymentResult, RequestError> {
    gateway.buy_airtime(&merchant("shop"), purchase).await
}

fn dearer(under: &str) -> TopUp {
    TopUp {
        amount: naira("1,000.01"),
        ..top_up(under)
    }
}

fn is_taken(answer: &Result<PaymentResult, RequestError>) -> bool {
    let Err(RequestError::ReferenceTaken {
        service,
        reference: named,
    }) = answer
    else {
        return false;
    };
    *service == Service::Airtime && *named == reference("order-1")
}

#[tokio::test]
async fn one_key_and_one_meaning_is_one_payment() {
    let world = World::new().await;
    let gateway = world.gateway();
    let first = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    let again = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(first.replay, ReplayMark::New);
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(first.transaction, again.transaction);
    assert_eq!(world.provider.submissions().len(), 1);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
    world.is_right().await;
}

#[tokio::test]
async fn one_key_for_another_meaning_is_refused_under_any_reference() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    for command in [dearer("order-1"), top_up("order-2"), dearer("order-2")] {
        let answer = ask(&gateway, keyed(command, "k")).await;
        assert!(matches!(answer, Err(RequestError::KeyReused)), "{answer:?}");
    }
    let shop = merchant("shop");
    let family = keyed(meter_payment("order-1"), "k");
    let answer = gateway.pay_electricity(&shop, family).await;
    assert!(matches!(answer, Err(RequestError::KeyReused)), "{answer:?}");
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_reference_that_was_used_is_refused_with_any_other_key_and_with_none() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert!(is_taken(&ask(&gateway, once(top_up("order-1"))).await));
    assert!(is_taken(&ask(&gateway, once(dearer("order-1"))).await));
    assert!(is_taken(
        &ask(&gateway, keyed(top_up("order-1"), "j")).await
    ));
    let shop = merchant("shop");
    let family = once(meter_payment("order-1"));
    let answer = gateway.pay_electricity(&shop, family).await;
    assert!(is_taken(&answer), "{answer:?}");
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn a_key_added_later_does_not_open_what_was_bought_without_one() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    assert!(is_taken(
        &ask(&gateway, keyed(top_up("order-1"), "k")).await
    ));
}

#[tokio::test]
async fn accounts_share_neither_references_nor_keys() {
    let world = World::new().await;
    let gateway = world.gateway();
    let mine = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    let other = merchant("other");
    let theirs = keyed(top_up("order-1"), "k");
    let theirs = gateway.buy_airtime(&other, theirs).await.unwrap();
    assert_eq!(theirs.replay, ReplayMark::New);
    assert_ne!(mine.transaction.number, theirs.transaction.number);
    assert_eq!(world.provider.submissions().len(), 2);
    world.is_right().await;
}

#[tokio::test]
async fn a_duplicate_waits_two_seconds_for_the_first_and_is_then_asked_to_retry() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(5)));
    let gateway = world.gateway();
    let first = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    world.pass(seconds(1)).await;
    let mut repeat = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    world.pass(Duration::from_millis(1_999)).await;
    assert!(repeat.answered().is_none());
    world.pass(Duration::from_millis(1)).await;
    let answer = repeat.answer().await;
    assert!(
        matches!(answer, Err(RequestError::InProgress)),
        "{answer:?}"
    );
    world.pass(seconds(1)).await;
    let repeat = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    world.pass(seconds(1)).await;
    let (first, repeat) = (
        first.answer().await.unwrap(),
        repeat.answer().await.unwrap(),
    );
    assert_eq!(repeat.replay, ReplayMark::Replayed);
    assert_eq!(repeat.transaction, first.transaction);
    assert_eq!(repeat.transaction.status(), Status::Successful);
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_repeat_does_not_wait_for_hours_when_the_clock_is_set_back() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver().silently());
    let gateway = world.gateway();
    let first = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    settle().await;
    let mut repeat = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    settle().await;
    world.wall.set_back(Duration::from_hours(2));
    world.pass(seconds(2)).await;
    let answer = repeat.answered().unwrap();
    assert!(
        matches!(answer, Err(RequestError::InProgress)),
        "{answer:?}"
    );
    first.hang_up();
}

#[tokio::test]
async fn two_requests_at_once_are_one_payment_before_either_is_stored() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::Delayed(seconds(1)));
    world.ledger.on_commit(2, Fault::Delayed(seconds(1)));
    let gateway = world.gateway();
    let one = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    let two = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    world.pass(seconds(2)).await;
    let answers = [one.answer().await.unwrap(), two.answer().await.unwrap()];
    let freshness = answers.each_ref().map(|paid| paid.replay);
    assert_eq!(freshness, [ReplayMark::New, ReplayMark::Replayed]);
    assert_eq!(answers[0].transaction, answers[1].transaction);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn a_repeat_of_what_waits_for_a_person_is_answered_at_once() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver_other_amount());
    let gateway = world.gateway();
    let first = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    let again = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction, first.transaction);
    assert_eq!(again.transaction.status(), Status::Pending);
}

#[tokio::test]
async fn a_repeat_after_the_window_is_answered_as_things_stand() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let first = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    world.pass(seconds(20)).await;
    let first = first.answer().await.unwrap();
    let again = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction.status(), Status::Pending);
    assert_eq!(again.transaction.number, first.transaction.number);
}

#[tokio::test]
async fn a_repeated_request_is_answered_before_the_biller_is_asked() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let first = keyed(meter_payment("order-1"), "k");
    let first = gateway.pay_electricity(&shop, first).await.unwrap();
    // One scripted answer: if the repeated request queried, it would take this one.
    world.provider.on_meter(Err(LookupFailure::Unreachable));
    let repeat = keyed(meter_payment("order-1"), "k");
    let repeat = gateway.pay_electricity(&shop, repeat).await.unwrap();
    assert_eq!(repeat.replay, ReplayMark::Replayed);
    assert_eq!(repeat.transaction, first.transaction);
    let bare = gateway.pay_electricity(&shop, once(meter_payment("order-1")));
    let bare = bare.await;
    assert!(
        matches!(bare, Err(RequestError::ReferenceTaken { .. })),
        "{bare:?}"
    );
    let fresh = gateway.pay_electricity(&shop, once(meter_payment("order-2")));
    let fresh = fresh.await;
    let unreachable = matches!(
        fresh,
        Err(RequestError::Lookup(
            Service::Electricity,
            LookupFailure::Unreachable
        ))
    );
    assert!(unreachable, "{fresh:?}");
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_used_reference_comes_before_an_empty_balance() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    let all = TopUp {
        amount: naira("5,000.00"),
        ..top_up("order-2")
    };
    ask(&gateway, once(all)).await.unwrap();
    let shop = merchant("shop");
    let broke = gateway.pay_electricity(&shop, once(meter_payment("order-3")));
    let broke = broke.await;
    assert!(
        matches!(broke, Err(RequestError::InsufficientFunds(_))),
        "{broke:?}"
    );
    let taken = gateway.pay_electricity(&shop, once(meter_payment("order-1")));
    assert!(is_taken(&taken.await));
}

#[tokio::test]
async fn a_refused_request_leaves_its_reference_and_key_free() {
    let world = World::new().await;
    let gateway = world.gateway();
    let lavish = TopUp {
        amount: naira("5,000.01"),
        ..top_up("order-1")
    };
    let refused = ask(&gateway, keyed(lavish, "k")).await;
    assert!(
        matches!(refused, Err(RequestError::AboveMaximum(_, _))),
        "{refused:?}"
    );
    let paid = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(paid.replay, ReplayMark::New);
}

#[tokio::test]
async fn a_repeat_whose_reading_fails_is_an_error_and_sends_nothing() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let first = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    world.pass(seconds(1)).await;
    world.faults.set_reads(Reads::Fail);
    let repeat = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    world.pass(seconds(1)).await;
    let answer = repeat.answer().await;
    assert!(matches!(answer, Err(RequestError::Store(_))), "{answer:?}");
    assert_eq!(world.provider.submissions().len(), 1);
    first.hang_up();
}

#[tokio::test]
async fn a_duplicate_receives_the_failure_and_buys_nothing() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::request_lost(UnknownCause::Timeout));
    let gateway = world.gateway();
    let first = Request::make(&gateway, keyed(top_up("order-1"), "k"));
    settle().await;
    first.hang_up();
    world
        .provider
        .on_query(QueryReply::say(QueryOutcome::Declined(
            testkit::builders::refusal(),
        )));
    world.pass(minutes(1)).await;
    let again = ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    assert_eq!(again.transaction.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_number_with_and_without_its_plus_is_one_meaning() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, keyed(top_up("order-1"), "k")).await.unwrap();
    let spelled = TopUp {
        number: PhoneNumber::parse("+2348031234567").unwrap(),
        amount: naira("1000"),
        ..top_up("order-1")
    };
    let again = ask(&gateway, keyed(spelled, "k")).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
}
