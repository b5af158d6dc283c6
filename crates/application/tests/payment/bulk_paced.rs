//! A batch for a provider that takes little at a time: each payment waits for its place and none
//! fails for want of one.

use super::bulk::{ask, bulk, payouts, progress};
use super::support::{World, minutes, seconds};
use application::providers::Providers;
use application::submission_guard::{BreakerLimits, GuardSettings};
use application::{Gateway, QueueWorker};
use domain::order::Service;
use domain::provider::RefusalKind;
use domain::transaction::Status;
use ports::provider::Provider;
use ports::provider_limits::ProviderLimits;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::provider_id;
use testkit::provider::ScriptedReply;
use tokio::task::JoinSet;

const UNLIMITED: GuardSettings = GuardSettings {
    limits: ProviderLimits::NONE,
    breaker: None,
    tranche: None,
};

fn guarded(world: &World, settings: GuardSettings) -> Gateway {
    world.gateway_with(|parts| {
        let routes = Service::delivered().map(|service| {
            let provider: Arc<dyn Provider> = world.network.clone();
            (service, provider)
        });
        let guards = BTreeMap::from([(provider_id("sandbox"), settings)]);
        parts.providers = Providers::new(routes.collect()).guarded_by(guards);
    })
}

fn limited(limits: ProviderLimits) -> GuardSettings {
    GuardSettings {
        limits,
        ..UNLIMITED
    }
}

/// One round after the other while time passes, until all of a batch are successful.
async fn all_are_sent(world: &World, gateway: &Gateway, count: u32) {
    all_are_sent_of(world, gateway, (count, count)).await;
}

/// As many of the batch, and as many submissions in all.
async fn all_are_sent_of(world: &World, gateway: &Gateway, (count, submitted): (u32, u32)) {
    for _ in 0..20 {
        let mut round = JoinSet::new();
        let worker = QueueWorker::new(gateway);
        round.spawn(async move { worker.sweep().await.unwrap() });
        while round.try_join_next().is_none() {
            world.pass(Duration::from_millis(50)).await;
        }
        if progress(world).await.successful == count {
            break;
        }
        world.pass(seconds(61)).await;
    }
    let done = progress(world).await;
    assert_eq!((done.successful, done.failed), (count, 0));
    let sent = world.provider.submissions().len();
    assert_eq!(u32::try_from(sent), Ok(submitted));
    world.is_right().await;
}

#[tokio::test]
async fn none_fails_where_the_provider_takes_one_at_a_time() {
    let world = World::new().await;
    let gateway = guarded(
        &world,
        limited(ProviderLimits {
            max_concurrent: NonZeroU32::new(1),
            ..ProviderLimits::NONE
        }),
    );
    ask(&gateway, bulk(40)).await.unwrap();
    all_are_sent(&world, &gateway, 40).await;
}

#[tokio::test]
async fn none_fails_where_the_provider_takes_few_a_second() {
    let world = World::new().await;
    let gateway = guarded(
        &world,
        limited(ProviderLimits {
            per_second: NonZeroU32::new(2),
            ..ProviderLimits::NONE
        }),
    );
    ask(&gateway, bulk(20)).await.unwrap();
    all_are_sent(&world, &gateway, 20).await;
}

#[tokio::test]
async fn equal_payouts_are_kept_apart_and_none_fails() {
    let world = World::new().await;
    let gateway = guarded(
        &world,
        limited(ProviderLimits {
            lookalike: Some(minutes(2)),
            ..ProviderLimits::NONE
        }),
    );
    ask(&gateway, bulk(3)).await.unwrap();
    all_are_sent(&world, &gateway, 3).await;
}

/// What is queued waits for the end of what keeps a provider from its orders.
#[tokio::test]
async fn a_batch_is_accepted_while_its_provider_is_given_nothing() {
    let world = World::new().await;
    let breaker = BreakerLimits {
        failures: 1,
        of_last: 1,
        open_for: minutes(5),
        trials: 1,
    };
    let gateway = guarded(
        &world,
        GuardSettings {
            breaker: Some(breaker),
            ..UNLIMITED
        },
    );
    let refused = ScriptedReply::decline_for(RefusalKind::Account);
    world.provider.on_submit(refused);
    ask(&gateway, payouts("run-0", 1..=1)).await.unwrap();
    let worker = QueueWorker::new(&gateway);
    worker.sweep().await.unwrap();
    assert_eq!(world.stored("item-1").await.status(), Status::Failed);
    let opened = ask(&gateway, payouts("run-1", 2..=6)).await.unwrap();
    assert_eq!(opened.progress.queued, 5);
    assert_eq!(worker.sweep().await.unwrap(), 5);
    assert_eq!(progress(&world).await.queued, 5);
    world.pass(minutes(6)).await;
    all_are_sent_of(&world, &gateway, (5, 6)).await;
}
