//! Endpoints that do not accept their deliveries.

use crate::world::{DispatchWorld, ScriptedAnswer};
use domain::webhook::{ATTEMPTS_MAX, DeliveryState};
use std::time::Duration;
use testkit::clock::START;

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_delivery_is_tried_ten_times_and_then_left_to_the_merchant() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::Says(500));
    world.new_events(1, 1..2).await;
    world.start().await;
    while world.begun().len() < usize::from(ATTEMPTS_MAX) {
        let before = world.begun().len();
        world.pass(SECOND).await;
        let (delivery, attempts) = world.deliveries().await.remove(0);
        assert_eq!(usize::from(delivery.attempts), attempts.len());
        if let DeliveryState::Due(at) = delivery.state {
            // Constant polling until then finds nothing.
            assert_eq!(world.begun().len(), attempts.len());
            world.clock.suspend(at.since(world.now()));
            world.pass(Duration::from_millis(600)).await;
        }
        assert!(world.begun().len() > before, "{before}");
    }
    world.pass(SECOND).await;
    world.clock.suspend(Duration::from_hours(100));
    world.pass(SECOND).await;
    let (delivery, attempts) = world.deliveries().await.remove(0);
    assert!(matches!(delivery.state, DeliveryState::Parked(_)));
    assert_eq!(attempts.len(), usize::from(ATTEMPTS_MAX));
    let three_days = START.plus(Duration::from_hours(60))..START.plus(Duration::from_hours(95));
    assert!(three_days.contains(&attempts[9].at), "{:?}", attempts[9].at);
}

#[tokio::test]
async fn who_failed_five_times_in_a_row_is_tried_by_one_delivery_at_a_time() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::SaysAfter(SECOND, 500));
    world.new_events(1, 1..200).await;
    world.start().await;
    world.pass(3 * SECOND).await;
    assert_eq!(world.most_under_way(1), 2);
    world.forget_most();
    let before = world.begun().len();
    assert_eq!(before, 6);
    world.pass(Duration::from_mins(4)).await;
    assert_eq!(world.most_under_way(1), 1);
    // Every half a minute in the end, not all the time.
    let trials = world.begun().len() - before;
    assert!((5..=12).contains(&trials), "{trials}");
}

#[tokio::test]
async fn who_takes_deliveries_again_gets_all_that_waited_and_soon() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::Says(500));
    world.new_events(1, 1..200).await;
    world.start().await;
    world.pass(Duration::from_mins(2)).await;
    let failed = world.begun().len();
    assert!(failed < 20, "{failed}");
    world.does(1, ScriptedAnswer::SaysAfter(SECOND / 10, 200));
    world.forget_most();
    world.pass(Duration::from_secs(100)).await;
    assert_eq!(world.most_under_way(1), 8);
    let taken = world.begun().len() - failed;
    assert!(taken > 199 - failed, "{taken}");
}

#[tokio::test]
async fn who_asks_to_be_left_alone_is_tried_no_sooner() {
    let mut world = DispatchWorld::with(1).await;
    world.does(1, ScriptedAnswer::IsBusy(Duration::from_hours(3)));
    world.new_events(1, 1..200).await;
    world.start().await;
    world.pass(SECOND).await;
    // What was under way when it said so.
    assert_eq!(world.begun().len(), 2);
    world.clock.suspend(Duration::from_hours(2));
    world.pass(Duration::from_mins(2)).await;
    assert_eq!(world.begun().len(), 2);
    // But for what its merchant asks for and waits to see.
    world.does(1, ScriptedAnswer::Says(500));
    world.trial(1, 900).await;
    world.pass(SECOND).await;
    assert_eq!(world.reported(1)[2..], ["evt_900"]);
    world.pass(Duration::from_mins(2)).await;
    assert_eq!(world.begun().len(), 3);
    world.does(1, ScriptedAnswer::Says(200));
    world.clock.suspend(Duration::from_hours(1));
    world.pass(30 * SECOND).await;
    assert_eq!(world.begun().len(), 203);
}

#[tokio::test]
async fn what_was_recorded_by_a_clock_that_was_ahead_is_delivered_once_it_is_right() {
    let mut world = DispatchWorld::with(1).await;
    world
        .observation_at(START.plus(Duration::from_hours(30 * 24)), 1..4)
        .await;
    world.start().await;
    world.pass(2 * SECOND).await;
    assert_eq!(world.begun().len(), 0);
    world.pass(Duration::from_mins(2)).await;
    assert_eq!(world.begun().len(), 3);
}
