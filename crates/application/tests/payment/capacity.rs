//! How much is taken on at a time, and how the gateway stops taking on anything.

use super::support::request::{Request, Worker, buy};
use super::support::{BALANCE, World, attempt, seconds};
use application::RequestError;
use domain::transaction::Status;
use testkit::clock::settle;
use testkit::provider::ScriptedReply;
use tokio::task::JoinSet;

#[tokio::test]
async fn what_is_beyond_capacity_is_refused_before_anything_is_stored() {
    let world = World::new().await;
    let gateway = world.gateway_with(|parts| parts.settings.payments_max = 2);
    for _ in 0..2 {
        world
            .provider
            .on_submit(ScriptedReply::deliver().after(seconds(5)));
    }
    let one = Request::buy(&gateway, "order-1");
    let two = Request::buy(&gateway, "order-2");
    settle().await;
    let answer = buy(&gateway, "order-3").await;
    assert!(matches!(answer, Err(RequestError::Saturated)), "{answer:?}");
    assert_eq!(world.stores.read("shop", "order-3").await, None);
    world.pass(seconds(5)).await;
    assert!(one.answer().await.is_ok() && two.answer().await.is_ok());
    assert!(buy(&gateway, "order-3").await.is_ok());
    world.is_right().await;
}

#[tokio::test]
async fn a_client_that_hangs_up_keeps_its_place_until_its_payment_is_done() {
    let world = World::new().await;
    let gateway = world.gateway_with(|parts| parts.settings.payments_max = 1);
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(5)));
    let request = Request::buy(&gateway, "order-1");
    settle().await;
    request.hang_up();
    let answer = buy(&gateway, "order-2").await;
    assert!(matches!(answer, Err(RequestError::Saturated)), "{answer:?}");
    world.pass(seconds(5)).await;
    assert!(buy(&gateway, "order-2").await.is_ok());
}

#[tokio::test]
async fn every_place_comes_back_whatever_becomes_of_the_payment() {
    let world = World::new().await;
    let gateway = world.gateway_with(|parts| parts.settings.payments_max = 1);
    world
        .ledger
        .on_commit(1, testkit::faults::Fault::RequestLost);
    assert!(buy(&gateway, "order-1").await.is_err());
    world
        .ledger
        .on_commit(3, testkit::faults::Fault::RequestLost);
    let (paid, ()) = tokio::join!(buy(&gateway, "order-1"), world.pass(seconds(1)));
    assert!(paid.is_ok());
    assert!(matches!(
        buy(&gateway, "order-1").await,
        Err(RequestError::ReferenceTaken { .. })
    ));
    world.provider.on_submit(ScriptedReply::decline());
    assert!(buy(&gateway, "order-2").await.is_ok());
    assert!(buy(&gateway, "order-3").await.is_ok());
}

#[tokio::test]
async fn draining_waits_for_what_is_under_way_and_refuses_what_is_new() {
    let world = World::new().await;
    let gateway = world.gateway();
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(5)));
    let request = Request::buy(&gateway, "order-1");
    settle().await;
    request.hang_up();
    let mut draining = JoinSet::new();
    let drained = gateway.clone();
    draining.spawn(async move { drained.drain().await });
    settle().await;
    let answer = buy(&gateway, "order-2").await;
    assert!(matches!(answer, Err(RequestError::Draining)), "{answer:?}");
    world.pass(seconds(4)).await;
    assert!(draining.try_join_next().is_none());
    world.pass(seconds(1)).await;
    assert!(draining.try_join_next().is_some());
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(world.stores.read("shop", "order-2").await, None);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
}

#[tokio::test]
async fn draining_waits_for_recovery_too() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(20)).await;
    request.hang_up();
    let slow = testkit::provider::QueryReply::truth().after(seconds(9));
    world.provider.on_query(slow);
    let worker = Worker::start(&gateway);
    world.pass(seconds(1)).await;
    world.provider.finish(&attempt("order-1", 1));
    worker.stop().await;
    let mut draining = JoinSet::new();
    let drained = gateway.clone();
    draining.spawn(async move { drained.drain().await });
    world.pass(seconds(7)).await;
    assert!(draining.try_join_next().is_none());
    world.pass(seconds(2)).await;
    assert!(draining.try_join_next().is_some());
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_races_with_the_drain_is_finished_or_never_begun() {
    for _ in 0..300 {
        let world = World::new().await;
        let gateway = world.gateway();
        let request = Request::buy(&gateway, "order-1");
        let mut draining = JoinSet::new();
        let drained = gateway.clone();
        draining.spawn(async move { drained.drain().await });
        draining.join_next().await.unwrap().unwrap();
        // Whatever the race was: once drained, nothing is under way any more.
        let stored = world.stores.read("shop", "order-1").await;
        match request.answer().await {
            Ok(paid) => {
                assert_eq!(paid.transaction.status(), Status::Successful);
                assert_eq!(stored, Some(paid.transaction));
            }
            Err(RequestError::Draining) => assert_eq!(stored, None),
            Err(other) => panic!("{other:?}"),
        }
    }
}
