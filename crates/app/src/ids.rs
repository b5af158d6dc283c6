//! Transaction numbers of this process: the time above, the instance in the middle, a counter
//! below. They must rise and fit in 53 bits, and those of two slots must never be equal; whether
//! one is unused is for the store to say.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use ports::PortError;
use ports::clock::Clock;
use ports::ids::Ids;

use crate::entropy;

/// 2026-01-01T00:00:00Z: numbers count from here, so that 40 bits of milliseconds last until 2060.
const EPOCH_MS: i64 = 1_767_225_600_000;

/// Bits of the counter: 128 numbers a millisecond, far above what one process can open. Where more
/// are drawn, they are those of the next millisecond.
const COUNTER_BITS: u32 = 7;

/// Bits of the slot: 64 instances over one store.
const SLOT_BITS: u32 = 6;

/// What stands below the milliseconds.
const BELOW_BITS: u32 = SLOT_BITS + COUNTER_BITS;

const COUNTER_MAX: u64 = (1 << COUNTER_BITS) - 1;

/// The last millisecond that fits above slot and counter.
const MILLIS_MAX: u64 = (1 << 40) - 1;

/// The slot of this process among the instances over one store. It may change at any time: the
/// store gives each instance a slot of its own, and assigns it again only when the next holder's
/// clock is past the last number drawn in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot(Arc<AtomicU8>);

impl Slot {
    /// The last slot there is; what is above it counts as it.
    const LAST: u8 = (1 << SLOT_BITS) - 1;

    /// The slot that the store sets.
    pub(crate) const fn over(set_elsewhere: Arc<AtomicU8>) -> Self {
        Self(set_elsewhere)
    }

    fn bits(&self) -> u64 {
        u64::from(self.0.load(Ordering::Acquire).min(Self::LAST))
    }
}

/// A source of rising transaction numbers.
#[derive(Debug)]
pub(crate) struct ClockIds {
    clock: Arc<dyn Clock>,
    slot: Slot,
    /// Nothing was drawn where it is 0, which is no number.
    last: AtomicU64,
}

impl ClockIds {
    pub(crate) fn new(clock: Arc<dyn Clock>, slot: Slot) -> Self {
        Self {
            clock,
            slot,
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
        let (millis, slot) = (millis(self.clock.now()), self.slot.bits());
        let next = |last| after(last, millis, slot);
        let (Ok(last) | Err(last)) =
            self.last
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
                    Some(next(last))
                });
        // Panic safety: `after` answers more than a number from 0, and never more than the largest.
        TransactionNumber::try_new(next(last)).expect("a number from 1 to the largest")
    }

    fn secret(&self) -> Result<[u8; 32], PortError> {
        entropy::bytes().map_err(|error| PortError::caused("entropy", "no secret", error))
    }
}

fn millis(now: Timestamp) -> u64 {
    let millis = now.as_millis().saturating_sub(EPOCH_MS);
    u64::try_from(millis).unwrap_or(0).min(MILLIS_MAX)
}

