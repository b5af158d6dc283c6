//! The permit to send, and processes that stop before they use it. Nothing may be sent that was
//! taken over, whatever the wall clock shows.

use super::support::clock::WallClock;
use super::support::fault_injector::InjectedFault;
use super::support::process::{Process, outside};
use super::support::request::{Request, Worker};
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::Parts;
use domain::event::EventKind;
use domain::ledger::TransferKind;
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::{Proof, State, Status};
use ports::fault_point::FaultStep;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::receipt_of;

/// A gateway in a process of its own, with a wall clock of its own.
fn instance(world: &World) -> (Process, Arc<WallClock>) {
    let wall = WallClock::over(world.clock.clone());
    let clock = wall.clone();
    let process = Process::start_with(world, |parts: &mut Parts| parts.clock = clock);
    (process, wall)
}

/// Lets a process buy `order-1` until it stops right after COMMIT 1.
fn stopped_after_opening(world: &World, process: &Process) -> Request {
    world.halt.at(FaultStep::AfterOpen);
    let request = process.run(async {
        let request = Request::buy(&process.gateway, "order-1");
        world.halt.reached().await;
        request
    });
    world.halt.nowhere();
    request
}

/// Another instance follows up what is due for a while.
fn another_recovers(world: &World, for_so_long: Duration) {
    let (other, _) = instance(world);
    other.run(async {
        let worker = Worker::start(&other.gateway);
        world.pass(for_so_long).await;
        worker.stop().await;
    });
}

/// Another instance, whose clock is ahead by so much, takes over what is being sent; it works until
/// what is answered is dropped.
fn another_takes_over(world: &World, ahead_by: Duration) -> (Worker, Process) {
    let (ahead, clock) = instance(world);
    clock.set_forward(ahead_by);
    let worker = ahead.run(async {
        let worker = Worker::start(&ahead.gateway);
        world.pass(Duration::from_millis(10)).await;
        worker
    });
    let taken_over = outside(world.stored("order-1"));
    assert!(
        matches!(taken_over.state, State::InDoubt(_)),
        "{taken_over:?}"
    );
    (worker, ahead)
}

#[test]
fn a_pause_beyond_the_budget_sends_nothing_though_the_clock_was_set_back() {
    let world = outside(World::new());
    let (process, wall) = instance(&world);
    let request = stopped_after_opening(&world, &process);
    world.clock.suspend(seconds(24));
    wall.set_back(seconds(24));
    world.halt.resume();
    process.run(request.answer()).unwrap();
    process.run(process.gateway.drain());
    let paid = outside(world.stored("order-1"));
    assert_eq!(paid.earlier[0].proof, Proof::NotSent);
    let sent = world.provider.submissions();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].reference, attempt("order-1", 2));
    outside(world.is_right());
}

#[test]
fn what_another_instance_failed_and_released_is_never_sent_by_the_one_that_resumes() {
    let world = outside(World::new());
    let (process, wall) = instance(&world);
    let request = stopped_after_opening(&world, &process);
    another_recovers(&world, minutes(20));
    let failed = outside(world.stored("order-1"));
    assert_eq!(failed.status(), Status::Failed);
    assert_eq!(outside(world.wallet()), (BALANCE, 0));

    wall.set_back(minutes(20));
    world.halt.resume();
    process.run(request.answer()).unwrap();
    process.run(process.gateway.drain());
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(outside(world.stored("order-1")), failed);
    assert_eq!(outside(world.wallet()), (BALANCE, 0));
    outside(world.is_right());
}

#[test]
fn what_was_taken_over_within_the_budget_is_not_sent_and_that_proves_its_failure() {
    let world = outside(World::new());
    let (process, _) = instance(&world);
    let request = stopped_after_opening(&world, &process);
    let opened = outside(world.stored("order-1"));
    // An instance whose clock is ahead takes over what is due by its clock; its query times out.
    world
        .provider
        .on_query(testkit::provider::QueryReply::silence());
    let (worker, _ahead) = another_takes_over(&world, minutes(2));
    let taken_over = outside(world.stored("order-1"));
    assert!(taken_over.version > opened.version);

    world.clock.suspend(Duration::from_millis(500));
    world.halt.resume();
    let paid = process.run(request.answer()).unwrap();
    process.run(process.gateway.drain());
    let State::Failed(failed) = paid.transaction.state else {
        panic!("{:?}", paid.transaction.state);
    };
    assert_eq!(failed.proof, Proof::NotSent);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(outside(world.wallet()), (BALANCE, 0));
    drop(worker);
    outside(world.is_right());
}

/// The quarantine keeps an attempt from being failed while the commit still counts as its permit.
#[test]
fn what_was_taken_over_while_the_commit_counts_is_sent_once_and_not_failed() {
    let world = outside(World::new());
    let (process, _) = instance(&world);
    let request = stopped_after_opening(&world, &process);
    let (worker, _ahead) = another_takes_over(&world, minutes(60 * 24));

    world.clock.suspend(Duration::from_millis(400));
    world.halt.resume();
    let paid = process.run(request.answer()).unwrap();
    process.run(process.gateway.drain());
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 1);
    assert_eq!(world.provider.submissions().len(), 1);
    drop(worker);
    outside(world.stores.must_be_clean(world.now()));
}

