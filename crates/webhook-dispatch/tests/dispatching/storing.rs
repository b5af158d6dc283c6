//! What becomes of results where the store fails, where a dispatcher stops, and after a month.

use crate::world::{DispatchWorld, SHOP, ScriptedAnswer, is_new};
use domain::webhook::{Delivery, DeliveryState};
use ports::clock::Clock;
use ports::webhooks::{Outbox, Replay, ReplayOf, Replayed};
use std::num::NonZeroU32;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use testkit::builders::{account_id, delivery_id};
use testkit::clock::settle;

const SECOND: Duration = Duration::from_secs(1);

async fn all_delivered(world: &DispatchWorld) -> bool {
    let deliveries = world.deliveries().await;
    let is_made = |state| matches!(state, DeliveryState::Delivered(_));
    deliveries
        .iter()
        .all(|(delivery, _)| is_made(delivery.state))
}

async fn new_events(world: &DispatchWorld) -> Vec<Delivery> {
    let deliveries = world.deliveries().await.into_iter();
    let all = deliveries.map(|(delivery, _)| delivery);
    all.filter(|it| is_new(&it.event)).collect()
}

#[tokio::test]
async fn a_result_that_cannot_be_recorded_at_first_is_recorded_later() {
    let mut world = DispatchWorld::with(1).await;
    world.new_events(1, 1..20).await;
    world.outbox.records.store(3, SeqCst);
    world.start().await;
    world.pass(5 * SECOND).await;
    assert!(all_delivered(&world).await);
    assert_eq!(world.begun().len(), 19);
}

#[tokio::test]
async fn what_could_not_be_recorded_at_all_is_delivered_again_and_is_the_same() {
    let mut world = DispatchWorld::with(1).await;
    world.new_events(1, 1..20).await;
    world.outbox.records.store(4, SeqCst);
    world.start().await;
    world.pass(30 * SECOND).await;
    assert_eq!(world.begun().len(), 19);
    world.pass(31 * SECOND).await;
    assert!(all_delivered(&world).await);
    let mut requests: Vec<_> = world
        .begun()
        .into_iter()
        .map(|begun| (begun.request.id, begun.request.body))
        .collect();
    requests.sort();
    assert_eq!(requests.len(), 38);
    for twice in requests.chunks(2) {
        assert_eq!(twice[0], twice[1]);
    }
}

#[tokio::test]
async fn what_was_recorded_though_it_seemed_to_fail_is_not_delivered_again() {
    let mut world = DispatchWorld::with(1).await;
    world.new_events(1, 1..20).await;
    world.outbox.answers.store(2, SeqCst);
    world.start().await;
    world.pass(Duration::from_mins(2)).await;
    assert!(all_delivered(&world).await);
    assert_eq!(world.begun().len(), 19);
}

#[tokio::test]
async fn what_is_asked_for_again_while_it_is_under_way_is_delivered_again() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(5 * SECOND, 200));
    world.new_events(1, 1..2).await;
    world.start().await;
    world.pass(SECOND).await;
    let again = Replay {
        what: ReplayOf::One(delivery_id(&new_events(&world).await[0])),
        most: 1,
        now: world.now(),
    };
    let replayed = world.store.replay(&account_id(SHOP), &again).await;
    assert_eq!(replayed.unwrap(), Replayed::Done(1));
    world.pass(SECOND).await;
    assert_eq!(world.begun().len(), 2);
    // The first is taken by now, but it is not the one that was asked for.
    world.pass(3 * SECOND + SECOND / 2).await;
    assert!(!all_delivered(&world).await);
    world.pass(2 * SECOND).await;
    let deliveries = world.deliveries().await;
    let (delivery, attempts) = &deliveries[0];
    assert!(matches!(delivery.state, DeliveryState::Delivered(_)));
    assert_eq!((delivery.attempts, attempts.len()), (1, 2));
    assert_eq!(world.begun().len(), 2);
}

#[tokio::test]
async fn a_store_that_was_away_is_asked_again() {
    let mut world = DispatchWorld::with(1).await;
    world.outbox.claims.store(10, SeqCst);
    world.new_events(1, 1..20).await;
    world.start().await;
    world.pass(9 * SECOND).await;
    assert_eq!(world.begun().len(), 0);
    assert_eq!(world.outbox.claimed.load(SeqCst), 10);
    world.pass(2 * SECOND).await;
    assert!(all_delivered(&world).await);
}

