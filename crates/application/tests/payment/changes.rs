//! Changes that providers report: once, twice, too early, out of order, or of foreign attempts.

use super::support::fault_injector::InjectedFault;
use super::support::request::{Request, Worker, buy};
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::Gateway;
use application::providers::Providers;
use application::recovery::Recovery;
use domain::event::EventKind;
use domain::ledger::TransferKind;
use domain::order::Service;
use domain::provider::{AbsencePolicy, QueryOutcome, UnknownCause};
use domain::reference::ProviderReference;
use domain::transaction::{Proof, State, Status};
use std::sync::Arc;
use testkit::builders::receipt_of;
use testkit::clock::settle;
use testkit::provider::{QueryReply, ScriptedProvider, ScriptedReply};

async fn take_in(gateway: &Gateway) {
    Recovery::new(gateway).sweep().await.unwrap();
}

#[tokio::test]
async fn a_delivery_taken_back_gives_the_price_back() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    world.provider.take_back(&attempt("order-1", 1));
    take_in(&gateway).await;
    let tx = world.stored("order-1").await;
    assert_eq!(tx.status(), Status::Reversed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    let reported = [
        EventKind::Opened,
        EventKind::Successful,
        EventKind::Reversed,
    ];
    assert_eq!(world.events(&tx).await, reported);
    let moved = world.transfers(&tx).await;
    assert!(moved.contains(&TransferKind::Reversal));
    assert!(moved.contains(&TransferKind::MarginReversal));
    world.is_right().await;
}

#[tokio::test]
async fn a_change_reported_again_changes_nothing() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    let first = attempt("order-1", 1);
    world.provider.take_back(&first);
    for _ in 0..3 {
        world.provider.report(&first, QueryOutcome::Reversed);
    }
    take_in(&gateway).await;
    let tx = world.stored("order-1").await;
    // A new worker reads everything from the beginning.
    take_in(&gateway).await;
    assert_eq!(world.stored("order-1").await, tx);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_reversal_that_comes_before_the_delivery_is_known_fails_the_payment() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver().silently());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    settle().await;
    let first = attempt("order-1", 1);
    world.provider.take_back(&first);
    take_in(&gateway).await;
    let tx = world.stored("order-1").await;
    let State::Failed(failed) = &tx.state else {
        panic!("{:?}", tx.state);
    };
    assert_eq!(failed.proof, Proof::TakenBack);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    // The old yes comes after all, more than once: what was taken back is no loss.
    let yes = QueryOutcome::Delivered(receipt_of(&first, &tx.order));
    world.provider.report(&first, yes.clone());
    world.provider.report(&first, yes);
    take_in(&gateway).await;
    assert_eq!(world.stored("order-1").await, tx);
    world.pass(seconds(30)).await;
    let answer = request.answer().await.unwrap();
    assert_eq!(answer.transaction.status(), Status::Pending);
    assert_eq!(world.stored("order-1").await, tx);
    world.is_right().await;
}

#[tokio::test]
async fn a_delivery_that_is_reported_before_it_is_answered_is_a_success_once() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(10)));
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    settle().await;
    let tx = world.stored("order-1").await;
    let first = attempt("order-1", 1);
    let yes = QueryOutcome::Delivered(receipt_of(&first, &tx.order));
    world.provider.report(&first, yes);
    take_in(&gateway).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    world.pass(seconds(10)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(paid.transaction.sequence, 2);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
    world.is_right().await;
}

#[tokio::test]
async fn what_is_reported_of_nothing_of_ours_waits_and_changes_nothing() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    let before = world.stored("order-1").await;
    for foreign in [
        "",
        "gibberish",
        "shop.order-9.1",
        "nobody.order-1.1",
        "shop.order-1.9",
    ] {
        let foreign = ProviderReference::from_echo(foreign);
        world.provider.report(&foreign, QueryOutcome::Reversed);
    }
    world
        .provider
        .report(&attempt("order-1", 2), QueryOutcome::Reversed);
    take_in(&gateway).await;
    assert_eq!(world.stored("order-1").await, before);
    world.provider.take_back(&attempt("order-1", 1));
    take_in(&gateway).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    let waits = world.stores.changes.open_letters(100).await.unwrap();
    assert_eq!(waits.len(), 6);
    for letter in waits {
        let resolved = world.stores.changes.resolve(&letter.id, world.now()).await;
        assert!(resolved.unwrap());
    }
    world.is_right().await;
}