#[tokio::test]
async fn recovery_leaves_alone_what_its_own_process_is_sending_when_the_clock_leaps() {
    let world = World::new().await;
    world.halt.at(FaultStep::AfterOpen);
    let gateway = world.gateway();
    let worker = Worker::ready(&gateway).await;
    let request = Request::buy(&gateway, "order-1");
    world.halt.reached().await;
    world.clock.jump(minutes(5));
    world.pass(seconds(2)).await;
    let tx = world.stored("order-1").await;
    assert!(matches!(tx.state, State::Sending(_)), "{:?}", tx.state);
    assert_eq!(world.provider.queries(), []);
    world.halt.nowhere();
    world.halt.resume();
    request.answer().await.unwrap();
    worker.stop().await;
    world.is_right().await;
}

#[tokio::test]
async fn recovery_asks_about_what_its_own_process_has_sent_and_not_yet_let_go() {
    let world = World::new().await;
    let silent = testkit::provider::ScriptedReply::answer_lost(UnknownCause::Timeout);
    world.provider.on_submit(silent);
    world.halt.at(FaultStep::AfterSettle);
    let gateway = world.gateway();
    let worker = Worker::ready(&gateway).await;
    let request = Request::buy(&gateway, "order-1");
    world.halt.reached().await;
    // Less than a lease: a row that was claimed and not followed up would still wait for its end.
    world.pass(seconds(45)).await;
    let tx = world.stored("order-1").await;
    assert_eq!(tx.status(), Status::Successful, "{:?}", tx.state);
    world.halt.nowhere();
    world.halt.resume();
    request.answer().await.unwrap();
    worker.stop().await;
    world.is_right().await;
}

#[tokio::test]
async fn a_store_that_does_not_confirm_the_permit_withholds_it() {
    for fault in [InjectedFault::RequestLost, InjectedFault::ResponseLost] {
        let world = World::new().await;
        world.halt.at(FaultStep::AfterOpen);
        let gateway = world.gateway();
        let request = Request::buy(&gateway, "order-1");
        world.halt.reached().await;
        world.halt.nowhere();
        world.clock.suspend(Duration::from_millis(500));
        world.faults.inject_at(1, fault);
        world.halt.resume();
        let paid = request.answer().await.unwrap();
        assert_eq!(paid.transaction.earlier[0].proof, Proof::NotSent);
        let sent = world.provider.submissions();
        assert_eq!(sent.len(), 1, "{fault:?}");
        assert_eq!(sent[0].reference, attempt("order-1", 2));
        world.is_right().await;
    }
}

#[tokio::test]
async fn a_store_that_does_not_answer_in_time_withholds_the_permit() {
    let world = World::new().await;
    world.halt.at(FaultStep::AfterOpen);
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.halt.reached().await;
    world.halt.nowhere();
    world.clock.suspend(Duration::from_millis(500));
    world.faults.slow_answers(Duration::from_millis(1_001));
    world.halt.resume();
    world.pass(seconds(20)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Failed);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_submission_says_until_when_the_provider_may_deliver() {
    let world = World::new().await;
    let started = world.now();
    let gateway = world.gateway();
    Request::buy(&gateway, "order-1").answer().await.unwrap();
    let sent = world.provider.submissions();
    assert_eq!(sent[0].not_after, started.plus(seconds(30)));
}

#[test]
fn a_pause_after_the_permit_that_outlasts_the_quarantine_is_booked_as_a_loss_once() {
    let world = outside(World::new());
    let (process, _) = instance(&world);
    world.network.granted.at(FaultStep::AfterOpen);
    let request = process.run(async {
        let request = Request::buy(&process.gateway, "order-1");
        world.network.granted.reached().await;
        request
    });
    world.network.granted.nowhere();
    another_recovers(&world, minutes(20));
    let failed = outside(world.stored("order-1"));
    assert_eq!(failed.status(), Status::Failed);

    // The provider did not keep to `not_after`.
    world.network.granted.resume();
    process.run(request.answer()).unwrap();
    process.run(process.gateway.drain());
    let sent = attempt("order-1", 1);
    assert_eq!(world.provider.deliveries(&sent), 1);
    let receipt = receipt_of(&sent, &failed.order);
    for _ in 0..2 {
        world
            .provider
            .report(&sent, QueryOutcome::Delivered(receipt.clone()));
        another_recovers(&world, seconds(5));
    }
    let events = outside(world.events(&failed));
    let late = events
        .iter()
        .filter(|kind| **kind == EventKind::LateDelivered);
    assert_eq!(late.count(), 1, "{events:?}");
    let transfers = outside(world.transfers(&failed));
    let losses = transfers.iter().filter(|kind| **kind == TransferKind::Loss);
    assert_eq!(losses.count(), 1, "{transfers:?}");
    assert_eq!(outside(world.stored("order-1")).status(), Status::Failed);
    assert_eq!(outside(world.wallet()), (BALANCE, 0));
    outside(world.stores.must_be_clean(world.now()));
}
