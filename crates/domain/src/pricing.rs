//! What an order costs the merchant and the gateway. It must be the only place that rounds, and it
//! rounds each percentage once.

use crate::bank::charges::Charges;
use crate::money::Money;
use crate::percent::Percent;

/// The commercial terms of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Share of the amount the merchant keeps.
    pub commission: Percent,
    /// Share of the amount the provider leaves to the gateway.
    pub discount: Percent,
    /// Flat fee per transaction on top.
    pub fee: Money,
}

/// What one unit costs, and under which terms: a message part, a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitTerms {
    /// What one unit costs, above zero.
    pub unit: Money,
    /// Commission and cost.
    pub terms: Terms,
}

impl UnitTerms {
    /// What so many units cost; `None` beyond the largest amount.
    pub fn of(&self, units: u8) -> Option<Money> {
        self.unit.checked_mul(units.into())
    }
}

/// How many of the units that were quoted were used: at least one, and fewer than all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    used: u8,
    quoted: u8,
}

impl Use {
    /// So many of so many; `None` where that is all of them, or none.
    pub const fn new(used: u8, quoted: u8) -> Option<Self> {
        if used == 0 || used >= quoted {
            return None;
        }
        Some(Self { used, quoted })
    }

    /// How many were used.
    pub const fn used(self) -> u8 {
        self.used
    }
}

/// A price, frozen on the transaction together with the rule that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The value bought.
    pub amount: Money,
    /// What the merchant keeps of it.
    pub commission: Money,
    /// What is charged on top.
    pub fee: Money,
    /// Value-added tax on the fee, where it is charged apart.
    pub vat: Money,
    /// The levy on an electronic transfer.
    pub levy: Money,
    /// What the balance is charged: `amount − commission + fee + vat + levy`.
    pub price: Money,
    /// What the provider takes: `amount − discount`.
    pub cost: Money,
    /// Which rule priced it, such as `catalogue:airtime.mtn`.
    pub rule: String,
}

/// The terms leave no price that can be charged: zero, negative or beyond the largest amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the terms of this product leave no price above zero")]
pub struct Unpriceable;

/// Prices an amount under terms; `rule` says whose terms they are.
///
/// # Errors
/// Refuses an amount of zero or less, and terms that leave a price of zero or less.
pub fn quote(amount: Money, terms: &Terms, rule: String) -> Result<Quote, Unpriceable> {
    let positive = |money: Money| money.is_positive().then_some(money);
    let priced = || {
        let amount = positive(amount)?;
        let commission = terms.commission.of(amount)?;
        let price = positive(amount.checked_sub(commission)?.checked_add(terms.fee)?)?;
        let cost = amount.checked_sub(terms.discount.of(amount)?)?;
        Some((commission, price, cost))
    };
    let (commission, price, cost) = priced().ok_or(Unpriceable)?;
    Ok(Quote {
        amount,
        commission,
        fee: terms.fee,
        vat: Money::zero(amount.currency()),
        levy: Money::zero(amount.currency()),
        price,
        cost,
        rule,
    })
}

/// Prices a payout: what arrives, the charges and the levy are all paid by the merchant.
///
/// # Errors
/// Refuses an amount of zero or less, and a sum beyond the largest amount.
pub fn quote_payout(amount: Money, charges: &Charges, rule: String) -> Result<Quote, Unpriceable> {
    let priced = || {
        let on_top = [charges.charge, charges.vat, charges.levy];
        on_top.into_iter().try_fold(amount, Money::checked_add)
    };
    let price = priced().filter(|_| amount.is_positive());
    Ok(Quote {
        amount,
        commission: Money::zero(amount.currency()),
        fee: charges.charge,
        vat: charges.vat,
        levy: charges.levy,
        price: price.ok_or(Unpriceable)?,
        cost: amount,
        rule,
    })
}

