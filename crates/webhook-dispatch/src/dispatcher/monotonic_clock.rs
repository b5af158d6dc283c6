//! Moments by which a dispatcher measures how long something lasts. They must never be given to the
//! store or to an endpoint, which see the wall clock.

use domain::time::Timestamp;
use ports::clock::Clock;
use std::sync::Arc;

/// The wall clock as it was at the start, and the uptime since: no setting of the clock changes it.
#[derive(Debug, Clone)]
pub(super) struct DispatchClock {
    clock: Arc<dyn Clock>,
    /// What the wall clock would have shown at an uptime of zero.
    zero: Timestamp,
}

impl DispatchClock {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        let zero = clock.now().minus(clock.uptime());
        Self { clock, zero }
    }

    /// The present moment.
    pub(super) fn now(&self) -> Timestamp {
        self.zero.plus(self.clock.uptime())
    }
}
