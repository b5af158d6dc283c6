//! Recovery: it asks and never sends, believes silence only late and often enough, and never gives
//! up on its own.

use super::support::fault_injector::InjectedFault;
use super::support::request::{Request, Worker, buy};
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::recovery::Recovery;
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::{ReviewCause, State, Status};
use std::sync::atomic::Ordering;
use std::time::Duration;
use testkit::builders::{airtime, pending, receipt_of, takeover, unknown};
use testkit::clock::settle;
use testkit::provider::{QueryReply, ScriptedReply};

#[tokio::test]
async fn a_day_without_evidence_leads_to_a_person_and_never_to_failure() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(20)).await;
    request.hang_up();
    let mut recovery = Recovery::new(&gateway);
    world.follow_up_for(&mut recovery, 24 * 60 - 1).await;
    let stored = world.stored("order-1").await;
    assert!(matches!(stored.state, State::InDoubt(_)), "{stored:?}");
    world.follow_up_for(&mut recovery, 2).await;
    let tx = world.stored("order-1").await;
    let State::Review(review) = &tx.state else {
        panic!("{:?}", tx.state);
    };
    assert_eq!(review.cause, ReviewCause::Unresolved);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 97_000));
    world.pass(minutes(60)).await;
    assert_eq!(recovery.sweep().await.unwrap(), 0);
    world.is_right().await;
}

#[tokio::test]
async fn a_takeover_asks_and_never_sends() {
    let world = World::new().await;
    world.stores.has_opened(&airtime()).await;
    let gateway = world.gateway();
    let worker = Worker::start(&gateway);
    world.pass(minutes(15)).await;
    worker.stop().await;
    assert_eq!(world.provider.submissions(), []);
    assert!(!world.provider.queries().is_empty());
    assert_eq!(world.stored("order-1").await.status(), Status::Failed);
    world.is_right().await;
}

#[tokio::test]
async fn an_answer_that_comes_after_the_takeover_settles_all_the_same() {
    for (reply, status) in [
        (ScriptedReply::deliver(), Status::Successful),
        (ScriptedReply::decline(), Status::Failed),
        (ScriptedReply::not_sent(), Status::Failed),
    ] {
        let world = World::new().await;
        world.provider.on_submit(reply.after(seconds(15)));
        for _ in 0..50 {
            world
                .provider
                .on_query(QueryReply::say(QueryOutcome::NotFound));
        }
        let gateway = world.gateway();
        let request = Request::buy(&gateway, "order-1");
        world.pass(seconds(1)).await;
        // A process that starts now takes the live attempt for one left behind.
        let other = world.gateway();
        let worker = Worker::start(&other);
        world.pass(seconds(1)).await;
        assert!(matches!(
            world.stored("order-1").await.state,
            State::InDoubt(_)
        ));
        world.pass(seconds(13)).await;
        let paid = request.answer().await.unwrap();
        assert_eq!(paid.transaction.status(), status);
        assert_eq!(world.provider.submissions().len(), 1);
        worker.stop().await;
        world.is_right().await;
    }
}

#[tokio::test]
async fn two_workers_settle_once() {
    let world = World::new().await;
    let opened = world.stores.has_opened(&airtime()).await;
    let observation = unknown(&opened, UnknownCause::Timeout);
    world
        .stores
        .has_applied(&opened, &observation, world.now())
        .await;
    let elsewhere = attempt("order-1", 1);
    let yes = QueryOutcome::Delivered(receipt_of(&elsewhere, &opened.order));
    let slow = QueryReply::say(yes).after(Duration::from_millis(300));
    world.provider.on_query(slow.clone()).on_query(slow);
    // Two processes that do not know of each other; the lease ends while the first still asks.
    let (left, right) = (world.gateway(), world.gateway());
    let mut first = Recovery::new(&left);
    let mut second = Recovery::new(&right);
    world.clock.suspend(minutes(1));
    let sweeps = async {
        let (a, b) = tokio::join!(first.sweep(), async {
            settle().await;
            let now = world.now();
            world.stores.leases.reclaim_orphans(now).await.unwrap();
            second.sweep().await
        });
        (a.unwrap(), b.unwrap())
    };
    let (followed, ()) = tokio::join!(sweeps, world.pass(seconds(2)));
    assert_eq!(followed, (1, 1));
    let tx = world.stored("order-1").await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
    world.is_right().await;
}

#[tokio::test]
async fn what_one_worker_claimed_the_other_leaves_alone() {
    let world = World::new().await;
    let opened = world.stores.has_opened(&airtime()).await;
    world
        .stores
        .has_applied(&opened, &pending(&opened), world.now())
        .await;
    world.pass(minutes(1)).await;
    let gateway = world.gateway();
    assert_eq!(Recovery::new(&gateway).sweep().await.unwrap(), 1);
    assert_eq!(Recovery::new(&gateway).sweep().await.unwrap(), 0);
    assert_eq!(world.provider.queries().len(), 1);
}