#[tokio::test]
async fn silence_that_is_reported_again_after_every_start_proves_nothing() {
    let world = World::new().await;
    let lost = ScriptedReply::request_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    for _ in 0..100 {
        world
            .provider
            .on_query(QueryReply::say(QueryOutcome::Unknown));
    }
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(20)).await;
    request.hang_up();
    world
        .provider
        .report(&attempt("order-1", 1), QueryOutcome::NotFound);
    world.pass(minutes(10)).await;
    for _ in 0..8 {
        world.pass(minutes(2)).await;
        take_in(&gateway).await;
    }
    assert_eq!(world.stored("order-1").await.status(), Status::Pending);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 97_000));
    world.is_right().await;
}

#[tokio::test]
async fn a_provider_is_not_believed_on_what_another_delivered() {
    let world = World::new().await;
    let clock = world.clock.clone();
    let rival = ScriptedProvider::named("rival", AbsencePolicy::CAUTIOUS, clock);
    let rival = Arc::new(rival);
    let gateway = world.gateway_with(|parts| {
        let (airtime, electricity) = (world.network.clone(), rival.clone());
        parts.providers = Providers::new(vec![
            (Service::Airtime, airtime),
            (Service::Electricity, electricity),
        ]);
    });
    buy(&gateway, "order-1").await.unwrap();
    rival.report(&attempt("order-1", 1), QueryOutcome::Reversed);
    take_in(&gateway).await;
    let waits = world.stores.changes.open_letters(100).await.unwrap();
    assert_eq!(waits.len(), 1);
    assert_eq!(waits[0].id.provider.as_str(), "rival");
    assert!(waits[0].reason.contains("sent to sandbox"), "{waits:?}");
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
}

#[tokio::test]
async fn changes_that_could_not_be_read_or_stored_are_read_again() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    world.provider.take_back(&attempt("order-1", 1));
    let mut recovery = Recovery::new(&gateway);
    // The claim, the question, the reading, the commit: each of them fails once.
    for call in 2..=4 {
        world.faults.inject_at(call, InjectedFault::RequestLost);
        recovery.sweep().await.unwrap();
        let status = world.stored("order-1").await.status();
        assert_eq!(status, Status::Successful, "call {call}");
    }
    world.faults.clear();
    recovery.sweep().await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    world.is_right().await;
}

#[tokio::test]
async fn a_worker_takes_changes_in_by_itself() {
    let world = World::new().await;
    let gateway = world.gateway();
    let worker = Worker::start(&gateway);
    buy(&gateway, "order-1").await.unwrap();
    world.provider.take_back(&attempt("order-1", 1));
    world.pass(seconds(2)).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    worker.stop().await;
}

#[tokio::test]
async fn what_waits_for_a_person_for_want_of_evidence_is_settled_by_a_late_word() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    for _ in 0..2_000 {
        world
            .provider
            .on_query(QueryReply::say(QueryOutcome::Unknown));
    }
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(20)).await;
    request.hang_up();
    let mut recovery = Recovery::new(&gateway);
    world.follow_up_for(&mut recovery, 24 * 60).await;
    let tx = world.stored("order-1").await;
    assert!(matches!(tx.state, State::Review(_)), "{:?}", tx.state);
    let first = attempt("order-1", 1);
    world.provider.finish(&first);
    let yes = QueryOutcome::Delivered(receipt_of(&first, &tx.order));
    world.provider.report(&first, yes);
    recovery.sweep().await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    world.is_right().await;
}
