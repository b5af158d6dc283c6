//! Endpoints share what there is: no number of bad ones takes the turn of a good one.

use crate::world::{DispatchWorld, ScriptedAnswer, address};
use std::ops::Range;
use std::time::Duration;
use testkit::builders::endpoint;

const SECOND: Duration = Duration::from_secs(1);

/// Within this it is found out that something waits.
const A_LOOK: Duration = Duration::from_millis(270);

/// How late the last of forty trials was delivered to each of twenty endpoints, but for one.
async fn latest(world: &DispatchWorld, first: u64, but: u64) -> Duration {
    let recorded_at = world.now();
    for endpoint in 1..=20 {
        world.new_events(endpoint, first..first + 40).await;
    }
    world.pass(20 * SECOND).await;
    // Since they were found.
    let began = world.begun().into_iter().map(|begun| begun.at);
    let began = began.filter(|at| recorded_at <= *at).min().unwrap();
    let mut latest = Duration::ZERO;
    for endpoint in (1..=20).filter(|endpoint| *endpoint != but) {
        let mut reported = world.begun_to(endpoint);
        reported.retain(|begun| began <= begun.at);
        assert_eq!(reported.len(), 40, "{endpoint}");
        latest = latest.max(reported[39].at.since(began));
    }
    latest
}

#[tokio::test]
async fn one_that_hangs_of_twenty_delays_no_other() {
    let mut world = DispatchWorld::with(20).await;
    for endpoint in 1..=20 {
        world.does(endpoint, ScriptedAnswer::SaysAfter(SECOND / 10, 200));
    }
    world.start().await;
    // Until it is known how they are.
    latest(&world, 1, 0).await;
    let all_well = latest(&world, 1001, 0).await;
    assert!(all_well < SECOND, "{all_well:?}");
    // All twenty at once have nearly all that one may have.
    assert!(world.most_under_way(7) >= 7);
    world.does(7, ScriptedAnswer::Hangs);
    let one_hangs = latest(&world, 2001, 7).await;
    assert!(one_hangs <= all_well, "{one_hangs:?} and {all_well:?}");
    let but_it = latest(&world, 3001, 7).await;
    assert!(but_it <= all_well, "{but_it:?} and {all_well:?}");
}

#[tokio::test]
async fn no_endpoint_has_more_than_eight_under_way_and_all_together_no_more_than_256() {
    let mut world = DispatchWorld::with(20).await;
    for endpoint in 1..=20 {
        world.does(endpoint, ScriptedAnswer::Hangs);
        world.new_events(endpoint, 1..20).await;
    }
    others_hang(&world, 40, 19).await;
    world.start().await;
    world.pass(10 * SECOND).await;
    assert_eq!(world.most_under_way(1), 2);
    let all = world.most_under_way_in_all();
    assert!((100..=256).contains(&all), "{all}");
}

#[tokio::test]
async fn who_is_well_is_served_as_soon_as_found_while_hundreds_hang() {
    let mut world = DispatchWorld::with(1).await;
    world.start().await;
    world.new_events(1, 1..2).await;
    world.pass(SECOND).await;
    others_hang(&world, 150, 12).await;
    for round in 1..30 {
        world.new_events(1, 1 + round..2 + round).await;
        world.pass(A_LOOK).await;
        assert_eq!(world.begun_to(1).len() as u64, round + 1);
        world.pass(SECOND).await;
    }
    let most = world.most_under_way_in_all();
    assert!((100..=193).contains(&most), "{most}");
    world.pass(Duration::from_mins(3)).await;
    world.forget_most();
    world.pass(Duration::from_mins(1)).await;
    let most = world.most_under_way_in_all();
    assert!(most <= 64, "{most}");
}

#[tokio::test]
async fn who_is_well_is_served_while_everyone_who_was_well_hangs_at_one_moment() {
    let mut world = DispatchWorld::with(1).await;
    world.start().await;
    others_are(
        &world,
        60,
        &ScriptedAnswer::SaysAfter(SECOND / 10, 200),
        1..40,
    )
    .await;
    world.new_events(1, 1..20).await;
    world.pass(10 * SECOND).await;
    others_are(&world, 60, &ScriptedAnswer::Hangs, 40..80).await;
    for round in 0..10 {
        world.new_events(1, 20 + round..21 + round).await;
        world.pass(SECOND).await;
        let begun = world.begun_to(1);
        assert_eq!(begun.len() as u64, 20 + round);
    }
}

/// Opens other accounts with one endpoint each, all of which hang, and records so many trials for
/// each.
async fn others_hang(world: &DispatchWorld, count: u64, trials: u64) {
    others_are(world, count, &ScriptedAnswer::Hangs, 1..1 + trials).await;
}

/// Records trials for the endpoints of so many other accounts, which all answer alike.
async fn others_are(world: &DispatchWorld, count: u64, does: &ScriptedAnswer, trials: Range<u64>) {
    for n in 0..count {
        let account = format!("shop-{n}");
        world.does_at(address(&account, 1), does.clone());
        if trials.start == 1 {
            world.stores.has_account(&account, "1.00").await;
            world.has(endpoint(&account, 1)).await;
        }
        world.observation_of(&account, 1, trials.clone()).await;
    }
}
