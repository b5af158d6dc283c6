//! Every outcome of sending a payment: the answer, the state, the transfers and the events.

use super::support::process::outside;
use super::support::request::{Request, Worker, buy, pay};
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::{PaymentResult, ReplayMark};
use domain::event::EventKind;
use domain::ledger::TransferKind;
use domain::provider::{QueryOutcome, Receipt, SubmitOutcome, UnknownCause};
use domain::reference::ProviderReference;
use domain::transaction::{Doubt, Proof, ReviewCause, State, Status, Transaction};
use testkit::builders::{airtime, receipt_of, refusal};
use testkit::provider::{QueryReply, ScriptedReply};

const PRICE: i64 = 97_000;
const METER_PRICE: i64 = 485_000;

/// A fresh payment whose answer says exactly what is stored.
async fn answered(world: &World, paid: PaymentResult) -> Transaction {
    assert_eq!(paid.replay, ReplayMark::New);
    let stored = world.stored("order-1").await;
    assert_eq!(paid.transaction, stored);
    stored
}

async fn bought(world: &World) -> Transaction {
    let paid = buy(&world.gateway(), "order-1").await.unwrap();
    answered(world, paid).await
}

#[tokio::test]
async fn a_delivery_is_answered_successful_and_captures_the_price() {
    let world = World::new().await;
    let tx = bought(&world).await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, 0));
    let moved = [
        TransferKind::Hold,
        TransferKind::Capture,
        TransferKind::Margin,
    ];
    assert_eq!(world.transfers(&tx).await, moved);
    let reported = [EventKind::Opened, EventKind::Successful];
    assert_eq!(world.events(&tx).await, reported);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 1);
    world.is_right().await;
}

#[tokio::test]
async fn a_refusal_is_answered_failed_and_releases_the_price() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::decline());
    let tx = bought(&world).await;
    assert_eq!(tx.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    let moved = [TransferKind::Hold, TransferKind::Release];
    assert_eq!(world.transfers(&tx).await, moved);
    let reported = [EventKind::Opened, EventKind::Failed];
    assert_eq!(world.events(&tx).await, reported);
    world.is_right().await;
}

#[tokio::test]
async fn what_never_left_is_sent_once_more_under_a_reference_of_its_own() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::not_sent());
    let tx = bought(&world).await;
    assert_eq!(tx.status(), Status::Successful);
    let reported = [EventKind::Opened, EventKind::Resent, EventKind::Successful];
    assert_eq!(world.events(&tx).await, reported);
    let sent = world.provider.submissions();
    let sent: Vec<_> = sent.iter().map(|sent| sent.reference.clone()).collect();
    assert_eq!(sent, [attempt("order-1", 1), attempt("order-1", 2)]);
    world.is_right().await;
}

#[tokio::test]
async fn what_could_not_be_sent_twice_fails_and_releases_the_price() {
    let world = World::new().await;
    let (first, second) = (ScriptedReply::not_sent(), ScriptedReply::not_sent());
    world.provider.on_submit(first).on_submit(second);
    let tx = bought(&world).await;
    assert!(matches!(&tx.state, State::Failed(failed) if failed.proof == Proof::NotSent));
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions().len(), 2);
    world.is_right().await;
}

#[tokio::test]
async fn what_was_accepted_stays_pending_until_it_is_delivered() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(5)).await;
    assert!(request.answered().is_none());
    let tx = world.stored("order-1").await;
    assert!(matches!(&tx.state, State::InDoubt(it) if it.doubt == Doubt::Acknowledged));
    assert_eq!(world.wallet().await, (BALANCE - PRICE, PRICE));
    world.provider.finish(&attempt("order-1", 1));
    world.pass(seconds(2)).await;
    let tx = answered(&world, request.answer().await.unwrap()).await;
    assert_eq!(tx.status(), Status::Successful);
    let reported = [EventKind::Opened, EventKind::Pending, EventKind::Successful];
    assert_eq!(world.events(&tx).await, reported);
    world.is_right().await;
}

