//! The clocks of the machine. It is the only place that may ask the machine what time it is.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use domain::time::Timestamp;
use ports::clock::Clock;
use rustix::time::{ClockId, clock_gettime};

/// What goes on while the machine is suspended, where the system counts that.
#[cfg(target_os = "linux")]
const UPTIME: ClockId = ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const UPTIME: ClockId = ClockId::Monotonic;

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
        // A machine set before 1970 has no usable time; the epoch makes that visible.
        let millis = since_epoch.unwrap_or_default().as_millis();
        Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
    }

    fn uptime(&self) -> Duration {
        read(UPTIME)
    }

    fn suspended(&self) -> Duration {
        // In this order, so that what passes in between is never taken for a suspension.
        let uptime = self.uptime();
        uptime.saturating_sub(read(ClockId::Monotonic))
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

fn read(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    // Neither clock is ever negative, and a second has fewer nanoseconds than fit.
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanos = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uptime_never_decreases_and_no_suspension_is_made_up() {
        let clock = SystemClock;
        let (mut before, suspended) = (clock.uptime(), clock.suspended());
        for _ in 0..1_000 {
            let now = clock.uptime();
            assert!(now >= before && !now.is_zero());
            before = now;
        }
        let more = clock.suspended().saturating_sub(suspended);
        assert!(more < Duration::from_millis(100), "{more:?}");
    }
}
