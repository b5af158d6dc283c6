//! Prepayment tokens of meters (IEC 62055-41), whichever family vends them, and how a prepaid
//! amount divides. A token must come from the provider and is never made here.

use crate::money::Money;
use crate::percent::round_half_up;
use rust_decimal::{Decimal, RoundingStrategy};
use std::fmt;

/// VAT on energy and water, inside the paid amount (Finance Act 2019, in force since
/// 1 February 2020).
pub const VAT_PERCENT: Decimal = Decimal::from_parts(75, 0, 0, false, 1);

/// A prepayment token: 20 digits, shown as five groups of four (IEC 62055-41).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TokenNumber(String);

/// The text is not a token of 20 digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a token of 20 digits")]
pub struct InvalidToken;

impl TokenNumber {
    /// How many digits a token has.
    pub const DIGITS: usize = 20;

    /// Reads 20 digits, with or without hyphens between the groups.
    ///
    /// # Errors
    /// Refuses any other shape.
    pub fn parse(text: &str) -> Result<Self, InvalidToken> {
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let fits = digits.len() == Self::DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
        fits.then_some(Self(digits)).ok_or(InvalidToken)
    }

    /// The 20 digits without hyphens.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

/// Five groups of four digits separated by hyphens (interface §2.6).
impl fmt::Display for TokenNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, digit) in self.0.chars().enumerate() {
            if index > 0 && index.is_multiple_of(4) {
                f.write_str("-")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// A token is worth its money to any reader of a log, so logs show none of it.
impl fmt::Debug for TokenNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenNumber(…)")
    }
}

/// The token of a prepaid vend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The 20 digits to key in; `None` once they were erased.
    pub number: Option<TokenNumber>,
    /// What the units cost, before VAT, where the company says.
    pub cost: Option<Money>,
    /// Kilowatt-hours or cubic metres, two decimals, where the company says.
    pub units: Option<Decimal>,
}

/// How a prepaid amount divides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breakdown {
    /// Debt recovered from the amount.
    pub recovered: Money,
    /// Energy, before VAT.
    pub cost: Money,
    /// VAT on the energy.
    pub vat: Money,
    /// Kilowatt-hours bought, two decimals.
    pub units: Decimal,
}

/// Divides a prepaid amount: `cost = (amount − recovered) / 1.075`, `units = cost / rate`, VAT is
/// the rest. `None` where the rate is not positive or the amount is less than what is recovered.
pub fn breakdown(amount: Money, recovered: Money, rate: Decimal) -> Option<Breakdown> {
    let taxed = amount
        .checked_sub(recovered)
        .filter(|taxed| taxed.minor() >= 0)?;
    let gross_up = Decimal::ONE_HUNDRED.checked_add(VAT_PERCENT)?;
    let exact = Decimal::from(taxed.minor())
        .checked_mul(Decimal::ONE_HUNDRED)?
        .checked_div(gross_up)?;
    let cost = Money::from_minor(round_half_up(exact)?, amount.currency());
    let per_major = Decimal::from(amount.currency().minor_per_major());
    let major = Decimal::from(cost.minor()).checked_div(per_major)?;
    if rate <= Decimal::ZERO {
        return None;
    }
    let mut units = major
        .checked_div(rate)?
        .round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    units.rescale(2);
    Some(Breakdown {
        recovered,
        cost,
        vat: taxed.checked_sub(cost)?,
        units,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;
    use proptest::prelude::*;

    #[test]
    fn a_token_shows_five_groups_and_hides_in_logs() {
        let token = TokenNumber::parse("12345678901234567890").unwrap();
        assert_eq!(token.to_string(), "1234-5678-9012-3456-7890");
        assert_eq!(TokenNumber::parse(&token.to_string()), Ok(token.clone()));
        assert!(!format!("{token:?}").contains("1234"));
    }

    proptest! {
        #[test]
        fn recovered_cost_and_vat_make_the_amount(
            amount in 1_i64..10_000_000_000, share in 0_i64..=100, rate in 1_i64..100_000,
        ) {
            let naira = |minor| Money::from_minor(minor, Currency::Ngn);
            let recovered = naira(amount / 100 * share);
            let parts = breakdown(naira(amount), recovered, Decimal::new(rate, 2)).unwrap();
            let sum = parts.recovered.minor() + parts.cost.minor() + parts.vat.minor();
            prop_assert_eq!(sum, amount);
            let taxed = amount - recovered.minor();
            prop_assert!((parts.cost.minor() * 1075 - taxed * 1000).abs() <= 538);
        }
    }
}