#[tokio::test]
async fn what_was_accepted_and_refused_later_fails() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    world.provider.refuse(&attempt("order-1", 1));
    world.pass(seconds(2)).await;
    let tx = answered(&world, request.answer().await.unwrap()).await;
    assert_eq!(tx.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[test]
fn a_lost_answer_is_asked_for_whatever_the_cause() {
    for cause in UnknownCause::ALL {
        outside(async {
            let world = World::new().await;
            world.provider.on_submit(ScriptedReply::answer_lost(cause));
            let gateway = world.gateway();
            let request = Request::buy(&gateway, "order-1");
            world.pass(seconds(1)).await;
            let tx = answered(&world, request.answer().await.unwrap()).await;
            assert_eq!(tx.status(), Status::Successful, "{cause:?}");
            assert_eq!(world.provider.submissions().len(), 1, "{cause:?}");
            world.is_right().await;
        });
    }
}

#[tokio::test]
async fn a_lost_request_is_pending_and_keeps_the_price_set_aside() {
    let world = World::new().await;
    let lost = ScriptedReply::request_lost(UnknownCause::ConnectionLost);
    world.provider.on_submit(lost);
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(20)).await;
    let tx = answered(&world, request.answer().await.unwrap()).await;
    assert_eq!(tx.status(), Status::Pending);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, PRICE));
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn another_amount_waits_for_a_person_and_is_answered_at_once() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver_other_amount());
    let tx = bought(&world).await;
    assert_eq!(tx.status(), Status::Pending);
    let State::Review(review) = &tx.state else {
        panic!("{:?}", tx.state);
    };
    let ReviewCause::Mismatch { amount, .. } = &review.cause else {
        panic!("{:?}", review.cause);
    };
    assert_eq!(amount, "NGN 1,000.01");
    assert_eq!(world.wallet().await, (BALANCE - PRICE, PRICE));
    let reported = [EventKind::Opened, EventKind::Review];
    assert_eq!(world.events(&tx).await, reported);
    // Only an operator can continue from here: it is never due again.
    let claimed = world
        .stores
        .claim(world.now().plus(minutes(9)), seconds(1), 9);
    assert_eq!(claimed.await, []);
    world.is_right().await;
}

#[tokio::test]
async fn a_yes_under_another_reference_waits_for_a_person() {
    let world = World::new().await;
    let foreign = ProviderReference::from_echo("shop.order-2.1");
    let receipt = receipt_of(&foreign, &airtime().order());
    let reply = ScriptedReply::deliver_but_say(SubmitOutcome::Delivered(receipt));
    world.provider.on_submit(reply);
    let tx = bought(&world).await;
    assert!(matches!(tx.state, State::Review(_)), "{:?}", tx.state);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, PRICE));
    world.is_right().await;
}

#[tokio::test]
async fn a_prepaid_vend_is_pending_until_its_token_comes() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept_unfinished());
    let gateway = world.gateway();
    let mut request = Request::pay(&gateway, "order-1");
    world.pass(seconds(5)).await;
    assert!(request.answered().is_none());
    assert_eq!(world.wallet().await, (BALANCE - METER_PRICE, METER_PRICE));
    world.provider.finish(&attempt("order-1", 1));
    world.pass(seconds(2)).await;
    let tx = answered(&world, request.answer().await.unwrap()).await;
    assert_eq!(tx.status(), Status::Successful);
    world.is_right().await;
}

#[tokio::test]
async fn a_vend_with_its_token_is_answered_at_once() {
    let world = World::new().await;
    let paid = pay(&world.gateway(), "order-1").await.unwrap();
    let tx = answered(&world, paid).await;
    let State::Successful(delivered) = &tx.state else {
        panic!("{:?}", tx.state);
    };
    assert!(delivered.fulfilment.completes(&tx.order));
    assert_eq!(world.wallet().await, (BALANCE - METER_PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_contradiction_after_a_refusal_is_booked_as_our_loss_and_the_merchant_keeps_his_money() {
    let world = World::new().await;
    let no = SubmitOutcome::Declined(refusal());
    world.provider.on_submit(ScriptedReply::deliver_but_say(no));
    let failed = bought(&world).await;
    assert_eq!(failed.status(), Status::Failed);
    let first = attempt("order-1", 1);
    let receipt: Receipt = receipt_of(&first, &failed.order);
    let yes = QueryOutcome::Delivered(receipt);
    world.provider.report(&first, yes.clone());
    world.provider.report(&first, yes);
    let worker = Worker::start(&world.gateway());
    world.pass(seconds(3)).await;
    worker.stop().await;
    let tx = world.stored("order-1").await;
    assert_eq!(tx.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    let moved = [
        TransferKind::Hold,
        TransferKind::Release,
        TransferKind::Loss,
    ];
    assert_eq!(world.transfers(&tx).await, moved);
    let reported = [
        EventKind::Opened,
        EventKind::Failed,
        EventKind::LateDelivered,
    ];
    assert_eq!(world.events(&tx).await, reported);
    world.is_right().await;
}

#[tokio::test]
async fn what_is_found_another_way_than_answered_is_asked_until_it_is_definite() {
    let world = World::new().await;
    let lost = ScriptedReply::answer_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    for finding in [
        QueryOutcome::Unknown,
        QueryOutcome::NotFound,
        QueryOutcome::Pending,
    ] {
        world.provider.on_query(QueryReply::say(finding));
    }
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(4)).await;
    let tx = answered(&world, request.answer().await.unwrap()).await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(world.provider.queries().len(), 4);
    world.is_right().await;
}
