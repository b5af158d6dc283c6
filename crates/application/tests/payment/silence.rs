//! Silence, and how it is read: late, often enough, far enough apart, and never once the provider
//! has said that it has the payment.

use super::support::process::outside;
use super::support::request::{Request, Worker};
use super::support::{BALANCE, World, minutes};
use application::recovery::Recovery;
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::{Doubt, InDoubt, Proof, State, Status, Transaction};
use ports::clock::Clock as _;
use std::time::Duration;
use testkit::clock::settle;
use testkit::provider::{QueryReply, ScriptedReply};

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
    let lost = ScriptedReply::request_lost(UnknownCause::Timeout);
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
async fn frequent_queries_do_not_prove_absence_sooner() {
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
async fn silence_speaks_of_the_moment_of_the_question_however_late_the_answer_is() {
    let world = World::new().await;
    let gateway = world.gateway();
    a_lost_request(&gateway, &world).await;
    // Asked while nothing counts, answered when it would.
    world.pass(Duration::from_secs(10 * 60 - 15)).await;
    let slow = QueryReply::say(QueryOutcome::NotFound).after(Duration::from_secs(20));
    let asked_before = world.provider.queries().len();
    world.provider.on_query(slow);
    let worker = Worker::start(&gateway);
    world.pass(Duration::from_millis(20_100)).await;
    worker.stop().await;
    let stored = world.stored("order-1").await;
    assert_eq!(world.provider.queries().len(), asked_before + 1);
    assert_eq!(
        usize::try_from(in_doubt(&stored).checks),
        Ok(asked_before + 1)
    );
    assert_eq!(sightings(&stored), 0);
    world.is_right().await;
}

#[tokio::test]
async fn a_sighting_is_of_the_moment_of_its_question() {
    let world = World::new().await;
    let gateway = world.gateway();
    a_lost_request(&gateway, &world).await;
    let takes = Duration::from_secs(20);
    for _ in 0..100 {
        let slow = QueryReply::say(QueryOutcome::NotFound).after(takes);
        world.provider.on_query(slow);
    }
    let worker = Worker::start(&gateway);
    let mut seconds = 0;
    while sightings(&world.stored("order-1").await) == 0 {
        assert!(seconds < 20 * 60, "nothing counted in twenty minutes");
        world.pass(Duration::from_secs(1)).await;
        seconds += 1;
    }
    worker.stop().await;
    let stored = world.stored("order-1").await;
    let Doubt::Unanswered { absence, .. } = in_doubt(&stored).doubt else {
        panic!("{stored:?}");
    };
    let first = absence.unwrap().first;
    assert!(first.since(stored.opened_at) >= minutes(10), "{first:?}");
    assert!(world.now().since(first) >= takes, "{first:?}");
}

#[tokio::test]
async fn what_the_provider_acknowledged_is_never_taken_for_absent() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    settle().await;
    request.hang_up();
    for _ in 0..200 {
        world
            .provider
            .on_query(QueryReply::say(QueryOutcome::NotFound));
    }
    let worker = Worker::start(&gateway);
    world.pass(minutes(60)).await;
    worker.stop().await;
    let doubt = in_doubt(&world.stored("order-1").await).doubt;
    assert_eq!(doubt, Doubt::Acknowledged);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 97_000));
}

#[tokio::test]
async fn what_was_acknowledged_when_asked_is_never_taken_for_absent_either() {
    let world = World::new().await;
    let gateway = world.gateway();
    a_lost_request(&gateway, &world).await;
    world
        .provider
        .on_query(QueryReply::say(QueryOutcome::Pending));
    let worker = Worker::start(&gateway);
    world.pass(minutes(20)).await;
    worker.stop().await;
    let doubt = in_doubt(&world.stored("order-1").await).doubt;
    assert_eq!(doubt, Doubt::Acknowledged);
    assert!(world.provider.queries().len() > 20);
}

#[test]
fn a_clock_that_is_set_back_never_shortens_the_quarantine() {
    outside(async {
        let world = World::new().await;
        let gateway = world.gateway();
        a_lost_request(&gateway, &world).await;
        let mut recovery = Recovery::new(&gateway);
        world.follow_up_for(&mut recovery, 10).await;
        assert_eq!(sightings(&world.stored("order-1").await), 1);
        world.wall.set_back(Duration::from_hours(1));
        // Made due at once: what matters is what is counted. The step back counts nothing.
        let (now, leases) = (world.wall.now(), &world.stores.leases);
        assert_eq!(leases.bound_due(now, Duration::ZERO).await.unwrap(), 1);
        recovery.sweep().await.unwrap();
        assert_eq!(sightings(&world.stored("order-1").await), 1);
        // From there on time counts again, as fast as it passes.
        world.follow_up_for(&mut recovery, 1).await;
        assert_eq!(sightings(&world.stored("order-1").await), 2);
        world.is_right().await;
    });
}

#[test]
fn a_clock_that_was_ahead_and_is_set_right_leaves_nothing_waiting() {
    outside(async {
        let world = World::new().await;
        let gateway = world.gateway();
        world.wall.set_forwards(Duration::from_hours(26));
        a_lost_request(&gateway, &world).await;
        world.pass(Duration::from_secs(30)).await;
        world.wall.set_back(Duration::from_hours(26));
        let asked_before = world.provider.queries().len();
        let worker = Worker::start(&gateway);
        world.pass(minutes(5)).await;
        worker.stop().await;
        assert!(world.provider.queries().len() > asked_before + 3);
        world.is_right().await;
    });
}

#[test]
fn a_clock_that_is_set_forwards_ends_no_quarantine() {
    outside(async {
        let world = World::new().await;
        let gateway = world.gateway();
        a_lost_request(&gateway, &world).await;
        let mut recovery = Recovery::new(&gateway);
        world.follow_up_for(&mut recovery, 2).await;
        world.wall.set_forwards(Duration::from_hours(26));
        world.follow_up_for(&mut recovery, 5).await;
        let stored = world.stored("order-1").await;
        assert_eq!(sightings(&stored), 0);
        assert!(in_doubt(&stored).age.elapsed() <= minutes(2 + 2 + 5));
        world.is_right().await;
    });
}
