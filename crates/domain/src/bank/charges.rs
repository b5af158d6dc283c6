//! What a payout costs on top, by rules that change on known days. It must never charge by a rule
//! that was not in force when the payout was priced.

use super::date;
use crate::money::{Currency, Money};
use crate::percent::Percent;
use crate::time::Timestamp;
use rust_decimal::Decimal;

/// Charges as they are from a moment on, until a later rule takes over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeRule {
    /// The first moment it is in force.
    pub from: Timestamp,
    /// What is charged, by amount: ascending, the last without an upper end.
    pub bands: Vec<Band>,
    /// Value-added tax on the charge.
    pub vat: Percent,
    /// The smallest amount the levy is due on.
    pub levy_from: Money,
    /// The state's levy on electronic transfers.
    pub levy: Money,
}

/// The charge for amounts up to an end, from the end of the band before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// The largest amount in it; `None` where there is no end.
    pub up_to: Option<Money>,
    /// The charge, before tax.
    pub charge: Money,
}

/// What one payout costs on top of its amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charges {
    /// The charge, before tax.
    pub charge: Money,
    /// The tax on it, rounded half-up once.
    pub vat: Money,
    /// The levy; zero where none is due.
    pub levy: Money,
}

impl Charges {
    /// Charge and tax, `txnCharges` on the interface; `None` beyond the largest amount.
    pub fn with_vat(&self) -> Option<Money> {
        self.charge.checked_add(self.vat)
    }

    /// Everything on top of the amount; `None` beyond the largest amount.
    pub fn total(&self) -> Option<Money> {
        self.with_vat()?.checked_add(self.levy)
    }
}

/// Rules that follow one another in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeRules(Vec<ChargeRule>);

/// Why rules cannot be charged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidChargeRules {
    /// There is none.
    #[error("must hold at least one rule")]
    None,
    /// Rules are named by their day, and a name must stand for one rule.
    #[error("must not hold two rules from the same day")]
    SameDay,
    /// Amounts above the last end would cost nothing.
    #[error("the last band of a rule, and no other, must have no upper end")]
    LastBandClosed,
    /// Bands overlap, are empty or out of order.
    #[error("the ends of the bands of a rule must be above zero and ascend")]
    BandsUnsorted,
    /// Money in more than one currency.
    #[error("all amounts must be in one currency")]
    Currencies,
    /// A charge or levy below zero.
    #[error("charges and levies must not be negative")]
    Negative,
}

impl ChargeRules {
    /// Rules in any order.
    ///
    /// # Errors
    /// Refuses what would leave a charge open to guessing: no rule, two from one day (UTC), bands
    /// that do not ascend to an open end, several currencies, and negative charges.
    pub fn try_new(mut rules: Vec<ChargeRule>) -> Result<Self, InvalidChargeRules> {
        let first = rules.first().ok_or(InvalidChargeRules::None)?;
        let currency = first.levy.currency();
        rules.iter().try_for_each(|rule| check(rule, currency))?;
        rules.sort_by_key(|rule| rule.from);
        let same_day = |pair: &[ChargeRule]| match pair {
            [earlier, later] => date::utc(earlier.from) == date::utc(later.from),
            _ => false,
        };
        if rules.windows(2).any(same_day) {
            return Err(InvalidChargeRules::SameDay);
        }
        Ok(Self(rules))
    }

    /// What Nigerian banks charge: the bands of the central bank's Guide to Charges by Banks
    /// (2020), and VAT at 7.5 % and 50.00 on transfers from 10,000.00 on by the Finance Act 2019,
    /// in force together since 2020-02-01.
    pub fn default_nigeria() -> Self {
        let naira = |major: i64| Money::from_minor(major.saturating_mul(100), Currency::Ngn);
        let band = |up_to: Option<i64>, charge| Band {
            up_to: up_to.map(naira),
            charge: naira(charge),
        };
        Self(vec![ChargeRule {
            from: Timestamp::from_millis(1_580_515_200_000),
            bands: vec![
                band(Some(5_000), 10),
                band(Some(50_000), 25),
                band(None, 50),
            ],
            // 7.5 is a percentage, so the other arm is never taken.
            vat: Percent::try_new(Decimal::new(75, 1)).unwrap_or(Percent::ZERO),
            levy_from: naira(10_000),
            levy: naira(50),
        }])
    }

    /// What a payout of an amount costs at a moment, and the name of the rule that says so, such
    /// as `payout-charges:2020-02-01` (its first day, UTC). `None` before the first rule, and for
    /// money of another currency.
    pub fn charges(&self, amount: Money, at: Timestamp) -> Option<(Charges, String)> {
        let rule = self.0.iter().rev().find(|rule| rule.from <= at)?;
        Some((rule.charges(amount)?, rule.name()))
    }
}

impl ChargeRule {
    fn name(&self) -> String {
        format!("payout-charges:{}", date::utc(self.from))
    }

    fn charges(&self, amount: Money) -> Option<Charges> {
        let currency = self.levy.currency();
        if amount.currency() != currency {
            return None;
        }
        let reaches = |end: Money| amount.minor() <= end.minor();
        let band = self
            .bands
            .iter()
            .find(|band| band.up_to.is_none_or(reaches))?;
        let levied = amount.minor() >= self.levy_from.minor();
        Some(Charges {
            charge: band.charge,
            vat: self.vat.of(band.charge)?,
            levy: if levied {
                self.levy
            } else {
                Money::zero(currency)
            },
        })
    }
}

fn check(rule: &ChargeRule, currency: Currency) -> Result<(), InvalidChargeRules> {
    let ends = rule.bands.iter().filter_map(|band| band.up_to);
    let charges = rule.bands.iter().map(|band| band.charge);
    let costs = charges.chain([rule.levy, rule.levy_from]);
    if ends
        .clone()
        .chain(costs.clone())
        .any(|money| money.currency() != currency)
    {
        return Err(InvalidChargeRules::Currencies);
    }
    if costs.clone().any(|money| money.minor() < 0) {
        return Err(InvalidChargeRules::Negative);
    }
    let closed = match rule.bands.split_last() {
        Some((last, others)) => {
            last.up_to.is_some() || others.iter().any(|band| band.up_to.is_none())
        }
        None => true,
    };
    if closed {
        return Err(InvalidChargeRules::LastBandClosed);
    }
    let ends: Vec<i64> = [0].into_iter().chain(ends.map(Money::minor)).collect();
    if ends.is_sorted_by(|earlier, later| earlier < later) {
        Ok(())
    } else {
        Err(InvalidChargeRules::BandsUnsorted)
    }
}