/// Prices what the gateway books alone: what leaves is what arrives elsewhere in the books, so that
/// nothing is earned on it.
///
/// # Errors
/// Refuses an amount of zero or less.
pub fn quote_own(amount: Money, rule: String) -> Result<Quote, Unpriceable> {
    let zero = Money::zero(amount.currency());
    let price = amount.is_positive().then_some(amount).ok_or(Unpriceable)?;
    Ok(Quote {
        amount,
        commission: zero,
        fee: zero,
        vat: zero,
        levy: zero,
        price,
        cost: amount,
        rule,
    })
}

/// Prices what is paid for by the unit, such as the minutes of a call: each unit costs what one
/// costs, and the fee is charged once.
///
/// # Errors
/// Refuses no units, and what [`quote`] refuses of one.
pub fn quote_units(price: &UnitTerms, units: u8, rule: String) -> Result<Quote, Unpriceable> {
    let one = quote(price.unit, &price.terms, rule)?;
    one.times(units).filter(|_| units > 0).ok_or(Unpriceable)
}

impl Quote {
    /// The same of so many units where this is of one; `None` beyond the largest amount.
    fn times(self, units: u8) -> Option<Self> {
        let times = |money: Money| money.checked_mul(units.into());
        let product = self.price.checked_sub(self.on_top()?)?;
        Some(Self {
            amount: times(self.amount)?,
            commission: times(self.commission)?,
            price: times(product)?.checked_add(self.on_top()?)?,
            cost: times(self.cost)?,
            ..self
        })
    }

    /// The same where fewer units were used than were quoted: each part that goes by the unit is
    /// divided, and what is charged on top stays. A quote that [`quote_units`] made is divided
    /// exactly.
    pub fn for_use(&self, used: Use) -> Option<Self> {
        let one = |money: Money| {
            let minor = money.minor().checked_div(used.quoted.into())?;
            Some(Money::from_minor(minor, money.currency()))
        };
        let on_top = self.on_top()?;
        let one = Self {
            amount: one(self.amount)?,
            commission: one(self.commission)?,
            price: one(self.price.checked_sub(on_top)?)?.checked_add(on_top)?,
            cost: one(self.cost)?,
            ..self.clone()
        };
        one.times(used.used)
    }

    /// The same for the part of the quoted units that a captured price paid for; `None` where that
    /// is all of them, or nothing was captured.
    pub fn for_captured(&self, captured: Money, quoted: u8) -> Option<Self> {
        if !captured.is_positive() || captured == self.price {
            return None;
        }
        let on_top = self.on_top()?;
        let one = self.price.checked_sub(on_top)?.minor();
        let one = one.checked_div(quoted.into())?;
        let units = captured.checked_sub(on_top)?.minor().checked_div(one)?;
        self.for_use(Use::new(u8::try_from(units).ok()?, quoted)?)
    }

    /// What is charged once, however much was used.
    fn on_top(&self) -> Option<Money> {
        self.charges()?.checked_add(self.levy)
    }

    /// What the gateway earns on the product itself, fee and taxes aside; negative where an
    /// account's price override is better than the provider's.
    pub fn margin(&self) -> Option<Money> {
        let on_top = [self.fee, self.vat, self.levy, self.cost];
        on_top.into_iter().try_fold(self.price, Money::checked_sub)
    }

