//! Accounts take turns in the queue: one that has little there does not wait for another's backlog.

use super::support::{World, seconds};
use application::QueueWorker;
use domain::time::Timestamp;
use ports::ledger_store::CommitOutcome;
use std::ops::RangeInclusive;
use testkit::builders::{START, at, batch, payout};
use testkit::provider::ScriptedReply;
use tokio_util::sync::CancellationToken;

/// How many are sent at a time.
const ROUND: usize = 32;

/// A moment that no test comes to.
const FAR: Timestamp = Timestamp::from_millis(START.as_millis() + 86_400_000);

/// Opens a batch of an account, due from a second on.
async fn batched(world: &World, account: &str, (nth, second): (RangeInclusive<u64>, u64)) {
    let items = nth.map(|n| payout().nth(n).priced("1.00").queued(at(second), FAR));
    let opened = world
        .stores
        .commit(batch("run", items).by(account).change());
    assert_eq!(opened.await, CommitOutcome::Done);
}

/// A world in which 600 payments of `shop` are due after a minute, three of `other` a second later,
/// and each takes a second at the provider.
async fn crowded() -> World {
    let world = World::new().await;
    batched(&world, "shop", (1..=600, 60)).await;
    batched(&world, "other", (2_001..=2_003, 61)).await;
    for _ in 0..603 {
        let reply = ScriptedReply::deliver().after(seconds(1));
        world.provider.on_submit(reply);
    }
    world
}

/// How many were sent before each of those of `other`.
fn before_those_of_other(world: &World) -> Vec<usize> {
    let submissions = world.provider.submissions();
    let references = submissions.iter().map(|it| it.reference.as_str());
    let of_other = references.enumerate();
    let of_other = of_other.filter(|(_, reference)| reference.contains("order-200"));
    of_other.map(|(place, _)| place).collect()
}

/// The worker of a gateway works from one second on until another.
async fn work(world: &World, (from, until): (u64, u64)) {
    world.pass(seconds(from)).await;
    let stop = CancellationToken::new();
    let passing = async {
        world.pass(seconds(until - from)).await;
        stop.cancel();
    };
    let worker = QueueWorker::new(&world.gateway());
    tokio::join!(worker.run(stop.clone()), passing);
}

#[tokio::test]
async fn what_is_due_together_is_sent_in_turns() {
    let world = crowded().await;
    work(&world, (62, 63)).await;
    assert_eq!(before_those_of_other(&world), [1, 3, 5]);
    let sent = world.provider.submissions().len();
    assert!(sent <= 2 * ROUND, "{sent}");
    world.is_right().await;
}

#[tokio::test]
async fn what_becomes_due_while_a_backlog_is_sent_goes_with_the_next_rounds() {
    let world = crowded().await;
    work(&world, (0, 63)).await;
    let places = before_those_of_other(&world);
    assert_eq!(places.len(), 3);
    assert!(places.iter().all(|it| *it < 3 * ROUND), "{places:?}");
    world.is_right().await;
}

/// Their payments became due first, and more of them are due than are claimed at a time.
#[tokio::test]
async fn what_becomes_due_while_many_accounts_have_a_backlog_waits_for_one_payment_of_each() {
    let world = World::new().await;
    for n in 0..40 {
        let shop = format!("shop-{n}");
        world.stores.has_account(&shop, "20.00").await;
        batched(&world, &shop, (1..=20, 60)).await;
    }
    batched(&world, "other", (2_001..=2_003, 61)).await;
    for _ in 0..803 {
        let reply = ScriptedReply::deliver().after(seconds(1));
        world.provider.on_submit(reply);
    }
    work(&world, (0, 67)).await;
    // Two rounds until they are claimed; then 40 payments of the others before each.
    let places = before_those_of_other(&world);
    assert_eq!(places.len(), 3);
    let latest = [1, 2, 3].map(|turn| 2 * ROUND + turn * 41);
    assert!(
        places.iter().zip(latest).all(|(it, latest)| *it < latest),
        "{places:?}"
    );
    world.is_right().await;
}

#[tokio::test]
async fn all_of_the_backlog_is_sent_once_in_full_rounds() {
    let world = crowded().await;
    work(&world, (62, 62 + 19)).await;
    // 603 payments are 19 rounds of a second each.
    assert_eq!(world.provider.submissions().len(), 603);
    assert_eq!(world.wallet().await.1, 0);
    world.is_right().await;
}