/// The number after `last` in a slot: one of this millisecond, unless the clock stood still or went
/// back. Then the counter goes on, and where it is used up or counted another slot's, the next
/// millisecond begins early: a carry would end in the slot.
fn after(last: u64, millis: u64, slot: u64) -> u64 {
    let (last_millis, below) = (last >> BELOW_BITS, last & ((1 << BELOW_BITS) - 1));
    if millis <= last_millis && below >> COUNTER_BITS == slot && below & COUNTER_MAX < COUNTER_MAX {
        return last.saturating_add(1);
    }
    let millis = millis.max(last_millis.saturating_add(1));
    if millis > MILLIS_MAX {
        // The end of time: the store refuses what was used.
        return TransactionNumber::MAX;
    }
    (millis << BELOW_BITS) | (slot << COUNTER_BITS)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::time::Duration;

    use async_trait::async_trait;
    use proptest::prelude::*;

    use super::*;

    /// A clock that shows given times, and the last one for ever after.
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

        fn uptime(&self) -> Duration {
            Duration::ZERO
        }

        fn suspended(&self) -> Duration {
            Duration::ZERO
        }

        async fn sleep(&self, _duration: Duration) {}
    }

    fn ids(moments: Vec<i64>, slot: u8) -> ClockIds {
        let clock = Scripted(Mutex::new(moments));
        let held = Arc::new(AtomicU8::new(slot));
        ClockIds::new(Arc::new(clock), Slot::over(held))
    }

    fn draw(ids: &ClockIds, count: usize) -> Vec<u64> {
        let drawn = (0..count).map(|_| ids.transaction_number().get());
        drawn.collect()
    }

    fn slot_of(number: u64) -> u64 {
        (number >> COUNTER_BITS) & u64::from(Slot::LAST)
    }

    /// Moments before the epoch and after it, close enough to one another that processes meet;
    /// those after 2060 all share the last millisecond and run out of counter.
    fn moments() -> impl Strategy<Value = Vec<i64>> {
        let moment = prop_oneof![
            EPOCH_MS - 3..EPOCH_MS + 6,
            any::<i64>().prop_map(|moment| moment.min(EPOCH_MS + (1 << 39))),
        ];
        prop::collection::vec(moment, 1..50)
    }

    proptest! {
        #[test]
        fn numbers_rise_whatever_the_clock_does_and_whichever_slot_the_process_takes(
            moments in moments(),
            slots in prop::collection::vec((0..=Slot::LAST, 0..300_usize), 1..5),
        ) {
            let ids = ids(moments, 0);
            let mut drawn = Vec::new();
            for (slot, count) in slots {
                ids.slot.0.store(slot, Ordering::Release);
                let part = draw(&ids, count);
                prop_assert!(part.iter().all(|number| slot_of(*number) == u64::from(slot)));
                drawn.extend(part);
            }
            prop_assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", drawn);
        }

        #[test]
        fn two_slots_never_draw_the_same_number_whatever_their_clocks_do(
            slots in prop::collection::hash_set(0..=Slot::LAST, 2),
            clocks in prop::collection::vec((moments(), 1..600_usize), 2),
        ) {
            let instances = slots.into_iter().zip(clocks);
            let drawn: Vec<u64> = instances
                .flat_map(|(slot, (moments, count))| draw(&ids(moments, slot), count))
                .collect();
            let distinct: HashSet<_> = drawn.iter().collect();
            prop_assert_eq!(distinct.len(), drawn.len());
        }
    }

    #[test]
    fn a_number_contains_the_millisecond_it_was_drawn_in_and_the_slot() {
        let number = ids(vec![EPOCH_MS + 1234], 42).transaction_number().get();
        assert_eq!((number >> BELOW_BITS, slot_of(number)), (1234, 42));
    }

    #[test]
    fn a_counter_that_is_used_up_goes_on_in_the_next_millisecond_with_the_same_slot() {
        let drawn = draw(&ids(vec![EPOCH_MS + 7], 63), 300);
        let millis: Vec<u64> = drawn.iter().map(|number| number >> BELOW_BITS).collect();
        assert_eq!((millis[127], millis[128], millis[256]), (7, 8, 9));
        assert!(drawn.iter().all(|number| slot_of(*number) == 63));
    }

    #[test]
    fn a_slot_there_is_not_counts_as_the_last() {
        let number = ids(vec![EPOCH_MS], 200).transaction_number().get();
        assert_eq!(slot_of(number), 63);
    }

    #[test]
    fn threads_never_draw_the_same_number() {
        let ids = ids(vec![EPOCH_MS + 1], 0);
        let drawn = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| draw(&ids, 5000))).collect();
            let drawn = threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap());
            drawn.collect::<HashSet<_>>()
        });
        assert_eq!(drawn.len(), 20_000);
    }

    #[test]
    fn numbers_stay_within_53_bits_to_the_end_of_time() {
        for slot in [0, 63] {
            for number in draw(&ids(vec![i64::MAX], slot), 1000) {
                assert!(number <= TransactionNumber::MAX);
            }
        }
    }

    #[test]
    fn a_clock_before_the_epoch_still_gives_numbers() {
        assert_eq!(ids(vec![0], 0).transaction_number().get(), 1);
    }
}
