//! What merchants are charged for what they are paid, by rules that change on known days. A charge
//! must never be more than the payment.

use crate::money::{Currency, Money};
use crate::percent::Percent;
use crate::rule_date;
use crate::time::Timestamp;

/// A rule from a moment on, until a later one takes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectionCharge {
    /// The first moment it is in force.
    pub from: Timestamp,
    /// The share of each payment.
    pub percent: Percent,
    /// What is charged beside the share.
    pub fixed: Money,
    /// The most that is charged for one payment, before tax.
    pub cap: Option<Money>,
    /// The share of the charge that is value-added tax, on top of it.
    pub vat: Percent,
}

/// What is charged for one payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectionFee {
    /// What the gateway earns.
    pub charge: Money,
    /// The tax on it.
    pub vat: Money,
}

/// Rules that follow one another in time; where there are none, nothing is charged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectionCharges(Vec<CollectionCharge>);

/// Why rules cannot be charged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCollectionCharges {
    /// Rules are named by their day, and a name must stand for one rule.
    #[error("must not hold two rules from the same day")]
    SameDay,
    /// Payments are in money.
    #[error("must hold amounts in NGN, none below zero")]
    Amount,
}

impl CollectionFee {
    /// Nothing.
    pub const fn none(currency: Currency) -> Self {
        Self {
            charge: Money::zero(currency),
            vat: Money::zero(currency),
        }
    }

    /// What is left of a payment.
    pub fn net(self, amount: Money) -> Option<Money> {
        amount.checked_sub(self.charge)?.checked_sub(self.vat)
    }
}

impl CollectionCharges {
    /// Rules in any order.
    ///
    /// # Errors
    /// Refuses two rules from one day (UTC), and amounts below zero or not in NGN.
    pub fn try_new(mut rules: Vec<CollectionCharge>) -> Result<Self, InvalidCollectionCharges> {
        let is_money = |amount: Money| amount.currency() == Currency::Ngn && amount.minor() >= 0;
        let fits = |rule: &CollectionCharge| is_money(rule.fixed) && rule.cap.is_none_or(is_money);
        if !rules.iter().all(fits) {
            return Err(InvalidCollectionCharges::Amount);
        }
        rules.sort_by_key(|rule| rule.from);
        if rule_date::share_a_day(&rules, |rule| rule.from) {
            return Err(InvalidCollectionCharges::SameDay);
        }
        Ok(Self(rules))
    }

    /// What is charged for a payment that is recorded at a moment. It is bounded by the payment: of
    /// one that is smaller than its charge nothing is left, and nothing is owed.
    pub fn of(&self, amount: Money, moment: Timestamp) -> CollectionFee {
        let none = CollectionFee::none(amount.currency());
        let mut rules = self.0.iter().rev();
        let Some(rule) = rules.find(|rule| rule.from <= moment) else {
            return none;
        };
        let share = rule.percent.of(amount);
        let charge = share.and_then(|share| share.checked_add(rule.fixed));
        let Some(charge) = charge else {
            return none;
        };
        let capped = match rule.cap {
            Some(cap) => charge.checked_min(cap).unwrap_or(charge),
            None => charge,
        };
        let charge = capped.checked_min(amount).unwrap_or(capped);
        let left = amount.checked_sub(charge).unwrap_or(none.vat);
        let vat = rule.vat.of(charge).and_then(|vat| vat.checked_min(left));
        CollectionFee {
            charge,
            vat: vat.unwrap_or(none.vat),
        }
    }
}