    /// What an electronic transfer is charged, value-added tax included.
    pub fn charges(&self) -> Option<Money> {
        self.fee.checked_add(self.vat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;
    use proptest::prelude::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn terms(commission: &str, discount: &str, fee: i64) -> Terms {
        Terms {
            commission: Percent::parse(commission).unwrap(),
            discount: Percent::parse(discount).unwrap(),
            fee: naira(fee),
        }
    }

    #[test]
    fn the_price_is_the_amount_less_commission_plus_fee() {
        let quote = quote(naira(123_400), &terms("3", "4", 1_000), "test".into()).unwrap();
        assert_eq!(quote.commission, naira(3_702));
        assert_eq!(quote.price, naira(120_698));
        assert_eq!(quote.cost, naira(118_464));
        assert_eq!(quote.margin(), Some(naira(1_234)));
    }

    #[test]
    fn what_leaves_nothing_to_charge_is_refused() {
        assert_eq!(
            quote(naira(100), &terms("100", "0", 0), String::new()),
            Err(Unpriceable)
        );
        assert_eq!(
            quote(naira(0), &terms("0", "0", 5), String::new()),
            Err(Unpriceable)
        );
        assert_eq!(
            quote(naira(-5), &terms("0", "0", 50), String::new()),
            Err(Unpriceable)
        );
    }

    #[test]
    fn a_payout_costs_what_arrives_and_every_charge_on_it() {
        let charges = Charges {
            charge: naira(2_500),
            vat: naira(188),
            levy: naira(5_000),
        };
        let quote = quote_payout(naira(1_000_000), &charges, "test".into()).unwrap();
        assert_eq!(quote.price, naira(1_007_688));
        assert_eq!(quote.charges(), Some(naira(2_688)));
        assert_eq!(quote.margin(), Some(naira(0)));
        assert_eq!(
            quote_payout(naira(0), &charges, String::new()),
            Err(Unpriceable)
        );
        let beyond = naira(Money::MAX_MINOR);
        assert_eq!(
            quote_payout(beyond, &charges, String::new()),
            Err(Unpriceable)
        );
    }

    proptest! {
        /// What was used costs what it would have cost by itself, and what was captured says how
        /// much was used.
        #[test]
        fn a_part_of_a_quote_is_the_quote_of_that_part(
            unit in 1_i64..=1_000_000_000, commission in 0_i64..=9_000, discount in 0_i64..=10_000,
            fee in 0_i64..100_000, quoted in 1_u8..=20, used in 0_u8..=21,
        ) {
            let percent = |bp| Percent::try_new(rust_decimal::Decimal::new(bp, 2)).unwrap();
            let terms = Terms {
                commission: percent(commission), discount: percent(discount), fee: naira(fee),
            };
            let price = UnitTerms { unit: naira(unit), terms };
            let of = |units| quote_units(&price, units, "rule".to_owned());
            prop_assert_eq!(of(0), Err(Unpriceable));
            // One unit may be worth nothing after its commission.
            let without_fee = Terms { fee: naira(0), ..terms };
            prop_assume!(quote(naira(unit), &without_fee, String::new()).is_ok());
            let whole = of(quoted).unwrap();
            prop_assert_eq!(whole.for_captured(whole.price, quoted), None);
            prop_assert_eq!(whole.for_captured(naira(0), quoted), None);
            match Use::new(used, quoted) {
                None => prop_assert!(used == 0 || used >= quoted),
                Some(part) => {
                    prop_assert_eq!(part.used(), used);
                    let part = whole.for_use(part).unwrap();
                    prop_assert_eq!(&part, &of(used).unwrap());
                    prop_assert_eq!(whole.for_captured(part.price, quoted), Some(part));
                }
            }
        }

        #[test]
        fn cost_margin_and_fee_make_the_price(
            amount in 1_i64..=1_000_000_000_000, commission in 0_i64..=9_999,
            discount in 0_i64..=10_000, fee in 0_i64..100_000,
        ) {
            let percent = |bp| Percent::try_new(rust_decimal::Decimal::new(bp, 2)).unwrap();
            let terms = Terms {
                commission: percent(commission), discount: percent(discount), fee: naira(fee),
            };
            if let Ok(quote) = quote(naira(amount), &terms, String::new()) {
                let sum = quote.cost.minor() + quote.margin().unwrap().minor() + fee;
                prop_assert_eq!(sum, quote.price.minor());
                prop_assert!(quote.price.minor() > 0 && quote.cost.minor() >= 0);
                prop_assert!(quote.commission.minor() <= amount);
            }
        }
    }
}
