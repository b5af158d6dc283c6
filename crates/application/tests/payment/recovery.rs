//! Recovery: it asks and never sends, believes silence only late and often enough, and never gives
//! up on its own.

use super::support::process::outside;
use super::support::request::{Request, Worker, buy};
use super::support::weather::Reads;
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::recovery::Recovery;
use domain::provider::{Finding, UnknownCause};
use domain::transaction::{Doubt, InDoubt, Proof, ReviewCause, State, Status, Transaction};
use std::sync::atomic::Ordering;
use std::time::Duration;
use testkit::builders::{airtime, pending, receipt_of, takeover, unknown};
use testkit::clock::settle;
use testkit::provider::{QueryReply, Reply};

fn in_doubt(tx: &Transaction) -> InDoubt {
    let State::InDoubt(in_doubt) = tx.state else {
        panic!("{:?}", tx.state);
    };
    in_doubt
}

fn sightings(tx: &Transaction) -> u32 {
    match in_doubt(tx).doubt {
        Doubt::Unanswered { absence, .. } => absence.map_or(0, |absence| absence.sightings),
        Doubt::Acknowledged => panic!("it was acknowledged"),
    }
}

/// A world in which `order-1` was sent at the start and its request was lost.
async fn a_lost_request(gateway: &application::Gateway, world: &World) {
    let lost = Reply::request_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    let request = Request::buy(gateway, "order-1");
    settle().await;
    request.hang_up();
}

#[tokio::test]
async fn silence_counts_after_the_quarantine_and_proves_absence_the_fourth_time() {
    let world = World::new().await;
    let gateway = world.gateway();
    a_lost_request(&gateway, &world).await;
    let worker = Worker::start(&gateway);
    let mut counted = Vec::new();
    for _ in 0..15 {
        world.pass(minutes(1)).await;
        let tx = world.stored("order-1").await;
        if tx.status() != Status::Pending {
            break;
        }
        counted.push(sightings(&tx));
    }
    worker.stop().await;
    // Nothing counts for ten minutes, then once a minute, and the fourth time is proof.
    assert_eq!(counted[..9], [0; 9], "{counted:?}");
    assert!(counted.contains(&1) && counted.contains(&2), "{counted:?}");
    assert!(counted.len() >= 12, "{counted:?}");
    let tx = world.stored("order-1").await;
    let State::Failed(failed) = &tx.state else {
        panic!("{:?}", tx.state);
    };
    let Proof::Absent(absence) = &failed.proof else {
        panic!("{:?}", failed.proof);
    };
    assert_eq!(absence.sightings, 4);
    assert!(absence.first.since(tx.opened_at) >= minutes(10));
    assert!(absence.last.since(absence.first) >= minutes(3));
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn whoever_asks_often_does_not_prove_absence_sooner() {
    let world = World::new().await;
    let gateway = world.gateway_with(|parts| {
        parts.settings.recheck_max = Duration::from_millis(250);
    });
    a_lost_request(&gateway, &world).await;
    let worker = Worker::start(&gateway);
    world.pass(minutes(10)).await;
    assert_eq!(sightings(&world.stored("order-1").await), 1);
    assert!(world.provider.queries().len() > 500);
    world.pass(Duration::from_secs(119)).await;
    assert_eq!(sightings(&world.stored("order-1").await), 2);
    worker.stop().await;
    world.is_right().await;
}

#[tokio::test]
async fn what_the_provider_acknowledged_is_never_taken_for_absent() {
    let world = World::new().await;
    world.provider.on_submit(Reply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    settle().await;
    request.hang_up();
    for _ in 0..200 {
        world.provider.on_query(QueryReply::say(Finding::NotFound));
    }
    let worker = Worker::start(&gateway);
    world.pass(minutes(60)).await;
    worker.stop().await;
    let doubt = in_doubt(&world.stored("order-1").await).doubt;
    assert_eq!(doubt, Doubt::Acknowledged);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 97_000));
}

