//! Time as the core sees it: asked for, so that tests can set it. Whether something may still be
//! done must never be decided by the wall clock, which can be set.

use async_trait::async_trait;
use domain::time::Timestamp;
use std::time::Duration;

/// The time, and waiting.
#[async_trait]
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present moment by the wall clock. It may stand still or be set; it must never be used to
    /// measure performance.
    fn now(&self) -> Timestamp;

    /// The time since a fixed moment. It never decreases, no setting of the clock changes it, and
    /// it goes on while the process is stopped and while the machine is suspended.
    fn uptime(&self) -> Duration;

    /// How much of [`Self::uptime`] the machine was suspended; zero where that cannot be found out.
    fn suspended(&self) -> Duration;

    /// Returns after a duration of this clock's time.
    async fn sleep(&self, duration: Duration);
}
