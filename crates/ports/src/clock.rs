//! Time as the core sees it: asked for, so that tests can set it.

use async_trait::async_trait;
use domain::time::Timestamp;
use std::time::Duration;

/// The time, and waiting.
#[async_trait]
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present moment. It may stand still but must never be used to measure performance.
    fn now(&self) -> Timestamp;

    /// Returns after a duration of this clock's time.
    async fn sleep(&self, duration: Duration);
}
