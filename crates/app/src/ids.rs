//! Transaction numbers of this process: the time above, a counter below. They must rise and fit in
//! 53 bits; whether one is unused is for the store to say.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use ports::clock::Clock;
use ports::ids::Ids;

/// 2026-01-01T00:00:00Z: numbers count from here, so that 40 bits of milliseconds last until 2060.
const EPOCH_MS: i64 = 1_767_225_600_000;

/// Bits of the counter: 8,192 numbers a millisecond, far above what one process can open.
const COUNTER_BITS: u32 = 13;

/// The last millisecond that fits above the counter.
const MILLIS_MAX: u64 = (1 << 40) - 1;

/// The counter begins somewhere in its lower half: two processes in one millisecond rarely meet,
/// and at least 4,096 numbers are left in it.
const START_MASK: u64 = (1 << (COUNTER_BITS - 1)) - 1;

/// A source of rising transaction numbers.
#[derive(Debug)]
pub(crate) struct ClockIds {
    clock: Arc<dyn Clock>,
    /// Where the counter of each millisecond begins; at least 1, for 0 is no number.
    start: u64,
    last: AtomicU64,
}

impl ClockIds {
    pub(crate) fn new(clock: Arc<dyn Clock>, chance: [u8; 8]) -> Self {
        Self {
            clock,
            start: (u64::from_le_bytes(chance) & START_MASK).max(1),
            last: AtomicU64::new(0),
        }
    }
}

impl Ids for ClockIds {
    #[expect(
        clippy::expect_used,
        reason = "a port that hands out numbers cannot fail, and this one never does"
    )]
    fn transaction_number(&self) -> TransactionNumber {
        let fresh = numbered(self.clock.now(), self.start);
        let (Ok(last) | Err(last)) =
            self.last
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
                    Some(after(last, fresh))
                });
        let number = after(last, fresh).min(TransactionNumber::MAX);
        // Panic safety: `fresh` is at least 1, so the number is too; `min` holds it at the limit.
        TransactionNumber::try_new(number).expect("a number from 1 to the largest")
    }
}

/// The number a moment stands for.
fn numbered(now: Timestamp, start: u64) -> u64 {
    let millis = now.as_millis().saturating_sub(EPOCH_MS);
    let millis = u64::try_from(millis).unwrap_or(0).min(MILLIS_MAX);
    (millis << COUNTER_BITS) | start
}

/// The number after `last`: the fresh one, unless the clock stood still or went back.
fn after(last: u64, fresh: u64) -> u64 {
    fresh.max(last.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::time::Duration;

    use async_trait::async_trait;
    use proptest::prelude::*;

    use super::*;

    /// A clock that shows what it is told to, and the last moment for ever after.
    #[derive(Debug)]
    struct Scripted(Mutex<Vec<i64>>);

    #[async_trait]
    impl Clock for Scripted {
        fn now(&self) -> Timestamp {
            let mut moments = self.0.lock().unwrap();
            let shown = if moments.len() > 1 {
                moments.remove(0)
            } else {
                moments[0]
            };
            Timestamp::from_millis(shown)
        }

        async fn sleep(&self, _duration: Duration) {}
    }

    fn ids(moments: Vec<i64>, chance: u64) -> ClockIds {
        let clock = Scripted(Mutex::new(moments));
        ClockIds::new(Arc::new(clock), chance.to_le_bytes())
    }

    proptest! {
        #[test]
        fn numbers_rise_whatever_the_clock_does(
            moments in prop::collection::vec(any::<i64>(), 1..50), chance in any::<u64>(),
        ) {
            // Moments after 2060 all share the last millisecond and may run out of counter.
            let moments: Vec<i64> = moments
                .into_iter()
                .map(|moment| moment.min(EPOCH_MS + (1 << 39)))
                .collect();
            let count = moments.len() + 10;
            let ids = ids(moments, chance);
            let drawn: Vec<u64> = (0..count).map(|_| ids.transaction_number().get()).collect();
            prop_assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", drawn);
        }
    }

    #[test]
    fn a_number_tells_the_millisecond_it_was_drawn_in() {
        let ids = ids(vec![EPOCH_MS + 1234], 7);
        assert_eq!(ids.transaction_number().get() >> COUNTER_BITS, 1234);
    }

    #[test]
    fn threads_never_draw_the_same_number() {
        let ids = ids(vec![EPOCH_MS + 1], 0);
        let drawn = std::thread::scope(|scope| {
            let draw = || {
                (0..5000)
                    .map(|_| ids.transaction_number())
                    .collect::<Vec<_>>()
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(draw)).collect();
            let drawn = threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap());
            drawn.collect::<HashSet<_>>()
        });
        assert_eq!(drawn.len(), 20_000);
    }

    #[test]
    fn numbers_stay_within_53_bits_to_the_end_of_time() {
        let ids = ids(vec![i64::MAX], u64::MAX);
        for _ in 0..10_000 {
            assert!(ids.transaction_number().get() <= TransactionNumber::MAX);
        }
    }

    #[test]
    fn a_clock_before_the_epoch_still_gives_numbers() {
        assert_eq!(ids(vec![0], 0).transaction_number().get(), 1);
    }
}
