//! What a message credit costs, by prices that change on known days. It must never sell at a price
//! that was not in force when the credits were bought.

use crate::money::{Currency, Money};
use crate::rule_date;
use crate::time::Timestamp;

/// The price of one credit from a moment on, until a later one takes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditPrice {
    /// The first moment it is in force.
    pub from: Timestamp,
    /// What one credit costs.
    pub price: Money,
}

/// Prices that follow one another in time; none where credits are not sold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CreditPrices(Vec<CreditPrice>);

/// Why prices cannot be sold by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCreditPrices {
    /// Prices are named by their day, and a name must stand for one price.
    #[error("must not hold two prices from the same day")]
    SameDay,
    /// Credits are not given away, nor paid for with credits.
    #[error("must hold prices above zero, in a currency other than that of credits")]
    Price,
}

impl CreditPrices {
    /// Prices in any order.
    ///
    /// # Errors
    /// Refuses two prices from one day (UTC), and a price that is not above zero or in credits.
    pub fn try_new(mut prices: Vec<CreditPrice>) -> Result<Self, InvalidCreditPrices> {
        let sells =
            |it: &CreditPrice| it.price.is_positive() && it.price.currency() != Currency::Crd;
        if !prices.iter().all(sells) {
            return Err(InvalidCreditPrices::Price);
        }
        prices.sort_by_key(|price| price.from);
        if rule_date::share_a_day(&prices, |price| price.from) {
            return Err(InvalidCreditPrices::SameDay);
        }
        Ok(Self(prices))
    }

    /// The price of one credit at a moment and the name of its rule, such as
    /// `credit-price:2027-01-01` (its first day, UTC). `None` before the first price.
    pub fn at(&self, moment: Timestamp) -> Option<(Money, String)> {
        let in_force = self.0.iter().rev().find(|price| price.from <= moment)?;
        let rule = format!("credit-price:{}", rule_date::utc(in_force.from));
        Some((in_force.price, rule))
    }
}

/// The least that buys the smallest part of a credit at a price, and the most that buys no more
/// than a wallet holds.
pub fn credit_limits(price: Money) -> (Money, Money) {
    let (unit, parts) = (
        i128::from(price.minor()),
        i128::from(Currency::Crd.minor_per_major()),
    );
    let beyond = i128::from(Money::MAX_MINOR)
        .saturating_add(1)
        .saturating_mul(unit);
    // A hundredth of a price, rounded up, and less than what would buy one part too many.
    let least = unit
        .saturating_add(parts.saturating_sub(1))
        .checked_div(parts);
    let most = beyond.saturating_sub(1).checked_div(parts);
    let amount = |minor: Option<i128>| {
        let minor = minor.and_then(|it| i64::try_from(it).ok());
        let minor = minor.unwrap_or(Money::MAX_MINOR).min(Money::MAX_MINOR);
        Money::from_minor(minor, price.currency())
    };
    (amount(least), amount(most))
}

/// How many credits an amount buys: whole hundredths, what is left over is not given out. `None`
/// where it buys none, or more than a wallet holds.
pub(super) fn credits_for(amount: Money, price: Money) -> Option<Money> {
    if amount.currency() != price.currency() || !price.is_positive() {
        return None;
    }
    let unit = i128::from(Currency::Crd.minor_per_major());
    let hundredths = i128::from(amount.minor()).checked_mul(unit)?;
    let minor = hundredths.checked_div(i128::from(price.minor()))?;
    let minor = i64::try_from(minor)
        .ok()
        .filter(|it| *it <= Money::MAX_MINOR)?;
    let bought = Money::from_minor(minor, Currency::Crd);
    bought.is_positive().then_some(bought)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn credits(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Crd)
    }

    fn price(from: i64, minor: i64) -> CreditPrice {
        CreditPrice {
            from: Timestamp::from_millis(from),
            price: naira(minor),
        }
    }

    const DAY: i64 = 86_400_000;

    #[test]
    fn a_price_holds_from_its_moment_until_the_next() {
        let prices = CreditPrices::try_new(vec![price(2 * DAY, 500), price(DAY, 400)]).unwrap();
        let at = |millis| prices.at(Timestamp::from_millis(millis));
        assert_eq!(at(DAY - 1), None);
        let first = (naira(400), "credit-price:1970-01-02".to_owned());
        assert_eq!(at(DAY), Some(first.clone()));
        assert_eq!(at(2 * DAY - 1), Some(first));
        let second = (naira(500), "credit-price:1970-01-03".to_owned());
        assert_eq!(at(2 * DAY), Some(second));
        assert_eq!(CreditPrices::default().at(Timestamp::from_millis(0)), None);
    }

    #[test]
    fn prices_that_leave_a_sale_to_guessing_are_refused() {
        let refused = |prices| CreditPrices::try_new(prices).unwrap_err();
        let same_day = vec![price(DAY, 400), price(DAY + 1, 500)];
        assert_eq!(refused(same_day), InvalidCreditPrices::SameDay);
        assert_eq!(refused(vec![price(DAY, 0)]), InvalidCreditPrices::Price);
        let in_credits = CreditPrice {
            price: credits(100),
            ..price(DAY, 1)
        };
        assert_eq!(refused(vec![in_credits]), InvalidCreditPrices::Price);
    }

    #[test]
    fn what_is_left_over_is_not_given_out() {
        for (amount, price, bought) in [
            (40_000, 400, Some(10_000)),
            (10_000, 333, Some(3_003)),
            (399, 400, Some(99)),
            (4, 400, Some(1)),
            (3, 400, None),
            (0, 400, None),
            (Money::MAX_MINOR, 1, None),
        ] {
            let expected = bought.map(credits);
            assert_eq!(
                credits_for(naira(amount), naira(price)),
                expected,
                "{amount} at {price}"
            );
        }
        assert_eq!(credits_for(credits(100), naira(400)), None);
    }

    proptest! {
        #[test]
        fn within_the_limits_every_amount_buys_credits_and_beyond_them_none(
            unit in 1_i64..=1_000_000, drawn in 0_i64..=Money::MAX_MINOR,
        ) {
            let unit = naira(unit);
            let (least, most) = credit_limits(unit);
            let between = drawn.clamp(least.minor(), most.minor());
            for amount in [least.minor(), between, most.minor()] {
                prop_assert!(credits_for(naira(amount), unit).is_some(), "{amount}");
            }
            prop_assert_eq!(credits_for(naira(least.minor() - 1), unit), None);
            if most.minor() < Money::MAX_MINOR {
                prop_assert_eq!(credits_for(naira(most.minor() + 1), unit), None);
            }
        }

        #[test]
        fn credits_never_cost_less_than_their_price(
            amount in 1_i64..=1_000_000_000_000, unit in 1_i64..=1_000_000,
        ) {
            let Some(bought) = credits_for(naira(amount), naira(unit)) else {
                return Ok(());
            };
            let worth = i128::from(bought.minor()) * i128::from(unit);
            let paid = i128::from(amount) * 100;
            prop_assert!(worth <= paid && paid < worth + i128::from(unit));
        }
    }
}
