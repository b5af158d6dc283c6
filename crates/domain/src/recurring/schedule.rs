//! When runs are due. Days, weeks and months are counted from the first run and in a time zone,
//! which this must not know: the calendar is the application's.

use super::{RECURRING_START_AHEAD, RECURRING_START_PAST};
use crate::time::Timestamp;

/// From one run to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecurringInterval {
    /// A day.
    Day,
    /// Seven days.
    Week,
    /// A month.
    Month,
}

impl RecurringInterval {
    /// Every interval.
    pub const ALL: [Self; 3] = [Self::Day, Self::Week, Self::Month];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }

    /// The interval of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// When an order is bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecurringSchedule {
    /// From one run to the next.
    pub interval: RecurringInterval,
    /// When the first run is due.
    pub start: Timestamp,
    /// How many runs there are; `None` where it goes on until it is cancelled.
    pub count: Option<u32>,
}

/// Why a schedule cannot begin when it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StartRefusal {
    /// More than [`RECURRING_START_PAST`] ago.
    #[error("is over; name a moment that is to come")]
    Past,
    /// In more than [`RECURRING_START_AHEAD`].
    #[error("is more than a year ahead; name an earlier moment")]
    Ahead,
}

impl RecurringSchedule {
    /// Refuses a first run that is over or far ahead.
    ///
    /// # Errors
    /// See [`StartRefusal`].
    pub fn check_start(&self, now: Timestamp) -> Result<(), StartRefusal> {
        if self.start < now.minus(RECURRING_START_PAST) {
            return Err(StartRefusal::Past);
        }
        if self.start > now.plus(RECURRING_START_AHEAD) {
            return Err(StartRefusal::Ahead);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_interval_is_read_back_from_its_word() {
        for interval in RecurringInterval::ALL {
            let read = RecurringInterval::from_code(interval.code());
            assert_eq!(read, Some(interval));
        }
        assert_eq!(RecurringInterval::from_code("year"), None);
    }

    #[test]
    fn a_start_is_neither_over_nor_far_ahead() {
        let now = Timestamp::from_millis(1_000_000_000_000);
        let check = |start| {
            let schedule = RecurringSchedule {
                interval: RecurringInterval::Day,
                start,
                count: None,
            };
            schedule.check_start(now)
        };
        let milli = Duration::from_millis(1);
        let (first, last) = (
            now.minus(RECURRING_START_PAST),
            now.plus(RECURRING_START_AHEAD),
        );
        assert_eq!((check(first), check(last)), (Ok(()), Ok(())));
        assert_eq!(check(first.minus(milli)), Err(StartRefusal::Past));
        assert_eq!(check(last.plus(milli)), Err(StartRefusal::Ahead));
    }
}
