//! A store that is away for a while. What is not known to be stored is asked about for as long as
//! the merchant waits, and what a provider has said is not forgotten meanwhile.

use super::support::fault_injector::Reads;
use super::support::request::{Request, Worker, buy, once, top_up};
use super::support::{BALANCE, World, attempt, merchant, minutes, seconds};
use application::{ReplayMark, RequestError};
use domain::airtime::TopUp;
use domain::event::EventKind;
use domain::transaction::{Proof, State, Status};
use ports::{CommitState, PortErrorKind};
use std::time::Duration;
use testkit::builders::naira;
use testkit::faults::{Fault, Reachable};
use testkit::provider::ScriptedReply;

const MOMENT: Duration = Duration::from_millis(40);

/// More commits than are tried while a merchant waits.
const WINDOW: usize = 30;

/// What an opening that could not be read back said was done.
fn effect(answer: Result<application::PaymentResult, RequestError>) -> CommitState {
    match answer {
        Err(RequestError::Store(error)) => error.effect,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_opening_that_is_not_found_afterwards_is_refused_without_a_promise() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::RequestLost);
    let answer = buy(&world.gateway(), "order-1").await;
    assert_eq!(effect(answer), CommitState::Unknown);
}

#[tokio::test]
async fn an_opening_that_the_store_refuses_is_answered_without_asking_once_more() {
    for trouble in [PortErrorKind::Busy, PortErrorKind::Unreachable] {
        let world = World::new().await;
        world.ledger.on_commit(1, Fault::Refused(trouble));
        world.faults.set_reads(Reads::Fail);
        match buy(&world.gateway(), "order-1").await {
            Err(RequestError::Store(error)) => assert_eq!(error.trouble, trouble),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_refused_order_whose_reference_cannot_be_looked_up_has_done_nothing() {
    let world = World::new().await;
    let tiny = TopUp {
        amount: naira("0.01"),
        ..top_up("order-1")
    };
    let gateway = world.gateway();
    let shop = merchant("shop");
    let reported = gateway.buy_airtime(&shop, once(tiny.clone())).await;
    assert!(
        matches!(reported, Err(RequestError::BelowMinimum(..))),
        "{reported:?}"
    );
    world.faults.set_reads(Reads::Fail);
    let reported = gateway.buy_airtime(&shop, once(tiny)).await;
    assert_eq!(effect(reported), CommitState::Nothing);
}

#[tokio::test]
async fn an_opening_whose_verdict_is_lost_is_read_back_once_the_store_is_there_again() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::ResponseLost);
    world.faults.set_reads(Reads::Fail);
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(3)).await;
    assert!(request.answered().is_none());
    assert_eq!(world.provider.submissions(), []);
    world.faults.clear();
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.replay, ReplayMark::New);
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn an_opening_that_is_read_back_too_late_to_be_sent_is_sent_as_a_second_attempt() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::ResponseLost);
    world.faults.set_reads(Reads::Fail);
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(10)).await;
    world.faults.clear();
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 0);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 2)), 1);
    world.is_right().await;
}

#[tokio::test]
async fn an_opening_that_is_found_not_to_be_stored_is_refused_as_soon_as_the_store_says_so() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::RequestLost);
    world.faults.set_reads(Reads::Fail);
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(2)).await;
    assert!(request.answered().is_none());
    world.faults.clear();
    world.pass(seconds(1)).await;
    assert_eq!(effect(request.answer().await), CommitState::Unknown);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
}

#[tokio::test]
async fn an_opening_that_cannot_be_read_back_is_never_sent_and_released_in_the_end() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::ResponseLost);
    world.faults.set_reads(Reads::Fail);
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(18)).await;
    assert!(request.answered().is_none());
    world.pass(seconds(2)).await;
    assert_eq!(effect(request.answer().await), CommitState::Unknown);
    world.faults.clear();
    let worker = Worker::start(&gateway);
    world.pass(minutes(15)).await;
    worker.stop().await;
    let tx = world.stored("order-1").await;
    assert!(matches!(&tx.state, State::Failed(it) if matches!(it.proof, Proof::Absent(_))));
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_make_a_merchant_wait_for_hours() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::ResponseLost);
    world.faults.set_reads(Reads::Fail);
    let wall = world.wall.clone();
    let gateway = world.gateway_with(|parts| parts.clock = wall);
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    world.wall.set_back(minutes(120));
    world.pass(seconds(20)).await;
    assert_eq!(effect(request.answer().await), CommitState::Unknown);
}

