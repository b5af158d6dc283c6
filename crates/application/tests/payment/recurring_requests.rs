//! Requests for subscriptions: what a retry is answered, and what is refused.

use super::support::recurring::{DAY, daily};
use super::support::{World, merchant, minutes};
use application::recurring::RecurringError;
use application::{ReplayMark, RequestError};
use domain::idempotency::IdempotencyKey;
use domain::recurring::{NewRecurring, OnRunFailure, StartRefusal};
use tokio::task::JoinSet;

#[tokio::test]
async fn the_same_request_is_answered_with_its_subscription() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let wanted = daily(&world, OnRunFailure::Retry, None);
    let key = IdempotencyKey::parse("try-1").unwrap();
    let made = gateway.create_recurring(&shop, &wanted, Some(&key)).await;
    let made = made.unwrap();
    assert_eq!(made.replay, ReplayMark::New);
    for key in [Some(&key), None] {
        let again = gateway.create_recurring(&shop, &wanted, key).await.unwrap();
        assert_eq!(again.replay, ReplayMark::Replayed);
        assert_eq!(again.payment, made.payment);
    }
    let other = NewRecurring {
        on_failure: OnRunFailure::Stop,
        ..wanted.clone()
    };
    let reused = gateway.create_recurring(&shop, &other, Some(&key)).await;
    let is_reused = matches!(
        reused,
        Err(RecurringError::Request(RequestError::KeyReused))
    );
    assert!(is_reused, "{reused:?}");
    let taken = gateway.create_recurring(&shop, &other, None).await;
    assert!(
        matches!(taken, Err(RecurringError::ReferenceTaken(_))),
        "{taken:?}"
    );
}

#[tokio::test]
async fn of_equal_requests_at_once_one_makes_the_subscription() {
    let world = World::new().await;
    let gateway = world.gateway();
    let wanted = daily(&world, OnRunFailure::Retry, None);
    let mut at_once = JoinSet::new();
    for _ in 0..8 {
        let (gateway, wanted) = (gateway.clone(), wanted.clone());
        at_once.spawn(async move {
            gateway
                .create_recurring(&merchant("shop"), &wanted, None)
                .await
        });
    }
    let answers = at_once.join_all().await;
    let new = answers.iter().filter(|it| {
        let made = it.as_ref().unwrap();
        made.replay == ReplayMark::New
    });
    assert_eq!(new.count(), 1);
}

#[tokio::test]
async fn a_start_that_is_over_or_far_ahead_is_refused() {
    let world = World::new().await;
    let gateway = world.gateway();
    for (start, refusal) in [
        (world.now().minus(minutes(16)), StartRefusal::Past),
        (world.now().plus(DAY * 367), StartRefusal::Ahead),
    ] {
        let mut wanted = daily(&world, OnRunFailure::Retry, None);
        wanted.schedule.start = start;
        let refused = gateway
            .create_recurring(&merchant("shop"), &wanted, None)
            .await;
        assert!(
            matches!(&refused, Err(RecurringError::Start(why)) if *why == refusal),
            "{refused:?}"
        );
    }
}
