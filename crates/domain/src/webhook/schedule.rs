//! When it is tried again. What a receiver asks for counts where it asks for more patience, never
//! for less.

use std::time::Duration;

/// Pauses before the second attempt, the third, and so on: minutes for a restart at first, then
/// days for an outage that needs a person.
const PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];

/// Most attempts of a delivery before it is left to the merchant.
pub const ATTEMPTS_MAX: u16 = 10;

/// Longest pause a receiver can ask for: the longest we make by ourselves.
pub const RETRY_AFTER_MAX: Duration = Duration::from_hours(24);

/// Longest pause there is: the longest of the schedule as far as it is spread, which is longer than
/// any a receiver can ask for.
pub const PAUSE_MAX: Duration = Duration::from_mins(24 * 60 * 12 / 10);

/// Thousandths of a pause, from 800 to 1,200: receivers that failed together are not all tried
/// again at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jitter(u32);

impl Jitter {
    /// From any random number.
    pub const fn from_random(random: u32) -> Self {
        Self(800_u32.saturating_add(random % 401))
    }
}

/// The pause after an attempt failed, of which so many were made; `None` after the last.
pub fn next_attempt(
    made: u16,
    asked_for: Option<Duration>,
    Jitter(thousandths): Jitter,
) -> Option<Duration> {
    let pause = PAUSES.get(usize::from(made.checked_sub(1)?))?;
    let spread = pause.saturating_mul(thousandths).checked_div(1000)?;
    let asked_for = asked_for.unwrap_or_default().min(RETRY_AFTER_MAX);
    Some(spread.max(asked_for))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EVEN: Jitter = Jitter(1000);

    #[test]
    fn ten_attempts_are_made_within_some_three_days() {
        let mut made = 1;
        let mut total = Duration::ZERO;
        while let Some(pause) = next_attempt(made, None, EVEN) {
            total += pause;
            made += 1;
        }
        assert_eq!(made, ATTEMPTS_MAX);
        assert_eq!(total, Duration::from_secs(5 + 35 * 60 + 75 * 3600));
    }

    #[test]
    fn a_receiver_can_ask_for_more_patience_but_not_for_less_or_for_ever() {
        let pause = |asked_for| next_attempt(1, Some(asked_for), EVEN);
        assert_eq!(pause(Duration::from_secs(1)), Some(Duration::from_secs(5)));
        assert_eq!(pause(Duration::from_mins(2)), Some(Duration::from_mins(2)));
        assert_eq!(pause(Duration::MAX), Some(RETRY_AFTER_MAX));
        assert_eq!(
            next_attempt(ATTEMPTS_MAX, Some(Duration::from_secs(1)), EVEN),
            None
        );
        assert_eq!(next_attempt(0, None, EVEN), None);
    }

    proptest! {
        #[test]
        fn pauses_are_spread_by_a_fifth_at_most(random: u32, made in 1_u16..ATTEMPTS_MAX) {
            let even = next_attempt(made, None, EVEN).unwrap();
            let pause = next_attempt(made, None, Jitter::from_random(random)).unwrap();
            prop_assert!(even * 4 / 5 <= pause && pause <= even * 6 / 5, "{pause:?}");
        }
    }
}