#[tokio::test]
async fn a_transaction_whose_provider_is_gone_comes_before_a_person_in_the_end() {
    let world = World::new().await;
    world
        .stores
        .has_opened(&airtime().sold_by("bankrupt"))
        .await;
    let gateway = world.gateway();
    let mut recovery = Recovery::new(&gateway);
    world.pass(minutes(1)).await;
    recovery.sweep().await.unwrap();
    assert!(matches!(
        world.stored("order-1").await.state,
        State::InDoubt(_)
    ));
    world.follow_up_for(&mut recovery, 24 * 60).await;
    let tx = world.stored("order-1").await;
    assert!(matches!(tx.state, State::Review(_)), "{:?}", tx.state);
    assert_eq!(world.provider.queries(), []);
    world.is_right().await;
}

#[tokio::test]
async fn a_question_that_hangs_gives_its_place_back_at_the_deadline() {
    let world = World::new().await;
    for n in [1, 2] {
        let opened = world.stores.has_opened(&airtime().nth(n)).await;
        let observation = takeover(&opened);
        world
            .stores
            .has_applied(&opened, &observation, world.now())
            .await;
    }
    world.provider.on_query(QueryReply::silence());
    world.pass(minutes(1)).await;
    let gateway = world.gateway_with(|parts| parts.settings.recovery_batch = 1);
    let worker = Worker::start(&gateway);
    world.pass(seconds(29)).await;
    assert_eq!(world.provider.queries().len(), 1);
    world.pass(seconds(5)).await;
    assert!(world.provider.queries().contains(&attempt("order-2", 1)));
    worker.stop().await;
}

#[tokio::test]
async fn no_more_is_claimed_than_there_are_places() {
    let world = World::new().await;
    for n in 1..=5 {
        let opened = world.stores.has_opened(&airtime().nth(n)).await;
        let observation = takeover(&opened);
        world
            .stores
            .has_applied(&opened, &observation, world.now())
            .await;
        world.provider.on_query(QueryReply::silence());
    }
    world.pass(minutes(1)).await;
    let gateway = world.gateway_with(|parts| parts.settings.recovery_batch = 2);
    let worker = Worker::start(&gateway);
    world.pass(seconds(10)).await;
    assert_eq!(world.provider.queries().len(), 2);
    let still_due = world
        .stores
        .claim(world.now().plus(minutes(1)), seconds(1), 9);
    assert_eq!(still_due.await.len(), 5);
    drop(worker);
}

#[tokio::test]
async fn a_provider_that_hangs_when_asked_for_changes_does_not_hold_up_recovery() {
    let world = World::new().await;
    world.network.changes_hang.store(true, Ordering::SeqCst);
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let worker = Worker::start(&gateway);
    world.pass(seconds(2)).await;
    let request = Request::buy(&gateway, "order-1");
    settle().await;
    request.hang_up();
    world.pass(seconds(25)).await;
    world.provider.finish(&attempt("order-1", 1));
    world.pass(minutes(1)).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    world.network.changes_hang.store(false, Ordering::SeqCst);
    world.provider.take_back(&attempt("order-1", 1));
    world.pass(minutes(1)).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    worker.stop().await;
    world.is_right().await;
}

#[tokio::test]
async fn a_store_that_fails_a_sweep_is_asked_again() {
    let world = World::new().await;
    let gateway = world.gateway();
    assert!(buy(&gateway, "order-1").await.is_ok());
    world.faults.inject_at(1, InjectedFault::RequestLost);
    let mut recovery = Recovery::new(&gateway);
    assert!(recovery.sweep().await.is_err());
    assert_eq!(recovery.sweep().await.unwrap(), 0);
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_stop_the_taking_in_of_changes() {
    let world = World::new().await;
    let gateway = world.gateway();
    assert!(buy(&gateway, "order-1").await.is_ok());
    let worker = Worker::start(&gateway);
    world.pass(seconds(2)).await;
    world.wall.set_back(Duration::from_hours(5));
    world.provider.take_back(&attempt("order-1", 1));
    world.pass(seconds(3)).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_that_is_cancelled_stops_at_once() {
    let world = World::new().await;
    let worker = Worker::start(&world.gateway());
    settle().await;
    worker.stop().await;
    assert_eq!(world.now(), testkit::clock::START);
}

#[tokio::test]
async fn orphans_are_taken_over_even_where_the_first_look_fails() {
    let world = World::new().await;
    world.stores.has_opened(&airtime()).await;
    world.faults.inject_at(1, InjectedFault::RequestLost);
    let worker = Worker::start(&world.gateway());
    world.pass(minutes(1) + seconds(1)).await;
    assert!(matches!(
        world.stored("order-1").await.state,
        State::InDoubt(_)
    ));
    worker.stop().await;
}