#[tokio::test]
async fn what_is_under_way_is_finished_and_recorded_before_it_stops() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(SECOND, 200));
    world.new_events(1, 1..20).await;
    world.start().await;
    world.stop.cancel();
    settle().await;
    assert!(!world.ended());
    world.new_events(1, 20..30).await;
    world.pass(4 * SECOND + SECOND / 2).await;
    assert!(world.ended());
    // What was claimed is delivered; what came after is left to another dispatcher.
    assert_eq!(world.begun().len(), 19);
    let deliveries = world.deliveries().await;
    let tried = deliveries
        .iter()
        .filter(|(delivery, _)| delivery.attempts == 1);
    assert_eq!(tried.count(), 19);
}

#[tokio::test]
async fn what_would_take_too_long_is_left_to_its_lease_when_it_stops() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(4 * SECOND, 200));
    world.new_events(1, 1..60).await;
    world.start().await;
    world.stop.cancel();
    world.pass(9 * SECOND).await;
    assert!(world.ended());
    assert_eq!(world.begun().len(), 6);
}

#[tokio::test]
async fn what_one_that_died_had_begun_is_delivered_by_another_when_its_lease_ends() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(SECOND, 200));
    world.new_events(1, 1..20).await;
    world.start().await;
    world.pass(2 * SECOND).await;
    let begun = world.begun().len();
    assert!((1..19).contains(&begun), "{begun}");
    world.kill().await;
    world.start().await;
    world.pass(50 * SECOND).await;
    assert_eq!(world.begun().len(), begun);
    world.pass(20 * SECOND).await;
    assert!(all_delivered(&world).await);
    // What was on its way when it died, and what was not recorded yet, went out twice.
    let again = world.begun().len() - 19;
    assert!((1..=begun).contains(&again), "{again}");
}

#[tokio::test]
async fn who_has_nothing_to_do_stops_at_once() {
    let mut world = DispatchWorld::with(1).await;
    world.start().await;
    world.stop.cancel();
    settle().await;
    assert!(world.ended());
}

#[tokio::test]
async fn several_dispatchers_share_the_work() {
    let mut world = DispatchWorld::with(5).await;
    for endpoint in 1..=5 {
        world.does(endpoint, ScriptedAnswer::SaysAfter(SECOND / 10, 200));
        world.new_events(endpoint, 1..100).await;
    }
    for _ in 0..3 {
        world.start().await;
    }
    world.pass(30 * SECOND).await;
    assert!(all_delivered(&world).await);
    assert_eq!(world.begun().len(), 5 * 99);
}

#[tokio::test]
async fn what_was_delivered_is_forgotten_after_a_month_and_what_was_not_never() {
    let mut world = DispatchWorld::with(2).await;
    world.does(2, ScriptedAnswer::Says(500));
    world.new_events(1, 1..1200).await;
    world.new_events(2, 1..2).await;
    world.start().await;
    world.pass(30 * SECOND).await;
    world.stop.cancel();
    world.pass(SECOND).await;
    world.clock.suspend(Duration::from_hours(30 * 24 - 1));
    world.stop = tokio_util::sync::CancellationToken::new();
    world.start().await;
    world.pass(SECOND).await;
    assert_eq!(new_events(&world).await.len(), 1200);
    world.clock.suspend(Duration::from_hours(2));
    world.pass(SECOND).await;
    let left = new_events(&world).await;
    assert_eq!(left.len(), 1);
    assert!(!matches!(left[0].state, DeliveryState::Delivered(_)));
}

#[tokio::test]
async fn beyond_the_quota_the_oldest_are_forgotten_within_an_hour() {
    let mut world = DispatchWorld::with(1).await;
    world.deliveries_max = NonZeroU32::new(200).unwrap();
    world.does(1, ScriptedAnswer::Says(500));
    let begin = world.clock.now();
    for n in 1..=1_400 {
        let moment = begin.plus(Duration::from_millis(n));
        world.observation_at(moment, n..n + 1).await;
    }
    world.start().await;
    world.pass(5 * SECOND).await;
    let left = new_events(&world).await;
    assert_eq!(left.len(), 200);
    assert_eq!(left[0].event.id.as_str(), "evt_1201");

    for n in 1_401..=1_410 {
        let moment = begin.plus(Duration::from_millis(n));
        world.observation_at(moment, n..n + 1).await;
    }
    world.pass(60 * SECOND).await;
    assert_eq!(new_events(&world).await.len(), 210);
    world.clock.suspend(Duration::from_hours(1));
    world.pass(SECOND).await;
    assert_eq!(new_events(&world).await.len(), 200);
}
