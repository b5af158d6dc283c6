//! Meter tokens are erased as late as the operator says, and never where nothing was said.

use application::retention::Retention;
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::PortError;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::START;
use testkit::clock::ManualClock;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const DAY: Duration = Duration::from_hours(24);

/// A store that has as many tokens to erase as it was made with, and notes what it is asked for.
#[derive(Debug)]
struct Tokens {
    left: Mutex<u64>,
    asked: Mutex<Vec<Timestamp>>,
}

#[async_trait]
impl ports::retention::RetentionStore for Tokens {
    async fn erase_tokens(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        self.asked.lock().unwrap().push(before);
        let mut left = self.left.lock().unwrap();
        let erased = (*left).min(most.into());
        *left -= erased;
        Ok(erased)
    }
}

/// What a store of 501 tokens is asked for within a second.
async fn asked(kept: Option<Duration>) -> (Vec<Timestamp>, u64) {
    let store = Arc::new(Tokens {
        left: Mutex::new(501),
        asked: Mutex::default(),
    });
    let clock = Arc::new(ManualClock::at(START));
    let stop = CancellationToken::new();
    let retention = Retention::new(store.clone(), clock.clone(), kept);
    let mut running = JoinSet::new();
    running.spawn(retention.run(stop.clone()));
    for _ in 0..10 {
        clock.advance(Duration::from_millis(100)).await;
    }
    stop.cancel();
    running.join_all().await;
    let asked = store.asked.lock().unwrap().clone();
    (asked, *store.left.lock().unwrap())
}

#[tokio::test]
async fn tokens_are_kept_unless_a_time_is_set() {
    assert_eq!(asked(None).await, (vec![], 501));
}

#[tokio::test]
async fn tokens_that_are_older_than_the_time_that_is_set_are_erased_to_the_last() {
    let (asked, left) = asked(Some(90 * DAY)).await;
    assert_eq!(left, 0);
    assert_eq!(asked[0], START.minus(90 * DAY));
}
