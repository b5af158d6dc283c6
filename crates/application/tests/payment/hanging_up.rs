//! A client that hangs up. Wherever it does, what was begun is finished and nothing is begun twice.

use super::support::process::outside;
use super::support::request::{Request, buy, meter_payment, once};
use super::support::{BALANCE, World, merchant, minutes, seconds};
use application::reference_use::ReferenceUse;
use application::{Gateway, RequestError};
use domain::transaction::Status;
use std::time::Duration;
use testkit::builders::reference;
use testkit::faults::Fault;
use testkit::provider::{QueryReply, ScriptedReply};

/// Far more turns than any of these payments takes to its end.
const TURNS_MAX: usize = 60;

/// Every port takes its time: each await of the flow is a place where the client can leave.
fn slow_everywhere(world: &World) {
    let pause = Duration::from_millis(100);
    for commit in 1..=3 {
        world.ledger.on_commit(commit, Fault::AnsweredLate(pause));
    }
    world
        .provider
        .on_submit(ScriptedReply::accept().after(pause));
    world.provider.on_query(QueryReply::truth().after(pause));
}

/// Lets the client wait for so many turns of the runtime, time passing whenever all stand still,
/// and then leave. Answers whether the payment was begun.
async fn left_after(turns: usize) -> bool {
    let world = World::new().await;
    slow_everywhere(&world);
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    for turn in 0..turns {
        tokio::task::yield_now().await;
        if turn % 6 == 5 {
            world.clock.advance_to_next().await;
        }
    }
    request.hang_up();
    world.pass(seconds(5)).await;
    let begun = !world.provider.submissions().is_empty();
    if begun {
        world
            .provider
            .finish(&world.provider.submissions()[0].reference);
        world.pass(seconds(5)).await;
        let tx = world.stored("order-1").await;
        assert_eq!(tx.status(), Status::Successful, "after {turns} turns");
        assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
    } else {
        assert_eq!(world.stores.read("shop", "order-1").await, None);
        assert_eq!(world.wallet().await, (BALANCE, 0));
    }
    assert_eq!(world.clock.sleepers(), 0, "after {turns} turns");
    world.is_right().await;
    begun
}

#[test]
fn a_client_that_hangs_up_at_any_point_stops_nothing_that_was_begun() {
    let begun: Vec<bool> = (0..TURNS_MAX)
        .map(|turns| outside(left_after(turns)))
        .collect();
    assert!(!begun[0], "a client that never asked");
    // Once a payment is begun it goes on, however early the client leaves.
    let first = begun.iter().position(|begun| *begun).unwrap();
    assert!(begun[first..].iter().all(|begun| *begun), "{begun:?}");
    assert!(first < 6, "{begun:?}");
}

#[tokio::test]
async fn a_client_that_hangs_up_during_the_look_up_begins_nothing() {
    let world = World::new().await;
    let hangs = &world.network.meters_hang;
    hangs.store(true, std::sync::atomic::Ordering::SeqCst);
    let gateway = world.gateway();
    let request = Request::pay(&gateway, "order-1");
    world.pass(seconds(3)).await;
    request.hang_up();
    world.pass(minutes(1)).await;
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.clock.sleepers(), 0);
}

#[tokio::test]
async fn a_client_that_hung_up_finds_its_payment_under_its_reference() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(3)));
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    request.hang_up();
    world.pass(seconds(2)).await;
    let again = buy(&gateway, "order-1").await;
    let taken = matches!(again, Err(RequestError::ReferenceTaken { .. }));
    assert!(taken, "{again:?}");
    let shop = merchant("shop");
    let other = once(meter_payment("order-2"));
    gateway.pay_electricity(&shop, other).await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    world.is_right().await;
}

async fn used(gateway: &Gateway, under: &str) -> ReferenceUse {
    let (shop, under) = (merchant("shop"), reference(under));
    gateway.reference_use(&shop, &under).await.unwrap()
}

#[tokio::test]
async fn a_reference_is_not_called_unused_while_it_may_still_be_opened() {
    let world = World::new().await;
    let gateway = world.gateway();
    assert_eq!(used(&gateway, "order-1").await, ReferenceUse::NotStored);
    world.ledger.on_next(Fault::Delayed(seconds(3)));
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    request.hang_up();
    world.pass(seconds(1)).await;
    assert_eq!(used(&gateway, "order-1").await, ReferenceUse::Unsettled);
    assert_eq!(used(&gateway, "order-2").await, ReferenceUse::NotStored);
    world.pass(seconds(2)).await;
    let stored = used(&gateway, "order-1").await;
    assert!(matches!(stored, ReferenceUse::Stored(_)), "{stored:?}");
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    // Nothing is stored yet while its meter is looked up.
    let hangs = &world.network.meters_hang;
    hangs.store(true, std::sync::atomic::Ordering::SeqCst);
    let request = Request::pay(&gateway, "order-3");
    world.pass(seconds(3)).await;
    assert_eq!(used(&gateway, "order-3").await, ReferenceUse::Unsettled);
    request.hang_up();
    world.pass(seconds(1)).await;
    assert_eq!(used(&gateway, "order-3").await, ReferenceUse::NotStored);
    // A refusal has left the list by the time it is answered.
    let refused = Fault::Refused(ports::PortErrorKind::Unreachable);
    world.ledger.on_next(refused);
    assert!(buy(&gateway, "order-4").await.is_err());
    assert_eq!(used(&gateway, "order-4").await, ReferenceUse::NotStored);
    world.is_right().await;
}
