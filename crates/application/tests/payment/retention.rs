//! Meter tokens are erased as late as the operator says, and never where nothing was said; requests
//! are forgotten after a month, and incoming messages after three.

use application::retention::Retention;
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::PortError;
use ports::retention::RetentionStore;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::START;
use testkit::clock::ManualClock;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const DAY: Duration = Duration::from_hours(24);

mockall::mock! {
    #[derive(Debug)]
    Tokens {}

    #[async_trait]
    impl RetentionStore for Tokens {
        async fn erase_tokens(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;
        async fn forget_requests(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;
        async fn forget_incoming(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;
        async fn forget_excess_incoming(&self, kept: u32, most: u32) -> Result<u64, PortError>;
    }
}

/// A store without incoming messages.
fn store() -> MockTokens {
    let mut store = MockTokens::new();
    store.expect_forget_incoming().returning(|_, _| Ok(0));
    store
        .expect_forget_excess_incoming()
        .returning(|_, _| Ok(0));
    store
}

/// Keeps tokens for a time, or for ever, for a second.
async fn keep(store: MockTokens, kept: Option<Duration>) {
    let clock = Arc::new(ManualClock::at(START));
    let stop = CancellationToken::new();
    let retention = Retention::new(Arc::new(store), clock.clone(), kept);
    let mut running = JoinSet::new();
    running.spawn(retention.run(stop.clone()));
    for _ in 0..10 {
        clock.advance(Duration::from_millis(100)).await;
    }
    stop.cancel();
    running.join_all().await;
}

#[tokio::test]
async fn tokens_are_kept_unless_a_time_is_set() {
    let mut store = store();
    store.expect_forget_requests().returning(|_, _| Ok(0));
    // Any call of the other panics.
    keep(store, None).await;
}

#[tokio::test]
async fn tokens_that_are_older_than_the_time_that_is_set_are_erased_to_the_last() {
    let mut store = store();
    store.expect_forget_requests().returning(|_, _| Ok(0));
    let mut left = 501_u64;
    let erase = store.expect_erase_tokens().times(3);
    let (begun, ended) = (START, START.plus(Duration::from_secs(1)));
    erase
        .withf(move |before, _| (begun..=ended).contains(&before.plus(90 * DAY)))
        .returning(move |_, most| {
            let erased = left.min(most.into());
            left -= erased;
            Ok(erased)
        });
    keep(store, Some(90 * DAY)).await;
}

#[tokio::test]
async fn requests_that_are_older_than_a_month_are_forgotten_to_the_last() {
    let mut store = store();
    let mut left = 501_u64;
    let forget = store.expect_forget_requests().times(3);
    let (begun, ended) = (START, START.plus(Duration::from_secs(1)));
    forget
        .withf(move |before, _| (begun..=ended).contains(&before.plus(30 * DAY)))
        .returning(move |_, most| {
            let forgotten = left.min(most.into());
            left -= forgotten;
            Ok(forgotten)
        });
    keep(store, None).await;
}

#[tokio::test]
async fn messages_that_are_older_than_three_months_or_too_many_are_forgotten_to_the_last() {
    let mut store = MockTokens::new();
    store.expect_forget_requests().returning(|_, _| Ok(0));
    let (begun, ended) = (START, START.plus(Duration::from_secs(1)));
    let mut old = 501_u64;
    store
        .expect_forget_incoming()
        .withf(move |before, _| (begun..=ended).contains(&before.plus(90 * DAY)))
        .returning(move |_, most| {
            let forgotten = old.min(most.into());
            old -= forgotten;
            Ok(forgotten)
        });
    let mut excess = vec![1_u64, 1];
    store
        .expect_forget_excess_incoming()
        .withf(|kept, _| *kept == 100_000)
        .times(3)
        .returning(move |_, _| Ok(excess.pop().unwrap_or(0)));
    keep(store, None).await;
}
