//! The provider's clock. It must never go back, whatever the machine's clock does: a moment that
//! was reported as past stays past.

use domain::time::Timestamp;
use ports::clock::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// A clock that stands still while the machine's clock is behind what it showed before.
#[derive(Debug, Clone)]
pub(crate) struct MonotonicClock {
    clock: Arc<dyn Clock>,
    latest_ms: Arc<AtomicI64>,
}

impl MonotonicClock {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            latest_ms: Arc::new(AtomicI64::new(i64::MIN)),
        }
    }

    /// What time it is; never earlier than any earlier answer.
    pub(crate) fn now(&self) -> Timestamp {
        let now_ms = self.clock.now().as_millis();
        let before_ms = self.latest_ms.fetch_max(now_ms, Ordering::Relaxed);
        Timestamp::from_millis(now_ms.max(before_ms))
    }

    /// Waits that long.
    pub(crate) async fn sleep(&self, duration: Duration) {
        if !duration.is_zero() {
            self.clock.sleep(duration).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;

    #[derive(Debug)]
    struct Jumping(AtomicI64);

    #[async_trait]
    impl Clock for Jumping {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(self.0.load(Ordering::Relaxed))
        }

        fn uptime(&self) -> Duration {
            Duration::ZERO
        }

        fn suspended(&self) -> Duration {
            Duration::ZERO
        }

        async fn sleep(&self, _duration: Duration) {}
    }

    #[test]
    fn time_stands_still_while_the_clock_is_behind() {
        let jumping = Arc::new(Jumping(AtomicI64::new(0)));
        let steady = MonotonicClock::new(jumping.clone());
        let mut shown = Vec::new();
        for set in [100, 40, 90, 101] {
            jumping.0.store(set, Ordering::Relaxed);
            shown.push(steady.now().as_millis());
        }
        assert_eq!(shown, [100, 100, 100, 101]);
    }
}
