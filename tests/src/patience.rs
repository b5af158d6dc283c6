//! Waiting for what another process does. It must not wait a fixed time: it looks again until the
//! thing is there or a deadline says that it never will be.

use domain::time::Timestamp;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The pause between two looks: short against anything a process does, long against the look.
const PAUSE: Duration = Duration::from_millis(20);

/// A moment after which waiting is given up.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(tokio::time::Instant);

impl Deadline {
    /// So long from now.
    #[must_use]
    pub fn after(duration: Duration) -> Self {
        Self(now() + duration)
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_over(self) -> bool {
        now() >= self.0
    }
}

/// How long something took.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(tokio::time::Instant);

impl Stopwatch {
    #[must_use]
    pub fn start() -> Self {
        Self(now())
    }

    #[must_use]
    pub fn elapsed(self) -> Duration {
        now() - self.0
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "other processes live in real time: this is the one clock of the suites"
)]
fn now() -> tokio::time::Instant {
    tokio::time::Instant::now()
}

/// The time since the machine started, which no setting of a clock changes.
///
/// # Panics
/// Never: an uptime is not negative.
#[must_use]
pub fn uptime() -> Duration {
    let uptime = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Duration::try_from(uptime).expect("an uptime is not negative")
}

/// The time of day, which every process on this machine shares.
#[expect(
    clippy::disallowed_methods,
    reason = "events say when they happened by the time of day"
)]
#[must_use]
pub fn time_of_day() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock after 1970");
    Timestamp::from_millis(i64::try_from(since.as_millis()).expect("a clock before the year 9999"))
}

/// The pause between two looks.
pub async fn pause() {
    tokio::time::sleep(PAUSE).await;
}

/// Looks until there is something, and panics with `what` when there never is.
pub async fn eventually<T>(
    what: &str,
    within: Duration,
    mut look: impl AsyncFnMut() -> Option<T>,
) -> T {
    let deadline = Deadline::after(within);
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(!deadline.is_over(), "not within {within:?}: {what}");
        pause().await;
    }
}