#[tokio::test]
async fn a_settlement_that_is_lost_is_made_again_while_the_merchant_waits() {
    let full = Fault::Refused(PortErrorKind::Busy);
    for fault in [Fault::RequestLost, Fault::ResponseLost, full] {
        let world = World::new().await;
        world.ledger.on_commit(2, fault.clone());
        world.ledger.on_commit(3, fault.clone());
        let request = Request::buy(&world.gateway(), "order-1");
        world.pass(seconds(1)).await;
        let paid = request.answer().await.unwrap();
        assert_eq!(paid.transaction.status(), Status::Successful, "{fault:?}");
        let reported = world.events(&paid.transaction).await;
        assert_eq!(reported, [EventKind::Opened, EventKind::Successful]);
        assert_eq!(world.provider.submissions().len(), 1, "{fault:?}");
        assert_eq!(world.wallet().await, (BALANCE - 97_000, 0), "{fault:?}");
        world.is_right().await;
    }
}

#[tokio::test]
async fn a_settlement_that_cannot_be_made_in_time_is_pending_and_settled_by_asking() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        for commit in 2..2 + WINDOW {
            world.ledger.on_commit(commit, fault.clone());
        }
        let gateway = world.gateway();
        let request = Request::buy(&gateway, "order-1");
        world.pass(seconds(20)).await;
        let paid = request.answer().await.unwrap();
        assert_eq!(paid.transaction.status(), Status::Pending, "{fault:?}");
        assert!(world.ledger.commits().len() < WINDOW, "{fault:?}");
        let worker = Worker::start(&gateway);
        world.pass(minutes(12)).await;
        worker.stop().await;
        let tx = world.stored("order-1").await;
        assert_eq!(tx.status(), Status::Successful, "{fault:?}");
        assert_eq!(world.provider.submissions().len(), 1, "{fault:?}");
        assert_eq!(world.wallet().await, (BALANCE - 97_000, 0), "{fault:?}");
        world.is_right().await;
    }
}

#[tokio::test]
async fn a_second_attempt_whose_verdict_is_lost_is_sent_once_it_is_seen_stored() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        world.provider.on_submit(ScriptedReply::not_sent());
        world.ledger.on_commit(2, fault.clone());
        let request = Request::buy(&world.gateway(), "order-1");
        world.pass(MOMENT).await;
        assert_eq!(world.provider.submissions().len(), 1, "{fault:?}");
        world.pass(MOMENT).await;
        let paid = request.answer().await.unwrap();
        assert_eq!(paid.transaction.status(), Status::Successful, "{fault:?}");
        assert_eq!(world.provider.submissions().len(), 2, "{fault:?}");
        assert_eq!(world.provider.deliveries(&attempt("order-1", 2)), 1);
        world.is_right().await;
    }
}

#[tokio::test]
async fn a_second_attempt_that_is_not_seen_stored_is_never_sent() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        world.provider.on_submit(ScriptedReply::not_sent());
        for commit in 2..2 + WINDOW {
            world.ledger.on_commit(commit, fault.clone());
        }
        let gateway = world.gateway();
        let request = Request::buy(&gateway, "order-1");
        world.pass(seconds(20)).await;
        let paid = request.answer().await.unwrap();
        assert_eq!(paid.transaction.status(), Status::Pending);
        let worker = Worker::start(&gateway);
        world.pass(minutes(20)).await;
        worker.stop().await;
        assert_eq!(world.stored("order-1").await.status(), Status::Failed);
        assert_eq!(world.provider.submissions().len(), 1);
        assert_eq!(world.wallet().await, (BALANCE, 0));
        world.is_right().await;
    }
}

#[tokio::test]
async fn what_is_found_out_while_a_store_is_away_is_stored_when_it_is_back() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    world.provider.finish(&attempt("order-1", 1));
    world.ledger.set_reachable(Reachable::No);
    world.pass(seconds(4)).await;
    let asked = world.provider.queries().len();
    world.pass(seconds(4)).await;
    // It was said once, and is not asked again.
    assert_eq!(world.provider.queries().len(), asked);
    world.ledger.set_reachable(Reachable::Yes);
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    world.is_right().await;
}

#[tokio::test]
async fn a_store_that_is_down_for_a_while_loses_nothing() {
    let world = World::new().await;
    let gateway = world.gateway();
    world.provider.on_submit(ScriptedReply::accept());
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    world.ledger.set_reachable(Reachable::No);
    let answer = buy(&gateway, "order-2").await;
    assert!(matches!(answer, Err(RequestError::Store(_))), "{answer:?}");
    let worker = Worker::start(&gateway);
    world.pass(minutes(3)).await;
    world.provider.finish(&attempt("order-1", 1));
    world.ledger.set_reachable(Reachable::Yes);
    world.pass(minutes(2)).await;
    worker.stop().await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(world.stores.read("shop", "order-2").await, None);
    world.is_right().await;
}
