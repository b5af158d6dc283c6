//! Percentages of money, rounded half-up once. They must never be applied to anything but money.

use crate::money::Money;
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use std::fmt;

/// A percentage from 0 to 100 with at most four decimals, such as 2.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Percent(Decimal);

/// The text or number is not a percentage from 0 to 100 with at most four decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a percentage from 0 to 100 with at most four decimals")]
pub struct OutOfRange;

impl Percent {
    /// Nothing.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// Decimals kept: rates in the field are quoted to two, account price overrides to four.
    pub const DECIMALS_MAX: u32 = 4;

    /// A percentage from a decimal.
    ///
    /// # Errors
    /// Refuses values outside 0–100 and more than four decimals.
    pub fn try_new(value: Decimal) -> Result<Self, OutOfRange> {
        let fits = (Decimal::ZERO..=Decimal::ONE_HUNDRED).contains(&value)
            && value.normalize().scale() <= Self::DECIMALS_MAX;
        fits.then_some(Self(value)).ok_or(OutOfRange)
    }

    /// Reads a plain decimal such as `2.5`.
    ///
    /// # Errors
    /// As [`Self::try_new`], and for a text that is not a decimal.
    pub fn parse(text: &str) -> Result<Self, OutOfRange> {
        Decimal::from_str_exact(text)
            .map_err(|_| OutOfRange)
            .and_then(Self::try_new)
    }

    /// The percentage as a decimal: 2.5 for 2.5 %.
    pub const fn value(self) -> Decimal {
        self.0
    }

    /// This percentage of an amount, rounded half-up to the minor unit.
    pub fn of(self, amount: Money) -> Option<Money> {
        let exact = Decimal::from(amount.minor())
            .checked_mul(self.0)?
            .checked_div(Decimal::ONE_HUNDRED)?;
        let minor = round_half_up(exact)?;
        Some(Money::from_minor(minor, amount.currency()))
    }
}

/// Shows at least two decimals: `2.50`, `0.125`.
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0.normalize();
        if value.scale() < 2 {
            value.rescale(2);
        }
        write!(f, "{value}")
    }
}

/// Rounds a number of minor units half-up, away from zero on the half.
pub(crate) fn round_half_up(exact: Decimal) -> Option<i64> {
    exact
        .round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero)
        .to_i64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    #[test]
    fn a_half_kobo_rounds_up() {
        let percent = Percent::parse("2.5").unwrap();
        let of = |minor| {
            percent
                .of(Money::from_minor(minor, Currency::Ngn))
                .unwrap()
                .minor()
        };
        assert_eq!(of(100), 3);
        assert_eq!(of(99), 2);
        assert_eq!(of(100_000), 2_500);
    }

    #[test]
    fn only_percentages_are_accepted() {
        for text in ["-1", "100.01", "1.23456", "x", ""] {
            assert_eq!(Percent::parse(text), Err(OutOfRange), "{text}");
        }
        assert_eq!(Percent::parse("3").unwrap().to_string(), "3.00");
    }
}
