//! A wall clock that can be set, over a manual clock that runs on. Sleeping must not notice: only
//! what the clock shows changes.

use async_trait::async_trait;
use domain::time::Timestamp;
use ports::clock::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use testkit::clock::ManualClock;

/// The clock of a gateway.
#[derive(Debug)]
pub(crate) struct WallClock {
    running: Arc<ManualClock>,
    millis_behind: AtomicU64,
    millis_ahead: AtomicU64,
}

impl WallClock {
    pub(crate) fn over(running: Arc<ManualClock>) -> Arc<Self> {
        Arc::new(Self {
            running,
            millis_behind: AtomicU64::new(0),
            millis_ahead: AtomicU64::new(0),
        })
    }

    /// Sets it forwards.
    pub(crate) fn set_forwards(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap();
        self.millis_ahead.fetch_add(millis, Ordering::SeqCst);
    }

    /// Sets it back.
    pub(crate) fn set_back(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap();
        self.millis_behind.fetch_add(millis, Ordering::SeqCst);
    }

    /// Sets it forward.
    pub(crate) fn set_forward(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap();
        self.millis_ahead.fetch_add(millis, Ordering::SeqCst);
    }
}

#[async_trait]
impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        let behind = self.millis_behind.load(Ordering::SeqCst);
        let ahead = self.millis_ahead.load(Ordering::SeqCst);
        let now = self.running.now().plus(Duration::from_millis(ahead));
        now.minus(Duration::from_millis(behind))
    }

    fn uptime(&self) -> Duration {
        self.running.uptime()
    }

    fn suspended(&self) -> Duration {
        self.running.suspended()
    }

    async fn sleep(&self, duration: Duration) {
        self.running.sleep(duration).await;
    }
}
