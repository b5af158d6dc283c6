//! How fast the kit sends: no faster than the provider promised to take. A request must not be
//! refused as one too many and be counted as a broken rule.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many requests may be sent when the pace begins to count: a second's worth.
#[derive(Debug, Default)]
pub(crate) struct RequestPace {
    /// From which uptime on all that was sent is within the rate.
    paid_until: Mutex<Duration>,
}

impl RequestPace {
    /// Takes a turn, and says how long to wait for it.
    pub(crate) fn turn(&self, per_second: u32, now: Duration) -> Duration {
        let each = Duration::from_secs(1) / per_second.max(1);
        let mut paid_until = self
            .paid_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = (*paid_until).max(now);
        *paid_until = before.saturating_add(each);
        // A second's worth goes at once.
        let ahead = before.saturating_sub(now).saturating_add(each);
        ahead.saturating_sub(Duration::from_secs(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seconds_worth_goes_at_once_and_then_one_by_one() {
        let (pace, start) = (RequestPace::default(), Duration::from_secs(100));
        for _ in 0..4 {
            assert_eq!(pace.turn(4, start), Duration::ZERO);
        }
        assert_eq!(pace.turn(4, start), Duration::from_millis(250));
        assert_eq!(pace.turn(4, start), Duration::from_millis(500));
        let later = start + Duration::from_secs(10);
        assert_eq!(pace.turn(4, later), Duration::ZERO);
    }
}
