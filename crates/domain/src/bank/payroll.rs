//! The salaries of one pay day as an employer asks for them at once.

use super::Payout;
use crate::batch::OnFailure;
use crate::reference::MerchantReference;
use crate::time::Timestamp;
use std::time::Duration;

/// How far ahead a pay day may be: the price of the salaries is held until then.
const AHEAD_MAX: Duration = Duration::from_hours(31 * 24);

/// A day in the time zone of the employer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PayDay {
    /// Its first moment: no salary is sent before.
    pub from: Timestamp,
    /// The first moment of the day after it.
    pub until: Timestamp,
}

/// Why no salary can be paid on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPayDay {
    /// It is over.
    #[error("must not be in the past")]
    Past,
    /// It is further ahead than a price is held.
    #[error("must be within 31 days from now")]
    FarAhead,
}

impl PayDay {
    /// Refuses a day that is over, and one that is too far ahead.
    ///
    /// # Errors
    /// Says which of the two it is.
    pub fn check(self, now: Timestamp) -> Result<(), InvalidPayDay> {
        if now >= self.until {
            Err(InvalidPayDay::Past)
        } else if self.from > now.plus(AHEAD_MAX) {
            Err(InvalidPayDay::FarAhead)
        } else {
            Ok(())
        }
    }
}

/// A request for the salaries of a pay day, all of them or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payroll {
    /// The merchant's reference of the batch.
    pub reference: MerchantReference,
    /// What becomes of the rest once one has failed.
    pub on_failure: OnFailure,
    /// The day they are paid on.
    pub pay_day: PayDay,
    /// The payouts, 1 to [`ITEMS_MAX`](crate::batch::ITEMS_MAX), each with its salary.
    pub salaries: Vec<Payout>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salaries_are_paid_from_today_until_a_month_ahead() {
        let day = |n: i64| Timestamp::from_millis(n * 86_400_000);
        let pay_day = PayDay {
            from: day(40),
            until: day(41),
        };
        let before = |at: Timestamp| Timestamp::from_millis(at.as_millis() - 1);
        assert_eq!(pay_day.check(before(day(9))), Err(InvalidPayDay::FarAhead));
        assert_eq!(pay_day.check(day(9)), Ok(()));
        assert_eq!(pay_day.check(before(day(41))), Ok(()));
        assert_eq!(pay_day.check(day(41)), Err(InvalidPayDay::Past));
    }
}
