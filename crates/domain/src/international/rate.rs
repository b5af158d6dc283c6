//! Rates of exchange. A rate must never be a binary fraction.

use super::{DestinationAmount, DestinationCurrency};
use crate::money::{Currency, Money};
use crate::percent::round_half_up;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::fmt;

/// How many units of the destination's currency one unit of the source's buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExchangeRate(Decimal);

/// The text is no rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a rate above zero with at most ten decimals, such as 0.0085")]
pub struct InvalidRate;

impl ExchangeRate {
    /// Most decimals: rates of weak currencies against strong ones are quoted to eight.
    pub const DECIMALS_MAX: u32 = 10;

    /// The largest rate: more units than any currency buys of another.
    pub const MAX: u32 = 1_000_000;

    /// Reads a plain decimal.
    ///
    /// # Errors
    /// Refuses zero and less, more than [`Self::DECIMALS_MAX`] decimals, and more than
    /// [`Self::MAX`].
    pub fn parse(text: &str) -> Result<Self, InvalidRate> {
        let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let rate = Decimal::from_str_exact(text).map_err(|_| InvalidRate)?;
        let rate = rate.normalize();
        let fits = is_plain
            && rate > Decimal::ZERO
            && rate <= Decimal::from(Self::MAX)
            && rate.scale() <= Self::DECIMALS_MAX;
        fits.then_some(Self(rate)).ok_or(InvalidRate)
    }

    /// What an amount buys, rounded half-up to the minor unit; `None` where that is nothing or too
    /// much.
    pub fn buys(self, source: Money, currency: DestinationCurrency) -> Option<DestinationAmount> {
        let exact = Decimal::from(source.minor()).checked_mul(self.between(currency)?)?;
        DestinationAmount::from_minor(round_half_up(exact)?, currency)
    }

    /// The least that buys an amount; `None` where that is too much.
    pub fn costs(self, destination: DestinationAmount, currency: Currency) -> Option<Money> {
        let rate = self.between(destination.currency())?;
        let exact = Decimal::from(destination.minor()).checked_div(rate)?;
        let minor = exact.ceil().to_i64()?;
        (1..=Money::MAX_MINOR)
            .contains(&minor)
            .then(|| Money::from_minor(minor, currency))
    }

    /// Whether two amounts are one another's at this rate, to within a minor unit of either.
    pub fn relates(self, source: Money, destination: DestinationAmount) -> bool {
        let differs = || {
            let rate = self.between(destination.currency())?;
            let exact = Decimal::from(source.minor()).checked_mul(rate)?;
            let off = exact.checked_sub(Decimal::from(destination.minor()))?.abs();
            Some(off > rate.checked_add(Decimal::ONE)?)
        };
        source.is_positive() && differs() == Some(false)
    }

    /// Minor units of the destination for one minor unit of the source. Every currency of a wallet
    /// has two decimals.
    fn between(self, currency: DestinationCurrency) -> Option<Decimal> {
        let decimals = u32::try_from(currency.decimals()).ok()?;
        let per_major = 10_i64.checked_pow(decimals)?;
        self.0.checked_mul(Decimal::new(per_major, 2))
    }
}

impl fmt::Display for ExchangeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn currency(code: &str) -> DestinationCurrency {
        DestinationCurrency::from_code(code).unwrap()
    }

    #[test]
    fn an_amount_buys_what_the_rate_says_in_the_decimals_of_the_currency() {
        let rate = ExchangeRate::parse("0.0085").unwrap();
        let bought = rate.buys(naira(10_000_000), currency("GHS")).unwrap();
        assert_eq!(bought.to_string(), "850.00");
        assert_eq!(rate.costs(bought, Currency::Ngn), Some(naira(10_000_000)));
        let rate = ExchangeRate::parse("0.37").unwrap();
        let bought = rate.buys(naira(10_000_000), currency("XOF")).unwrap();
        assert_eq!(bought.to_string(), "37,000");
        assert_eq!(rate.buys(naira(1), currency("XOF")), None);
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        for text in [
            "",
            "0",
            "0.0",
            "-1",
            "+1",
            "1e3",
            "1,5",
            "0.00000000001",
            "1000001",
        ] {
            assert_eq!(ExchangeRate::parse(text), Err(InvalidRate), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn both_directions_are_related_and_what_is_off_by_more_is_not(
            minor in 1_i64..1_000_000_000_000, rate in 1_i64..1_000_000_000, at in 0_usize..16,
        ) {
            let currency = DestinationCurrency::all().nth(at).unwrap();
            let rate = ExchangeRate(Decimal::new(rate, 8));
            if let Some(bought) = rate.buys(naira(minor), currency) {
                prop_assert!(rate.relates(naira(minor), bought));
                let off = |by: i64| DestinationAmount::from_minor(bought.minor() + by, currency);
                // A minor unit of the source is worth 10 of the destination at most here.
                prop_assert!(!rate.relates(naira(minor), off(13).unwrap()));
                if let (Some(cost), Some(more)) = (rate.costs(bought, Currency::Ngn), off(1)) {
                    prop_assert!(rate.relates(cost, bought));
                    let dearer = rate.costs(more, Currency::Ngn).unwrap();
                    prop_assert!(dearer.minor() >= cost.minor());
                }
            }
            prop_assert_eq!(ExchangeRate::parse(&rate.to_string()).unwrap().0, rate.0);
        }
    }
}