#[tokio::test]
async fn a_day_without_evidence_leads_to_a_person_and_never_to_failure() {
    let world = World::new().await;
    world.provider.on_submit(Reply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(20)).await;
    request.hang_up();
    let mut recovery = Recovery::new(&gateway);
    let short_of_a_day = seconds(24 * 60 * 60 - 21);
    world.pass(short_of_a_day).await;
    assert_eq!(recovery.sweep().await.unwrap(), 1);
    assert_eq!(world.stored("order-1").await.status(), Status::Pending);
    world.pass(minutes(2)).await;
    assert_eq!(recovery.sweep().await.unwrap(), 1);
    let tx = world.stored("order-1").await;
    let unresolved = |tx: &Transaction| matches!(&tx.state, State::Review(it) if it.cause == ReviewCause::Unresolved);
    assert!(unresolved(&tx), "{:?}", tx.state);
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
        (Reply::deliver(), Status::Successful),
        (Reply::decline(), Status::Failed),
        (Reply::not_sent(), Status::Failed),
    ] {
        let world = World::new().await;
        world.provider.on_submit(reply.after(seconds(15)));
        for _ in 0..50 {
            world.provider.on_query(QueryReply::say(Finding::NotFound));
        }
        let gateway = world.gateway();
        let request = Request::buy(&gateway, "order-1");
        world.pass(seconds(1)).await;
        // A worker that starts now takes the live attempt for one left behind.
        let worker = Worker::start(&gateway);
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
    let news = unknown(&opened, UnknownCause::Timeout);
    world.stores.has_learned(&opened, &news, world.now()).await;
    let elsewhere = attempt("order-1", 1);
    let yes = Finding::Delivered(receipt_of(&elsewhere, &opened.order));
    let slow = QueryReply::say(yes).after(Duration::from_millis(300));
    world.provider.on_query(slow.clone()).on_query(slow);
    // Two processes that do not know of each other, and a lease that ends while the first still asks.
    let (left, right) = (world.gateway(), world.gateway());
    let mut first = Recovery::new(&left);
    let mut second = Recovery::new(&right);
    world.clock.jump(minutes(1));
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
        .has_learned(&opened, &pending(&opened), world.now())
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
    world.pass(Duration::from_hours(24)).await;
    recovery.sweep().await.unwrap();
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
        let news = takeover(&opened);
        world.stores.has_learned(&opened, &news, world.now()).await;
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
        let news = takeover(&opened);
        world.stores.has_learned(&opened, &news, world.now()).await;
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
    world.provider.on_submit(Reply::accept());
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
    world
        .weather
        .befall(1, super::support::weather::Mishap::RequestLost);
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

#[test]
fn a_clock_that_is_set_back_never_shortens_the_quarantine() {
    outside(async {
        let world = World::new().await;
        let gateway = world.gateway();
        a_lost_request(&gateway, &world).await;
        let mut recovery = Recovery::new(&gateway);
        world.pass(minutes(12)).await;
        recovery.sweep().await.unwrap();
        assert_eq!(sightings(&world.stored("order-1").await), 1);
        world.wall.set_back(Duration::from_hours(1));
        let now = world.now();
        for _ in 0..8 {
            // Made due by force: what matters is what is counted.
            world.stores.leases.reclaim_orphans(now).await.unwrap();
            world.pass(minutes(2)).await;
            recovery.sweep().await.unwrap();
        }
        assert_eq!(sightings(&world.stored("order-1").await), 1);
        world.weather.set_reads(Reads::Work);
        world.is_right().await;
    });
}

#[tokio::test]
async fn a_worker_that_is_told_to_stop_stops_at_once() {
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
    world
        .weather
        .befall(1, super::support::weather::Mishap::RequestLost);
    let worker = Worker::start(&world.gateway());
    world.pass(minutes(1) + seconds(1)).await;
    assert!(matches!(
        world.stored("order-1").await.state,
        State::InDoubt(_)
    ));
    worker.stop().await;
}
