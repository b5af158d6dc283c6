//! Which payments a biller takes. It must not know what a customer owes.

use crate::billing::Billing;
use crate::money::Money;

/// How the customers of a biller are billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BillingOffer {
    /// All before use.
    Prepaid,
    /// All after use.
    Postpaid,
    /// Some before and some after.
    Both,
}

/// Which amounts a biller takes where a customer owes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AmountRule {
    /// Any within its limits.
    Any,
    /// What is owed, no more and no less.
    Exact,
    /// What is owed or more.
    AtLeast,
    /// What is owed or less.
    AtMost,
}

impl AmountRule {
    /// The smallest and the largest payment of a customer who owes `due`. Where nothing is owed,
    /// only a biller that wants exactly what is owed takes nothing.
    pub const fn limits(self, (minimum, maximum): (Money, Money), due: Money) -> (Money, Money) {
        let owes = due.is_positive();
        match self {
            Self::Exact => (due, due),
            Self::AtLeast if owes && due.minor() > minimum.minor() => (due, maximum),
            Self::AtMost if owes && due.minor() < maximum.minor() => (minimum, due),
            Self::Any | Self::AtLeast | Self::AtMost => (minimum, maximum),
        }
    }
}

impl BillingOffer {
    /// Whether some customers are billed so.
    pub const fn includes(self, billing: Billing) -> bool {
        matches!(
            (self, billing),
            (Self::Both, _)
                | (Self::Prepaid, Billing::Prepaid)
                | (Self::Postpaid, Billing::Postpaid)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    const fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    #[test]
    fn the_rule_of_a_biller_narrows_the_limits_where_something_is_owed() {
        let limits = (naira(100), naira(900));
        let of = |rule: AmountRule, due| rule.limits(limits, naira(due));
        assert_eq!(of(AmountRule::Any, 500), limits);
        assert_eq!(of(AmountRule::Exact, 500), (naira(500), naira(500)));
        assert_eq!(of(AmountRule::AtLeast, 500), (naira(500), naira(900)));
        assert_eq!(of(AmountRule::AtMost, 500), (naira(100), naira(500)));
        assert_eq!(of(AmountRule::AtLeast, 0), limits);
        assert_eq!(of(AmountRule::AtMost, 0), limits);
        assert_eq!(of(AmountRule::AtLeast, 50), limits);
        assert_eq!(of(AmountRule::AtMost, 1_000), limits);
    }
}
