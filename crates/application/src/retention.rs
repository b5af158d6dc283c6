//! Forgets what is kept for a time only, a few at a time: requests in the log, incoming messages,
//! and meter tokens once they are as old as the operator keeps them. It must erase no token unless
//! a time was set.

use crate::incoming;
use crate::request_log::KEPT_FOR;
use ports::clock::Clock;
use ports::retention;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it is looked for what is too old.
const EVERY: Duration = Duration::from_hours(1);

/// How many are erased at a time: a commit that no payment notices.
const MOST: u32 = 500;

/// The pause in between: most of the store's time is left to payments.
const PAUSE: Duration = Duration::from_millis(100);

/// The worker that erases.
#[derive(Debug)]
pub struct Retention {
    store: Arc<dyn retention::RetentionStore>,
    clock: Arc<dyn Clock>,
    meter_tokens: Option<Duration>,
}

impl Retention {
    /// Over a store; tokens are kept for ever unless it is said how long.
    pub fn new(
        store: Arc<dyn retention::RetentionStore>,
        clock: Arc<dyn Clock>,
        meter_tokens: Option<Duration>,
    ) -> Self {
        Self {
            store,
            clock,
            meter_tokens,
        }
    }

    /// Erases now and then, until it is stopped.
    pub async fn run(self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let pause = self
                .forget_requests()
                .await
                .min(self.forget_incoming().await);
            let pause = match self.meter_tokens {
                Some(kept) => self.erase(kept).await.min(pause),
                None => pause,
            };
            tokio::select! {
                () = self.clock.sleep(pause) => {}
                () = stop.cancelled() => {}
            }
        }
    }

    /// Erases tokens once, and answers when to go on.
    async fn erase(&self, kept: Duration) -> Duration {
        let before = self.clock.now().minus(kept);
        match self.store.erase_tokens(before, MOST).await {
            Ok(0) => EVERY,
            Ok(count) => {
                tracing::info!(count, "old meter tokens were erased");
                PAUSE
            }
            Err(error) => {
                tracing::warn!(%error, "old meter tokens could not be erased");
                EVERY
            }
        }
    }

    /// Forgets incoming messages once, and answers when to go on.
    async fn forget_incoming(&self) -> Duration {
        let before = self.clock.now().minus(incoming::KEPT_FOR);
        match self.store.forget_incoming(before, MOST).await {
            Ok(0) => {}
            Ok(count) => {
                tracing::debug!(count, "old incoming messages were forgotten");
                return PAUSE;
            }
            Err(error) => {
                tracing::warn!(%error, "old incoming messages could not be forgotten");
                return EVERY;
            }
        }
        // The accounts are only counted once nothing is old.
        let excess = self.store.forget_excess_incoming(incoming::KEPT_MAX, MOST);
        match excess.await {
            Ok(0) => EVERY,
            Ok(count) => {
                tracing::debug!(count, "incoming messages over the most were forgotten");
                PAUSE
            }
            Err(error) => {
                tracing::warn!(%error, "too many incoming messages could not be forgotten");
                EVERY
            }
        }
    }

    /// Forgets requests once, and answers when to go on.
    async fn forget_requests(&self) -> Duration {
        let before = self.clock.now().minus(KEPT_FOR);
        match self.store.forget_requests(before, MOST).await {
            Ok(0) => EVERY,
            Ok(count) => {
                tracing::debug!(count, "old requests were forgotten");
                PAUSE
            }
            Err(error) => {
                tracing::warn!(%error, "old requests could not be forgotten");
                EVERY
            }
        }
    }
}
