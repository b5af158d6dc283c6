//! The wall clock of the machine. It is the only place that may ask the machine what time it is.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use domain::time::Timestamp;
use ports::clock::Clock;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else is given"
    )]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        // A machine set before 1970 has no time worth telling; the epoch makes that visible.
        let millis = since_epoch.unwrap_or_default().as_millis();
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}
