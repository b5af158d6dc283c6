//! How long a check took. The one place in this crate that reads clocks; it must not be used to
//! judge a check of CI, only to report it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
pub(crate) struct StepTimer {
    started: Instant,
}

impl StepTimer {
    #[expect(
        clippy::disallowed_methods,
        reason = "no decision rests on this clock: it is printed and forgotten"
    )]
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The time of day in milliseconds since 1970, to compare with what another process on this machine
/// has recorded.
#[expect(
    clippy::disallowed_methods,
    reason = "the proof of a failover measures it, and CI does not run that"
)]
pub(crate) fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default().as_millis();
    u64::try_from(since).unwrap_or(u64::MAX)
}
