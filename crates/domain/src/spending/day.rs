//! What a wallet was charged in a day, beside its balances. It must never be less than the prices
//! of the day's payments that have not failed: a clock that is set back may only make it more.

use crate::money::{Currency, Money};
use crate::time::Timestamp;
use crate::transaction::Transaction;

/// A day in milliseconds.
const DAY: i64 = 86_400_000;

/// The day that a payment is accepted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpendingDay {
    /// When it began in the time zone of the account.
    pub began_at: Timestamp,
    /// How much may be spent in it, in the currency of the price.
    pub limit: Option<Money>,
}

impl SpendingDay {
    /// The day of a moment in UTC, without a limit.
    pub fn in_utc(at: Timestamp) -> Self {
        let began = at
            .as_millis()
            .saturating_sub(at.as_millis().rem_euclid(DAY));
        Self {
            began_at: Timestamp::from_millis(began),
            limit: None,
        }
    }
}

/// What was spent in one currency since a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailySpending {
    /// From when on payments are counted: the beginning of a day, or, of the first day that was
    /// counted, the first payment. `None` before any.
    pub counted_from: Option<Timestamp>,
    /// What they cost together.
    pub spent: Money,
}

/// A payment would take what was spent in a day above the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverDailyLimit {
    /// What may be spent in a day.
    pub limit: Money,
}

impl DailySpending {
    /// Nothing was counted.
    pub const fn none(currency: Currency) -> Self {
        Self {
            counted_from: None,
            spent: Money::zero(currency),
        }
    }

    /// What was spent once a payment is accepted.
    ///
    /// # Errors
    /// Where that is more than the limit of the day.
    pub fn with(&self, tx: &Transaction, day: SpendingDay) -> Result<Self, OverDailyLimit> {
        let price = tx.quote.price;
        let begun = match self.counted_from {
            None => Self {
                counted_from: Some(tx.opened_at),
                ..*self
            },
            Some(from) if from < day.began_at => Self {
                counted_from: Some(day.began_at),
                spent: Money::zero(price.currency()),
            },
            Some(_) => *self,
        };
        let after = begun.plus(price);
        match day.limit {
            Some(limit) if after.spent.minor() > limit.minor() => Err(OverDailyLimit { limit }),
            Some(_) | None => Ok(after),
        }
    }

    /// What was spent once the price of a payment is given back.
    #[must_use]
    pub fn without(&self, tx: &Transaction) -> Self {
        let is_counted = self
            .counted_from
            .is_some_and(|counted_from| counted_from <= tx.opened_at);
        if !is_counted {
            return *self;
        }
        let left = self.spent.checked_sub(tx.quote.price);
        let zero = Money::zero(self.spent.currency());
        Self {
            spent: left.filter(|left| left.minor() >= 0).unwrap_or(zero),
            ..*self
        }
    }

    fn plus(self, price: Money) -> Self {
        let most = Money::from_minor(Money::MAX_MINOR, price.currency());
        Self {
            spent: self.spent.checked_add(price).unwrap_or(most),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transaction::sample::{self, Product};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    const fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn payment(minor: i64, opened_at: i64) -> Transaction {
        let mut draft = sample::draft(Product::Airtime);
        draft.quote.price = naira(minor);
        let opened = draft.open(at(opened_at), at(opened_at));
        opened.transaction
    }

    fn day(began_at: i64, limit: Option<i64>) -> SpendingDay {
        SpendingDay {
            began_at: at(began_at),
            limit: limit.map(naira),
        }
    }

    fn none() -> DailySpending {
        DailySpending::none(Currency::Ngn)
    }

    #[test]
    fn a_day_is_spent_to_its_limit_and_the_next_begins_anew() {
        let limited = day(1_000, Some(100));
        let first = none().with(&payment(60, 1_500), limited).unwrap();
        assert_eq!(first.counted_from, Some(at(1_500)));
        let full = first.with(&payment(40, 1_600), limited).unwrap();
        assert_eq!(full.spent, naira(100));
        let over = OverDailyLimit { limit: naira(100) };
        assert_eq!(full.with(&payment(1, 1_700), limited), Err(over));
        let next = full.with(&payment(70, 2_100), day(2_000, Some(100)));
        let next = next.unwrap();
        assert_eq!(
            (next.counted_from, next.spent),
            (Some(at(2_000)), naira(70))
        );
    }

    #[test]
    fn what_failed_in_the_day_is_given_back_and_what_was_not_counted_is_not() {
        let before = payment(30, 900);
        let counted = payment(60, 1_500);
        let spent = none().with(&counted, day(1_000, None)).unwrap();
        assert_eq!(spent.without(&before), spent);
        assert_eq!(spent.without(&counted).spent, naira(0));
        assert_eq!(none().without(&counted), none());
        // Of a day that is over.
        let next = spent.with(&payment(5, 2_000), day(2_000, None)).unwrap();
        assert_eq!(next.without(&counted), next);
    }

    #[test]
    fn a_clock_that_was_set_back_frees_nothing() {
        let limited = |began_at| day(began_at, Some(100));
        let spent = none().with(&payment(100, 1_500), limited(1_000)).unwrap();
        let back = spent.with(&payment(1, 500), limited(0));
        assert!(back.is_err());
    }

    #[test]
    fn a_day_of_utc_begins_at_midnight() {
        let began = |millis| SpendingDay::in_utc(at(millis)).began_at.as_millis();
        assert_eq!([began(0), began(DAY - 1), began(DAY)], [0, 0, DAY]);
        assert_eq!(began(-1), -DAY);
    }

    #[test]
    fn what_a_journal_brings_back_begins_its_own_day() {
        let spent = none().with(&payment(60, 1_500), day(1_000, None)).unwrap();
        let lost = payment(50, 2_600);
        let back = spent.with(&lost, day(2_000, None)).unwrap();
        let next = back.with(&payment(30, 2_700), day(2_000, None)).unwrap();
        assert_eq!(next.spent, naira(80));
        assert_eq!(next.without(&lost).spent, naira(30));
    }

    proptest! {
        /// Whatever the clock does, what counts is never less than the payments of the day that
        /// have not failed, and never more than its limit.
        #[test]
        fn a_day_never_has_more_than_its_limit(
            steps in vec((1_i64..60, 0_i64..4_000, any::<bool>()), 1..40),
        ) {
            let limit = 100;
            let (mut spent, mut open) = (none(), Vec::<Transaction>::new());
            for (price, now, fails) in steps {
                let began_at = now - now.rem_euclid(1_000);
                let tx = payment(price, now);
                if let Ok(after) = spent.with(&tx, day(began_at, Some(limit))) {
                    spent = after;
                    open.push(tx);
                }
                if fails && !open.is_empty() {
                    let failed = open.remove(0);
                    spent = spent.without(&failed);
                }
                let from = spent.counted_from.unwrap();
                let counted = open.iter().filter(|tx| tx.opened_at >= from);
                let sum: i64 = counted.map(|tx| tx.quote.price.minor()).sum();
                prop_assert!(sum <= spent.spent.minor() && spent.spent.minor() <= limit);
            }
        }
    }
}
