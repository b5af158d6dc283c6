//! How long a check took. The one place in this crate that reads a clock; it must not be used to
//! judge a check, only to report it.

use std::time::{Duration, Instant};

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
